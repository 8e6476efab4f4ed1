package dev.ron.usage;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.blake3.Blake3;
import dev.ron.http.json.JsonTree;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A span as a file: one line about it, with a check over all of it, and its accounting behind.
 * Files of older builds have no check.
 *
 * <p>Threading: stateless.
 */
final class SpanFile {
  private static final String CHECK = "check";
  private static final Set<String> FIELDS = Set.of("number", "from", "to");

  private SpanFile() {}

  static byte[] write(UsageSpan span) {
    var head = new TreeMap<String, @Nullable Object>();
    head.put("number", span.number());
    head.put("from", span.from().toString());
    head.put("to", span.to().toString());
    byte[] lines = AccountingLines.write(span.units());
    head.put(CHECK, check(head, lines));
    return joined(head, lines);
  }

  private static byte[] joined(Map<String, @Nullable Object> head, byte[] lines) {
    byte[] first = (CanonicalJson.text(head) + "\n").getBytes(UTF_8);
    byte[] whole = Arrays.copyOf(first, first.length + lines.length);
    System.arraycopy(lines, 0, whole, first.length, lines.length);
    return whole;
  }

  /** Over the whole file without the check. */
  private static String check(Map<String, @Nullable Object> head, byte[] lines) {
    return Blake3.hash(joined(head, lines)).hex();
  }

  static UsageSpan read(long number, byte[] whole) throws DamagedFileException {
    int end = 0;
    while (end < whole.length && whole[end] != '\n') {
      end++;
    }
    byte[] lines = Arrays.copyOfRange(whole, Math.min(end + 1, whole.length), whole.length);
    try {
      var head = new TreeMap<String, @Nullable Object>(JsonTree.object(Arrays.copyOf(whole, end)));
      Object check = head.remove(CHECK);
      if (!head.keySet().equals(FIELDS)) {
        throw new DamagedFileException("its first line is none of a span");
      }
      if (!Long.valueOf(number).equals(head.get("number"))) {
        throw new DamagedFileException("it holds another span");
      }
      if (check != null && !check.equals(check(head, lines))) {
        throw new DamagedFileException("its check does not fit");
      }
      return new UsageSpan(
          number,
          Instant.parse(String.valueOf(head.get("from"))),
          Instant.parse(String.valueOf(head.get("to"))),
          AccountingLines.read(lines));
    } catch (DamagedFileException known) {
      throw known;
    } catch (IOException | DateTimeException | IllegalArgumentException wrong) {
      throw new DamagedFileException("it cannot be read: " + wrong.getMessage());
    }
  }
}
