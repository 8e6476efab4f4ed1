package dev.ron.http.server.connection;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.unix.RawUnixChannelOption;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.time.Instant;

/**
 * How many bytes of a connection its peer has acknowledged, as the system counts them.
 *
 * <p>The send buffer of a socket takes megabytes at once and then nothing until a third of it is
 * free, so what the system takes says little about the peer. What the peer's system acknowledges
 * does: its receive buffer is full when the reader stands still, and only a reader makes room.
 *
 * <p>Linux tells it by {@code TCP_INFO}, for epoll and io_uring alike. Elsewhere, and on a Unix
 * socket, it is not known and never moves.
 *
 * <p>Threading: owned by its connection's event loop.
 */
final class AckedBytes {
  private static final int IPPROTO_TCP = 6;
  private static final int TCP_INFO = 11;

  /** Where {@code tcpi_bytes_acked} is in the system's {@code struct tcp_info}; since Linux 4.1. */
  private static final int OFFSET = 120;

  private static final RawUnixChannelOption INFO =
      new RawUnixChannelOption("TCP_INFO", IPPROTO_TCP, TCP_INFO, OFFSET + Long.BYTES);

  /** Asking is a call of the system, so it is asked this often within a limit. */
  private static final int ASKED_IN_LIMIT = 8;

  private long bytes;
  private Instant due = Instant.MIN;

  /** As of the last time it was asked, an eighth of {@code limit} ago at most. */
  long within(Duration limit, Channel channel, Instant now) {
    if (!now.isBefore(due)) {
      due = now.plus(limit.dividedBy(ASKED_IN_LIMIT));
      bytes = ask(channel);
    }
    return bytes;
  }

  private static long ask(Channel channel) {
    try {
      ByteBuffer info = channel.config().getOption(INFO);
      return info == null ? 0 : info.order(ByteOrder.nativeOrder()).getLong(OFFSET);
    } catch (ChannelException notTcp) {
      return 0;
    }
  }
}
