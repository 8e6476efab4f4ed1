package dev.ron.rewarder.settle;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.client.MailboxClient;
import dev.ron.rewarder.core.payout.DoubleEntry;
import dev.ron.rewarder.core.payout.Intent;
import dev.ron.usage.CanonicalJson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Intents as ledgers and mailboxes read them.
 *
 * <p>Threading: stateless.
 */
public final class IntentForm {
  private IntentForm() {}

  private static Map<String, Object> one(DoubleEntry.Book run, Intent intent) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("key", intent.key());
    fields.put("epoch", run.epoch());
    fields.put("asset", run.asset());
    fields.put("line", intent.line());
    fields.put("actor", intent.actor());
    fields.put("amount_minor", intent.amount().toString());
    return fields;
  }

  /** {@code {"intents":[...],"run_key":...}}. */
  public static String batch(DoubleEntry.Book run, List<Intent> intents) {
    var all = new ArrayList<Object>();
    intents.forEach(intent -> all.add(one(run, intent)));
    return CanonicalJson.text(Map.of("run_key", run.runKey(), "intents", all));
  }

  /** A batch of messages for a mailbox. */
  static List<MailboxClient.Message> messages(
      String topic, DoubleEntry.Book run, List<Intent> intents) {
    return intents.stream()
        .map(
            intent ->
                MailboxClient.Message.of(
                    topic, intent.key(), CanonicalJson.text(one(run, intent)).getBytes(UTF_8)))
        .toList();
  }
}
