package dev.ron.rewarder.settle;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.CorrelationId;
import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.client.ClientAnswer;
import dev.ron.http.client.ClientRequest;
import dev.ron.http.client.HttpClient;
import dev.ron.http.json.Field;
import dev.ron.http.json.Fields;
import dev.ron.http.json.Form;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Time;
import dev.ron.rewarder.RewarderFault;
import dev.ron.rewarder.core.payout.DoubleEntry;
import dev.ron.rewarder.core.payout.Intent;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * A topic of a mailbox: each intent is a message whose {@code idem_key} is the intent's.
 *
 * <p>The mailbox knows a key for some minutes only; the consumer of the topic must remember them
 * for good.
 *
 * <p>Threading: thread-safe, as the client is.
 *
 * @param capability asked for each batch; empty for none
 * @param limit a mailbox that takes longer has failed
 */
public record MailboxSink(
    HttpClient client,
    URI url,
    String topic,
    Supplier<String> capability,
    Duration limit,
    Time time)
    implements LedgerSink {
  /** What the mailbox takes at a time. */
  private static final int BATCH_MAX = 100;

  private static final int ANSWER_BYTES_MAX = 256 << 10;
  private static final Form RESULT =
      Form.of(
              RewarderFault.Schema::new,
              Field.text("msg_id").nullable(),
              Field.text("code").nullable(),
              Field.flag("duplicate").nullable())
          .open();
  private static final Form ANSWER =
      Form.of(RewarderFault.Schema::new, Field.objects("results", RESULT, BATCH_MAX).nullable())
          .open();

  @Override
  public Taken send(DoubleEntry.Book run, List<Intent> intents)
      throws IOException, InterruptedException {
    var headers = new Headers().add("Content-Type", "application/json");
    headers.add(CorrelationId.HEADER, run.runKey());
    headers.add("Request-Timeout", limit.toMillis() + "ms");
    String shown = capability.get();
    if (!shown.isEmpty()) {
      headers.add("Authorization", "Bearer " + shown);
    }
    byte[] body = IntentForm.messages(topic, run, intents).getBytes(UTF_8);
    URI batch = url.resolve("/v1/send/batch");
    try (ClientAnswer answer =
        client.send(ClientRequest.of("POST", batch, headers, body), Deadline.in(limit, time))) {
      byte[] said = answer.collect(ANSWER_BYTES_MAX);
      return switch (answer.status()) {
        case 200 -> counted(said, intents.size());
        case 400, 401, 403, 404 -> new Taken.Refused("the mailbox answered " + answer.status());
        default -> throw new IOException("the mailbox answered " + answer.status());
      };
    }
  }

  /** Each result is a message id, or a refusal that may pass: then all are sent again. */
  private static Taken counted(byte[] said, int sent) throws IOException {
    try {
      List<Fields> results = ANSWER.read(said).objects("results");
      int duplicates = 0;
      for (Fields each : results) {
        if (!each.has("msg_id")) {
          throw new IOException("the mailbox refused a message: " + each.textOrNull("code"));
        }
        duplicates += each.flag("duplicate") ? 1 : 0;
      }
      if (results.size() != sent) {
        throw new IOException("the mailbox answered %d of %d".formatted(results.size(), sent));
      }
      return new Taken.Accepted(sent - duplicates, duplicates);
    } catch (Refusal malformed) {
      throw new IOException("the mailbox's answer: " + malformed.fault().detail(), malformed);
    }
  }

  @Override
  public int batchMax() {
    return BATCH_MAX;
  }
}
