package dev.ron.http.server.connection;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import java.time.Duration;
import java.time.Instant;

/**
 * Notices a peer that takes nothing while bytes wait for it.
 *
 * <p>Two numbers tell: what the system took from this process, and what the peer acknowledged to
 * the system. Either is progress.
 *
 * <p>Threading: owned by its connection's event loop.
 */
public final class WriteStall {
  private final Stall stall = new Stall();
  private final AckedBytes acked = new AckedBytes();

  public static boolean nothingWaits(Channel channel) {
    ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
    return waiting == null || waiting.isEmpty();
  }

  public boolean longerThan(Duration limit, Channel channel, Instant now) {
    ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
    if (waiting == null || waiting.isEmpty()) {
      stall.clear();
      return false;
    }
    // Either of them moves with every byte the system takes.
    long taken = waiting.currentProgress() * 31 + waiting.totalPendingWriteBytes();
    return stall.longerThan(limit, taken * 31 + acked.within(limit, channel, now), now);
  }

  /** Bytes waited for the peer when this was last looked at. */
  public boolean waits() {
    return stall.waits();
  }
}
