package dev.ron.rewarder.api;

import dev.ron.rewarder.core.Allocation;
import dev.ron.rewarder.core.score.BadLine;
import dev.ron.usage.CanonicalJson;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Allocations as JSON lines and as CSV.
 *
 * <p>Threading: stateless.
 */
public final class AllocationForm {
  public static final String CSV_HEADER = "line,actor,amount_minor,score\n";

  /** What begins a formula, also in full width; and the mark that says it is none. */
  private static final String FORMULA = "=+-@\t\r\n'\uff1d\uff0b\uff0d\uff20";

  private AllocationForm() {}

  public static Map<String, @Nullable Object> fields(Allocation line) {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("actor", line.actor());
    fields.put("amount_minor", line.amount().toString());
    fields.put("score", line.score().toString());
    fields.put("line", line.line());
    return fields;
  }

  public static String json(Allocation line) {
    return CanonicalJson.text(fields(line)) + "\n";
  }

  public static String held(Allocation line) {
    var fields = new LinkedHashMap<String, @Nullable Object>();
    fields.put("actor", line.actor());
    fields.put("held_minor", line.amount().toString());
    fields.put("score", line.score().toString());
    fields.put("reasons", BadLine.codes(line.badLines()));
    return CanonicalJson.text(fields) + "\n";
  }

  public static String csv(Allocation line) {
    return "%d,%s,%s,%s\n".formatted(line.line(), cell(line.actor()), line.amount(), line.score());
  }

  /**
   * Quoted where the form needs it. A name that a spreadsheet would compute gets a {@code '} before
   * it, and so does one that begins with it: a reader that removes one leading {@code '} gets the
   * name.
   */
  private static String cell(String actor) {
    if (FORMULA.indexOf(actor.charAt(0)) >= 0) {
      return "\"'" + actor.replace("\"", "\"\"") + '"';
    }
    boolean plain = actor.indexOf(',') < 0 && actor.indexOf('"') < 0;
    return plain ? actor : '"' + actor.replace("\"", "\"\"") + '"';
  }
}
