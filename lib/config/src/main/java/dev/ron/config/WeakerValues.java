package dev.ron.config;

import dev.ron.config.value.ValueType;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Which values of a hardened key are weaker than its default, and so need {@code danger_ok = true}.
 *
 * <p>Threading: immutable.
 */
public enum WeakerValues {
  /** A limit: anything above the default protects less. */
  HIGHER("higher is weaker"),
  /** A floor: anything below the default protects less; a choice that comes before it, too. */
  LOWER("lower is weaker"),
  /** A limit where zero means no limit at all. */
  HIGHER_OR_ZERO("higher is weaker, 0 is no limit"),
  /** A guard that is either on or off, or a choice of which only the default is safe. */
  OTHER("any other value is weaker");

  private final String words;

  WeakerValues(String words) {
    this.words = words;
  }

  /** As the reference says it. */
  public String words() {
    return words;
  }

  <T> boolean isWeaker(T value, T fallback, ValueType<T> type) {
    return switch (this) {
      case HIGHER -> order(type).compare(value, fallback) > 0;
      case LOWER -> order(type).compare(value, fallback) < 0;
      case HIGHER_OR_ZERO -> !value.equals(fallback) && isHigherOrZero(value, fallback, type);
      case OTHER -> !value.equals(fallback);
    };
  }

  private <T> boolean isHigherOrZero(T value, T fallback, ValueType<T> type) {
    T zero = type.zero();
    if (zero == null) {
      throw new IllegalStateException("a " + type.name() + " has no zero to be weaker at");
    }
    // A default of zero is no limit: then nothing is weaker than it.
    return !fallback.equals(zero)
        && (value.equals(zero) || order(type).compare(value, fallback) > 0);
  }

  private static <T> Comparator<T> order(ValueType<T> type) {
    @Nullable Comparator<T> order = type.order();
    if (order == null) {
      throw new IllegalStateException("a " + type.name() + " has no order; use Weaker.OTHER");
    }
    return order;
  }
}
