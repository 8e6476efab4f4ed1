package dev.ron.http.server.http1;

import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.server.ServerContext;
import dev.ron.http.server.Timeouts;
import dev.ron.http.server.connection.Stall;
import dev.ron.http.server.connection.TimeoutSweep;
import dev.ron.http.server.connection.WriteStall;
import dev.ron.http.server.exchange.Exchange;
import io.netty.channel.Channel;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Cuts an HTTP/1.1 connection whose peer is slow: in a head, in a body, in taking, or in asking.
 *
 * <p>Threading: owned by its connection's event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write or close ends in channelInactive
final class Http1Timeouts implements TimeoutSweep {
  private static final Duration LINGER = Duration.ofSeconds(1);
  private static final Duration LISTENING = Duration.ofSeconds(1);
  private static final int BODY = 1;
  private static final int HEAD = 2;
  private static final int IDLE = 3;

  private final ServerContext server;
  private final Http1Connection connection;
  private final Timeouts timeouts;
  private final Channel channel;
  private final Stall readStall = new Stall();
  private final Stall answerStall = new Stall();
  private final WriteStall writeStall = new WriteStall();

  Http1Timeouts(ServerContext server, Http1Connection connection, Channel channel) {
    this.channel = channel;
    this.server = server;
    this.connection = connection;
    this.timeouts = server.config().timeouts();
  }

  @Override
  public Instant sweep(Instant now) {
    if (writeStall.longerThan(timeouts.write(), channel, now)) {
      server.scope().counters().ioTimeouts().labelValues("write").inc();
      channel.close();
      return Instant.MAX;
    }
    Instant due = reading(now);
    return writeStall.waits() ? now : due;
  }

  private Instant reading(Instant now) {
    Exchange current = connection.exchange();
    if (current == null && !connection.hasUnread() && writeStall.waits()) {
      readStall.clear(); // an answer that still goes out is neither idle nor an end to wait for
      return now;
    }
    if (connection.lingering()) {
      closeIf(readStall.longerThan(LINGER, Long.MAX_VALUE, now));
      return readStall.due(LINGER);
    }
    if (current != null) {
      return exchanging(current, now);
    }
    if (connection.hasUnread()) {
      if (stalled(timeouts.read(), HEAD, now)) {
        slow(null, "the head");
      }
      return now;
    }
    closeIf(stalled(timeouts.idle(), IDLE, now));
    return readStall.due(timeouts.idle());
  }

  private Instant exchanging(Exchange current, Instant now) {
    Instant due = current.sweep(now);
    if (!connection.wantsBody()) {
      if (connection.inputEnded()) {
        listensStill(current, now);
      }
      return due;
    }
    if (stalled(timeouts.read(), BODY, now)) {
      slow(current, "the body");
    }
    return now;
  }

  /**
   * A peer that ended its side after a whole request may wait for the answer, or be gone: nothing
   * on the wire shows which until it is sent something. Before the answer begins that is an interim
   * head: a peer that listens skips it, and the system of one that is gone answers with a reset.
   * HTTP/1.0 has none, so there it is a byte of what every answer begins with; there are nine, and
   * the pause before each is twice as long. In the middle of an answer nothing can be slipped in,
   * so one that stands still is given up.
   */
  private void listensStill(Exchange current, Instant now) {
    Duration pause = LISTENING.multipliedBy(1L << connection.knocks());
    if (!answerStall.longerThan(pause, connection.answerMoves(), now)) {
      return;
    }
    if (!current.answered()) {
      connection.knock(current);
    } else if (!current.ended() && WriteStall.nothingWaits(channel)) {
      channel.close();
    }
  }

  /** A head counts from its first byte, a body from its last piece. */
  private boolean stalled(Duration limit, int phase, Instant now) {
    return readStall.longerThan(limit, connection.progress() * 4 + phase, now);
  }

  private void closeIf(boolean over) {
    if (over) {
      channel.close();
    }
  }

  private void slow(@Nullable Exchange current, String what) {
    server.scope().counters().ioTimeouts().labelValues("read").inc();
    Refusal refusal = Refusal.of(new HttpFault.SlowSender(what, timeouts.read()));
    if (current == null) {
      connection.refuse(refusal);
    } else if (current.ended()) {
      connection.linger();
    } else {
      current.body().fail(refusal);
    }
  }
}
