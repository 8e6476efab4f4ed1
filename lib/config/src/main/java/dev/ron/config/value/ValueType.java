package dev.ron.config.value;

import dev.ron.config.NearestWord;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How values of one kind are read and shown. Reading throws {@link IllegalArgumentException} with
 * what the value must be; the key and the place are added by {@code Key}.
 *
 * <p>Threading: immutable.
 *
 * @param plain the value as a string, number, boolean, list or map, from which TOML and JSON are
 *     written
 * @param order for types of which one value can be higher than another
 * @param zero for types of which zero can mean no limit
 */
public record ValueType<T>(
    String name,
    Function<RawValue, T> read,
    Function<T, Object> plain,
    @Nullable Comparator<T> order,
    @Nullable T zero) {

  public static final ValueType<String> TEXT =
      new ValueType<>("text", ValueType::text, t -> t, null, null);
  public static final ValueType<Secret> SECRET =
      new ValueType<>("secret", raw -> new Secret(text(raw)), Secret::masked, null, null);
  public static final ValueType<Boolean> BOOLEAN =
      new ValueType<>("boolean", ValueType::bool, b -> b, null, null);
  public static final ValueType<HostPort> ADDRESS =
      new ValueType<>("address", raw -> HostPort.parse(text(raw)), HostPort::toString, null, null);
  public static final ValueType<Duration> DURATION =
      new ValueType<>(
          "duration",
          raw -> Durations.parse(textWithUnit(raw, "5s")),
          Durations::format,
          Comparator.naturalOrder(),
          Duration.ZERO);
  public static final ValueType<ByteSize> SIZE =
      new ValueType<>(
          "size",
          raw -> ByteSize.parse(textWithUnit(raw, "64KiB")),
          ByteSize::toString,
          Comparator.naturalOrder(),
          ByteSize.ZERO);
  public static final ValueType<ByteRate> RATE =
      new ValueType<>(
          "rate",
          raw -> ByteRate.parse(textWithUnit(raw, "50MiB/s")),
          ByteRate::toString,
          Comparator.naturalOrder(),
          ByteRate.ZERO);

  /** One of the constants of an enum, by its lower-case name; their order is that of the enum. */
  public static <E extends Enum<E>> ValueType<E> choice(E[] values) {
    List<String> names = Stream.of(values).map(ValueType::lowerCase).toList();
    return new ValueType<>(
        String.join(" | ", names),
        raw -> choose(text(raw), values, names),
        ValueType::lowerCase,
        Comparator.<E>naturalOrder(),
        null);
  }

  /** The same type, with values outside {@code min} to {@code max} refused. */
  public ValueType<T> from(T min, T max) {
    Comparator<T> comparator = order;
    if (comparator == null) {
      throw new IllegalStateException("a " + name + " has no order, so no bounds");
    }
    String bounds = plain.apply(min) + " to " + plain.apply(max);
    Function<RawValue, T> bounded =
        raw -> {
          T value = read.apply(raw);
          if (comparator.compare(value, min) < 0 || comparator.compare(value, max) > 0) {
            throw new IllegalArgumentException("must be from " + bounds);
          }
          return value;
        };
    return new ValueType<>(name + ", " + bounds, bounded, plain, order, zero);
  }

  /** Empty text is nothing; anything else is the type. */
  public ValueType<Optional<T>> orNothing() {
    return new ValueType<>(
        name + " or \"\"",
        raw -> raw.value().equals("") ? Optional.empty() : Optional.of(read.apply(raw)),
        value -> value.map(plain).orElse(""),
        null,
        null);
  }

  static String text(RawValue raw) {
    if (raw.value() instanceof String text) {
      return text;
    }
    throw new IllegalArgumentException("must be text in quotes, not " + raw.kind());
  }

  private static String textWithUnit(RawValue raw, String example) {
    if (raw.value() instanceof Number) {
      throw new IllegalArgumentException("needs a unit and quotes, as in \"" + example + '"');
    }
    return text(raw);
  }

  private static boolean bool(RawValue raw) {
    if (raw.value() instanceof Boolean value) {
      return value;
    }
    boolean isWord = raw.value().equals("true") || raw.value().equals("false");
    if (isWord && raw.isText()) {
      return raw.value().equals("true");
    }
    throw new IllegalArgumentException(
        "must be true or false" + (isWord ? ", without quotes" : ""));
  }

  private static <E extends Enum<E>> E choose(String text, E[] values, List<String> names) {
    int index = names.indexOf(text);
    if (index >= 0) {
      return values[index];
    }
    throw new IllegalArgumentException(
        "must be one of "
            + String.join(", ", names)
            + NearestWord.to(text, names).map(near -> "; did you mean " + near + "?").orElse(""));
  }

  private static String lowerCase(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
