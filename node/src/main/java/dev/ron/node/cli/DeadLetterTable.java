package dev.ron.node.cli;

import dev.ron.node.profile.TextTable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a mailbox says of its dead letters, for people. */
final class DeadLetterTable {
  private static final List<String> HEAD =
      List.of("MESSAGE", "TOPIC", "REASON", "ATTEMPTS", "DIED", "LAST ERROR");
  private static final int ERROR_CHARS_MAX = 60;
  private static final int PAYLOAD_CHARS_MAX = 4000;

  private DeadLetterTable() {}

  /** The answer of {@code GET /v1/dlq}. */
  static String text(Map<String, @Nullable Object> answer, Instant now, boolean coloured) {
    var rows = new ArrayList<List<String>>();
    if (answer.get("messages") instanceof List<?> letters) {
      for (Object each : letters) {
        if (each instanceof Map<?, ?> letter) {
          String error = word(letter, "last_error");
          rows.add(
              List.of(
                  word(letter, "msg_id"),
                  word(letter, "topic"),
                  word(letter, "reason"),
                  word(letter, "attempts"),
                  died(letter, now),
                  error.length() > ERROR_CHARS_MAX
                      ? error.substring(0, ERROR_CHARS_MAX) + "..."
                      : error));
        }
      }
    }
    return rows.isEmpty() ? "no dead letters" : TextTable.of(HEAD, rows, coloured);
  }

  /** The answer of {@code GET /v1/dlq/{msg_id}}, with its payload. */
  static String one(Map<String, @Nullable Object> letter, Instant now) {
    var lines = new ArrayList<String>();
    for (String name : List.of("msg_id", "topic", "idem_key", "reason", "attempts", "last_error")) {
      lines.add("%-12s %s".formatted(name.replace('_', ' '), TextTable.plain(word(letter, name))));
    }
    lines.add("%-12s %s".formatted("died", died(letter, now)));
    byte[] payload = Base64.getDecoder().decode(word(letter, "payload_b64"));
    lines.add("%-12s %s".formatted("payload", TextTable.payload(payload, PAYLOAD_CHARS_MAX)));
    return String.join("\n", lines);
  }

  /** The answer of {@code POST /v1/dlq/reprocess}. */
  static String reprocessed(Map<String, @Nullable Object> answer) {
    String ready = word(answer, "count") + " dead letters are ready again";
    return answer.get("left") instanceof Number left
        ? "%s; %d stay: %s".formatted(ready, left.longValue(), word(answer, "why"))
        : ready;
  }

  private static String died(Map<?, ?> letter, Instant now) {
    return letter.get("died") instanceof Number at
        ? TextTable.ago(Duration.between(Instant.ofEpochMilli(at.longValue()), now)) + " ago"
        : "";
  }

  private static String word(Map<?, ?> from, String name) {
    Object value = from.get(name);
    return value == null ? "" : value.toString();
  }
}
