package dev.ron.rewarder.settle;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.rewarder.core.CanonicalJson;
import dev.ron.rewarder.core.payout.DoubleEntry;
import dev.ron.rewarder.core.payout.Intent;
import java.util.ArrayList;
import java.util.Base64;
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
  public static String messages(String topic, DoubleEntry.Book run, List<Intent> intents) {
    var all = new ArrayList<Object>();
    for (Intent intent : intents) {
      byte[] payload = CanonicalJson.text(one(run, intent)).getBytes(UTF_8);
      all.add(
          Map.of(
              "topic",
              topic,
              "idem_key",
              intent.key(),
              "payload_b64",
              Base64.getEncoder().encodeToString(payload)));
    }
    return CanonicalJson.text(Map.of("messages", all));
  }
}
