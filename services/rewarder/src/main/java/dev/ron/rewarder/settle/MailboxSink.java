package dev.ron.rewarder.settle;

import dev.ron.client.MailboxClient;
import dev.ron.client.MailboxClient.Sent;
import dev.ron.client.ServiceClient;
import dev.ron.client.ServiceRefusal;
import dev.ron.http.CorrelationId;
import dev.ron.http.Headers;
import dev.ron.rewarder.core.payout.DoubleEntry;
import dev.ron.rewarder.core.payout.Intent;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * A topic of a mailbox: each intent is a message whose {@code idem_key} is the intent's.
 *
 * <p>The mailbox knows a key for some minutes only; the consumer of the topic must remember them
 * for good.
 *
 * <p>Threading: thread-safe, as the client is.
 *
 * @param limit a mailbox that takes longer has failed
 */
public record MailboxSink(ServiceClient service, String topic, Duration limit)
    implements LedgerSink {
  @Override
  public Taken send(DoubleEntry.Book run, List<Intent> intents)
      throws IOException, InterruptedException {
    Headers paid = Headers.of(CorrelationId.HEADER, run.runKey());
    var mailbox = new MailboxClient(service.onBehalfOf(paid));
    try {
      List<Sent> sent = mailbox.sendAll(IntentForm.messages(topic, run, intents), limit);
      int duplicates = (int) sent.stream().filter(Sent::duplicate).count();
      return new Taken.Accepted(sent.size() - duplicates, duplicates);
    } catch (ServiceRefusal refused) {
      return switch (refused.status()) {
        case 400, 401, 403, 404 -> new Taken.Refused("the mailbox answered " + refused.status());
        default -> throw new IOException("the mailbox answered " + refused.status(), refused);
      };
    }
  }

  @Override
  public int batchMax() {
    return MailboxClient.BATCH_MAX;
  }
}
