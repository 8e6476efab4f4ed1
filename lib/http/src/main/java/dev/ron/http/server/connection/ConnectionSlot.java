package dev.ron.http.server.connection;

import dev.ron.http.Transport;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.util.AttributeKey;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The place of one connection, which a newcomer may get while no request is on it.
 *
 * <p>Threading: {@code since} is read and given up by any thread; all else is owned by the event
 * loop of the connection, which has the last word about closing.
 */
public final class ConnectionSlot {
  private static final AttributeKey<ConnectionSlot> KEY =
      AttributeKey.valueOf(ConnectionSlot.class, "seat");

  /** A request is on it. */
  public static final long IN_USE = Long.MAX_VALUE;

  private static final long GIVEN_UP = Long.MAX_VALUE - 1;

  private final Channel channel;
  private final PeerKey peer;
  private final boolean reserved;
  private final AtomicLong turns;
  private final AtomicLong since;
  private final ConnectionTenant tenant;
  private int requests;
  private boolean relays;

  /**
   * @param reserved beyond the cap, for a health check
   * @param turns counts the moments at which a connection of the server became idle: exact where a
   *     clock that ticks would call many of them one
   */
  public ConnectionSlot(Channel channel, PeerKey peer, boolean reserved, AtomicLong turns) {
    this.channel = channel;
    this.peer = peer;
    this.reserved = reserved;
    this.turns = turns;
    this.since = new AtomicLong(turns.incrementAndGet());
    this.tenant = new ConnectionTenant(channel);
    channel.attr(KEY).set(this);
  }

  /** Of a connection, or of the connection a stream is on. */
  public static ConnectionSlot of(Channel channel) {
    // a socket's parent is the listener, which has no seat
    return channel.hasAttr(KEY) ? channel.attr(KEY).get() : channel.parent().attr(KEY).get();
  }

  public PeerKey peer() {
    return peer;
  }

  public ConnectionTenant tenant() {
    return tenant;
  }

  public boolean reserved() {
    return reserved;
  }

  /**
   * An answer of another server goes out here, as fast as this peer reads: a full send buffer of
   * megabytes would stop the reading of that answer until a third of it is empty, and the other
   * server could take this one for a reader that stands still.
   */
  public void relays() {
    if (!relays) {
      relays = true;
      Transport.boundUnsent(channel);
    }
  }

  public void enter() {
    if (requests++ == 0) {
      since.setRelease(IN_USE);
    }
  }

  public void leave() {
    if (--requests == 0) {
      since.setRelease(turns.incrementAndGet());
    }
  }

  /** Since when no request has been on it; {@link #IN_USE} or later if that is not so. */
  public long idleSince() {
    return since.getAcquire();
  }

  /** Takes the place for another, once; false if its connection was faster. */
  public boolean giveUp(long seen) {
    if (!since.compareAndSet(seen, GIVEN_UP)) {
      return false;
    }
    channel.eventLoop().execute(() -> vacate(seen));
    return true;
  }

  /** A request that came meanwhile keeps the place, and so does an answer that is going out. */
  @SuppressWarnings("FutureReturnValueIgnored") // the close listener gives the place back
  private void vacate(long seen) {
    ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
    boolean quiet = waiting == null || waiting.isEmpty();
    if (quiet && since.get() == GIVEN_UP) {
      channel.close();
    } else {
      since.compareAndSet(GIVEN_UP, seen);
    }
  }
}
