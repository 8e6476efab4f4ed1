package dev.ron.rewarder.settle;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.client.ServiceClient;
import dev.ron.client.ServiceRefusal;
import dev.ron.http.CorrelationId;
import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.json.Field;
import dev.ron.http.json.Fields;
import dev.ron.http.json.Form;
import dev.ron.rewarder.RewarderFault;
import dev.ron.rewarder.core.payout.DoubleEntry;
import dev.ron.rewarder.core.payout.Intent;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * A ledger over HTTP: one {@code POST} for a batch, with an {@code Idempotency-Key}.
 *
 * <p>The ledger answers 200 with {@code accepted} and {@code duplicates}, which together are the
 * batch, or 409 if it has all of them. Any other 4xx, except 408 and 429, is a refusal for good.
 *
 * <p>Threading: thread-safe, as the client is.
 *
 * @param limit a ledger that takes longer has failed
 */
public record HttpSink(ServiceClient service, Duration limit) implements LedgerSink {
  private static final int BATCH_MAX = 100;
  private static final Form ANSWER =
      Form.of(
              RewarderFault.Schema::new,
              Field.number("accepted", 0, BATCH_MAX),
              Field.number("duplicates", 0, BATCH_MAX))
          .open();

  @Override
  public Taken send(DoubleEntry.Book run, List<Intent> intents)
      throws IOException, InterruptedException {
    Headers paid = Headers.of(CorrelationId.HEADER, run.runKey());
    Headers own =
        Headers.of(
            "Content-Type",
            "application/json",
            "Idempotency-Key",
            intents.getFirst().key() + "-" + intents.getLast().line());
    byte[] body = IntentForm.batch(run, intents).getBytes(UTF_8);
    try {
      byte[] said = service.onBehalfOf(paid).bytes("POST", "", own, body, limit);
      return counted(said, intents.size());
    } catch (ServiceRefusal refused) {
      return switch (refused.status()) {
        case 409 -> new Taken.Accepted(0, intents.size());
        case 408, 429 -> throw new IOException("the ledger is busy", refused);
        default -> {
          if (refused.status() / 100 == 4) {
            yield new Taken.Refused("the ledger answered " + refused.status());
          }
          throw new IOException("the ledger answered " + refused.status(), refused);
        }
      };
    }
  }

  private static Taken counted(byte[] said, int sent) throws IOException {
    try {
      Fields fields = ANSWER.read(said);
      int accepted = (int) fields.number("accepted");
      int duplicates = (int) fields.number("duplicates");
      if (accepted + duplicates == sent) {
        return new Taken.Accepted(accepted, duplicates);
      }
      throw new IOException(
          "the ledger counted %d and %d of %d".formatted(accepted, duplicates, sent));
    } catch (Refusal malformed) {
      throw new IOException("the ledger's answer: " + malformed.fault().detail(), malformed);
    }
  }

  @Override
  public int batchMax() {
    return BATCH_MAX;
  }
}
