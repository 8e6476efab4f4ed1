package dev.ron.mailbox.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.json.Field;
import dev.ron.http.json.Fields;
import dev.ron.http.json.Form;
import dev.ron.http.server.Blocking;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.BodySink;
import dev.ron.kernel.time.Deadline;
import dev.ron.mailbox.core.QueryResult;
import dev.ron.mailbox.core.ReceiveResult;
import dev.ron.mailbox.core.message.Envelope;
import dev.ron.mailbox.core.message.Receipt;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.shard.ReceiveRequest;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v1/recv/stream}: envelopes as they come, one JSON object a line.
 *
 * <p>It ends with its capability: the last line then says why, in the form of a refusal. Each batch
 * after the first counts against the capability's rates as a request does.
 *
 * <p>No more of them are unacknowledged at a time than the client's {@code credit}: an ack, a nack
 * or the end of a lease makes room for the next. An empty line every few seconds says that the
 * stream is alive, and finds out a client that is not.
 *
 * <p>Threading: immutable; each stream is owned by its request's thread.
 */
public record ReceiveStream(MailboxContext context, Receive receive, Form form) {
  static final String CONTENT_TYPE = "application/x-ndjson";
  private static final int CREDIT_MAX = 1000;
  private static final int CREDIT_DEFAULT = 10;

  /** A client comes back for the next hour; what it holds stays its own meanwhile. */
  public static final Duration TIME_MAX = Duration.ofHours(1);

  private static final Duration ALIVE_EVERY = Duration.ofSeconds(5);

  /** How long a stream goes without asking whether its capability still holds. */
  private static final Duration ROUND_MAX = Duration.ofSeconds(1);

  /** How soon an ack is noticed when all credit is used. */
  private static final Duration CREDIT_LOOK = Duration.ofMillis(20);

  public ReceiveStream(MailboxContext context, Receive receive) {
    this(
        context,
        receive,
        MailboxContext.form(
            MailboxContext.TOPIC,
            context.visibility(),
            Receive.MESSAGES,
            Receive.BYTES,
            Field.number("credit", 1, CREDIT_MAX).optional()));
  }

  Blocking handler() {
    return exchange -> {
      Flow flow =
          flow(
              Caller.of(exchange),
              context.form(exchange, form),
              envelope -> (MailboxJsonAnswer.envelope(envelope) + "\n").getBytes(UTF_8),
              "\n".getBytes(UTF_8));
      Headers headers = Headers.of("Content-Type", CONTENT_TYPE);
      return Answer.stream(
          200,
          headers,
          sink -> {
            Refusal ended = flow.run(sink);
            if (ended != null) {
              sink.write(
                  (MailboxJsonAnswer.refused(RefusedEntry.of(ended.fault())) + "\n")
                      .getBytes(UTF_8));
            }
            return new Headers();
          });
    };
  }

  /** How an envelope is written. */
  public interface Line {
    byte[] of(Envelope envelope);
  }

  /**
   * @param alive written now and then when there is nothing else; empty for a protocol that finds
   *     out a dead peer by itself
   */
  public Flow flow(Caller caller, Fields read, Line written, byte[] alive) throws Refusal {
    ReceiveRequest wanted = receive.wanted(caller, read);
    int credit = (int) read.number("credit", CREDIT_DEFAULT);
    return new Flow(caller, wanted, credit, written, alive);
  }

  /** One stream and what is unacknowledged of it. */
  public final class Flow {
    private final Caller caller;
    private final ReceiveRequest wanted;
    private final int credit;
    private final Line written;
    private final byte[] alive;
    private final Map<Ulid, Receipt> open = new HashMap<>();
    private Instant aliveAt = context.time().now();
    private boolean chargePending;

    Flow(Caller caller, ReceiveRequest wanted, int credit, Line written, byte[] alive) {
      this.caller = caller;
      this.wanted = wanted;
      this.credit = credit;
      this.written = written;
      this.alive = alive;
    }

    /** Returns why it ended early; null after its time. */
    @Nullable public Refusal run(BodySink sink) throws IOException, InterruptedException {
      Instant end = context.time().now().plus(TIME_MAX).minus(ALIVE_EVERY);
      while (context.time().now().isBefore(end) && !context.shards().draining().given()) {
        Refusal ended = caller.ended();
        if (ended != null) {
          return ended;
        }
        forgetSettled();
        Duration pause = open.size() < credit ? rateWait() : CREDIT_LOOK;
        if (pause.isZero()) {
          hand(sink);
        } else {
          rest(pause);
        }
        if (!context.time().now().isBefore(aliveAt.plus(ALIVE_EVERY))) {
          write(sink, alive);
        }
      }
      return null;
    }

    /** How long the last batch keeps the next one waiting; never so long that an end is missed. */
    private Duration rateWait() {
      if (!chargePending) {
        return Duration.ZERO;
      }
      Duration pause = context.rights().pause(caller);
      chargePending = !pause.isZero();
      return pause.compareTo(ROUND_MAX) > 0 ? ROUND_MAX : pause;
    }

    private void hand(BodySink sink) throws IOException, InterruptedException {
      int room = Math.min(MailboxContext.BATCH_MAX, credit - open.size());
      ReceiveRequest some = wanted.upTo(room, wanted.bytesMax());
      // When something is open its end must be noticed, so the wait is short then.
      Duration wait = open.isEmpty() ? ROUND_MAX : CREDIT_LOOK.multipliedBy(5);
      switch (context.shards().receive(some, wait)) {
        case ReceiveResult.Messages(List<Envelope> envelopes) -> {
          chargePending = !envelopes.isEmpty();
          for (Envelope each : envelopes) {
            open.put(each.message().id(), each.receipt());
            write(sink, written.of(each.shownTo(caller.owner())));
          }
        }
        case ReceiveResult.Refused _ ->
            // A full mailbox is no reason to end the stream.
            rest(CREDIT_LOOK.multipliedBy(5));
      }
    }

    /** Shorter if the mailbox begins to drain. */
    private void rest(Duration atMost) throws InterruptedException {
      var _ = context.shards().draining().await(Deadline.in(atMost, context.time()));
    }

    private void write(BodySink sink, byte[] line) throws IOException {
      if (line.length > 0) {
        sink.write(line);
      }
      aliveAt = context.time().now();
    }

    private void forgetSettled() throws Refusal, InterruptedException {
      var shards = new HashSet<Integer>();
      open.keySet().forEach(id -> shards.add(id.shard()));
      for (int shard : shards) {
        Map<Ulid, Receipt> asked = Map.copyOf(open);
        QueryResult<Set<Ulid>> result = context.shards().look(shard, each -> each.settled(asked));
        if (result instanceof QueryResult.Seen<Set<Ulid>>(Set<Ulid> settled)) {
          open.keySet().removeAll(settled);
        }
      }
    }
  }
}
