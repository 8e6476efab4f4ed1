package dev.ron.config;

import dev.ron.config.value.Durations;
import dev.ron.config.value.Literal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What must hold between the fields of a config record. A compact constructor states it with the
 * keys and values it is about:
 *
 * <pre>{@code
 * Rule.on("visibility_min", visibilityMin).and("visibility_default", visibilityDefault)
 *     .require(visibilityMin.compareTo(visibilityDefault) <= 0,
 *         "visibility_min must not be longer than visibility_default");
 * }</pre>
 *
 * <p>Threading: immutable.
 */
public final class Rule {
  private record Field(String key, Object value) {
    @Override
    public String toString() {
      return key
          + " = "
          + switch (value) {
            case Duration duration -> Durations.format(duration);
            case String text -> Literal.shown(text);
            default -> Literal.printable(value.toString());
          };
    }
  }

  private final List<Field> fields;

  private Rule(List<Field> fields) {
    this.fields = fields;
  }

  /** A rule about one key, named as the record's section names it. */
  public static Rule on(String key, Object value) {
    return new Rule(List.of(new Field(key, value)));
  }

  /** The same rule, about one key more. */
  public Rule and(String key, Object value) {
    var more = new ArrayList<>(fields);
    more.add(new Field(key, value));
    return new Rule(List.copyOf(more));
  }

  /** Stops the construction if the rule does not hold. */
  public void require(boolean holds, String words) {
    if (!holds) {
      throw new Broken(words, fields);
    }
  }

  /** A rule that does not hold; the message names each key and its value. */
  public static final class Broken extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> keys;

    private Broken(String words, List<Field> fields) {
      super(words + ": " + fields.stream().map(Field::toString).collect(Collectors.joining(", ")));
      this.keys = fields.stream().map(Field::key).toList();
    }

    /** The keys the rule is about. */
    public List<String> keys() {
      return keys;
    }
  }
}
