package dev.ron.http.server;

import io.netty.channel.Channel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The open connections of one server, up to a cap.
 *
 * <p>Threading: thread-safe; the count is raised before the cap is compared, so it is never passed.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends in channelInactive
final class Connections {
  private final int max;
  private final AtomicInteger count = new AtomicInteger();
  private final Set<Channel> open = ConcurrentHashMap.newKeySet();

  Connections(int max) {
    this.max = max;
  }

  /** False if the server is full; otherwise the connection counts until it closes. */
  boolean admit(Channel channel) {
    if (count.incrementAndGet() > max) {
      count.decrementAndGet();
      return false;
    }
    open.add(channel);
    channel
        .closeFuture()
        .addListener(
            _ -> {
              open.remove(channel);
              count.decrementAndGet();
            });
    return true;
  }

  int count() {
    return count.get();
  }

  void drain() {
    open.forEach(channel -> channel.pipeline().fireUserEventTriggered(Drain.NOW));
  }

  /** Closes what is left: idle connections in order, busy ones without waiting for anybody. */
  void closeAll(boolean busy) {
    for (Channel channel : open) {
      if (busy) {
        // past the pipeline, because HTTP/2 there would wait for its streams
        channel.eventLoop().execute(() -> channel.unsafe().close(channel.voidPromise()));
      } else {
        channel.close();
      }
    }
  }
}
