package dev.ron.http.server.accept;

import dev.ron.http.server.Limits;
import dev.ron.http.server.connection.ConnectionSlot;
import dev.ron.http.server.connection.DrainEvent;
import dev.ron.http.server.connection.PeerKey;
import dev.ron.http.server.http2.Http2Connection;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The open connections of one server, up to a cap, and up to a smaller one from each peer.
 *
 * <p>A full server takes the place of the connection that has been without a request for longest,
 * so that connections which only stay open keep no client out. If a request is on each of them, a
 * few more are let in for health checks alone.
 *
 * <p>Peers on this machine have no cap of their own: behind a proxy on the same machine all clients
 * are one such peer.
 *
 * <p>Threading: thread-safe; counts are raised before they are compared, so no cap is passed but by
 * connections whose place has been taken and which are closing, an eighth at most.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends in channelInactive
public final class Connections {
  private static final int RESERVED = 8;

  private final int max;
  private final int perPeerMax;
  private final AtomicInteger count = new AtomicInteger();
  private final AtomicLong turns = new AtomicLong();
  private final Map<PeerKey, Integer> peers = new ConcurrentHashMap<>();
  private final Map<Channel, ConnectionSlot> open = new ConcurrentHashMap<>();

  public Connections(Limits limits) {
    this.max = limits.connectionsMax();
    this.perPeerMax = limits.connectionsPerPeerMax();
  }

  int max() {
    return max;
  }

  /** Null if the server is full; otherwise the connection counts until it closes. */
  @Nullable ConnectionSlot admit(Channel channel) {
    PeerKey peer = PeerKey.of(channel.remoteAddress());
    int all = count.incrementAndGet();
    int own = peer.local() ? 0 : peers.merge(peer, 1, Integer::sum);
    boolean room =
        (own <= perPeerMax || takePlace(peer, false))
            && (all <= max || (all <= most() && takePlace(null, false)));
    boolean reserved =
        !room
            && own <= perPeerMax
            && (all <= max + RESERVED || (all <= most() && takePlace(null, true)));
    if (!room && !reserved) {
      left(peer);
      return null;
    }
    var seat = new ConnectionSlot(channel, peer, reserved, turns);
    open.put(channel, seat);
    channel
        .closeFuture()
        .addListener(
            _ -> {
              open.remove(channel);
              left(peer);
            });
    return seat;
  }

  private int most() {
    return max + Math.max(RESERVED, max / 8);
  }

  private void left(PeerKey peer) {
    count.decrementAndGet();
    if (!peer.local()) {
      peers.computeIfPresent(peer, (_, n) -> n == 1 ? null : n - 1);
    }
  }

  /**
   * Ends the connection that has been idle for longest; false if a request is on each.
   *
   * @param reserved among those beyond the cap, whose places are for health checks only
   */
  private boolean takePlace(@Nullable PeerKey of, boolean reserved) {
    while (true) {
      ConnectionSlot longest = null;
      long since = ConnectionSlot.IN_USE - 1;
      for (ConnectionSlot seat : open.values()) {
        long idle = seat.idleSince();
        boolean fits = seat.reserved() == reserved && (of == null || seat.peer().equals(of));
        if (fits && idle < since) {
          longest = seat;
          since = idle;
        }
      }
      if (longest == null || longest.giveUp(since)) {
        return longest != null;
      }
    }
  }

  public int count() {
    return count.get();
  }

  public void drain() {
    open().forEach(channel -> channel.pipeline().fireUserEventTriggered(DrainEvent.NOW));
  }

  private Set<Channel> open() {
    return open.keySet();
  }

  /**
   * Waits until every answer that was given is with the system, no longer than the deadline or than
   * {@code enough}.
   *
   * @return how many connections still have one that is not
   */
  public int awaitSent(Deadline deadline, Gate enough) throws InterruptedException {
    var unsent = new AtomicInteger(1); // ours, so that the gate opens after all are counted
    Runnable sent =
        () -> {
          if (unsent.decrementAndGet() == 0) {
            enough.open();
          }
        };
    for (Channel channel : open()) {
      unsent.incrementAndGet();
      channel.eventLoop().execute(() -> whenSent(channel, sent));
    }
    sent.run();
    var _ = enough.await(deadline);
    return unsent.get();
  }

  /** What is written behind everything else leaves after it; streams end when they are out. */
  private static void whenSent(Channel channel, Runnable sent) {
    Http2Connection streams = channel.pipeline().get(Http2Connection.class);
    if (channel.pipeline().get(AlpnChoice.class) != null) {
      sent.run(); // it has not come to a request
    } else if (streams == null) {
      channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(_ -> sent.run());
    } else if (streams.idle()) {
      sent.run();
    } else {
      channel.closeFuture().addListener(_ -> sent.run());
    }
  }

  /**
   * Closes what is left: idle connections in order, busy ones without waiting for their requests.
   */
  public void closeAll(boolean busy) {
    for (Channel channel : open()) {
      if (busy) {
        // past the pipeline, because HTTP/2 there would wait for its streams
        channel.eventLoop().execute(() -> channel.unsafe().close(channel.voidPromise()));
      } else {
        channel.close();
      }
    }
  }
}
