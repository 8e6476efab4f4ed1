package dev.ron.capability.caveat;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads the language that {@link Caveat} defines.
 *
 * <p>A record's constructor is the only judge of a value, and rendering is the only judge of a
 * spelling: what does not come back as it was written is not in the language.
 *
 * <p>Threading: immutable.
 */
final class CaveatGrammar {
  private static final String EQUALS = " = ";
  private static final int NAMES_MAX = 32;
  private static final int NAME_CHARS_MAX = 64;
  private static final int DIGITS_MAX = 18;
  private static final long NUMBER_MAX = 999_999_999_999_999_999L;

  private CaveatGrammar() {}

  static Caveat parse(String text) {
    Caveat caveat = read(text);
    return caveat == null ? new Caveat.Unknown(text) : caveat;
  }

  static boolean known(String text) {
    return read(text) != null;
  }

  private static @Nullable Caveat read(String text) {
    int equals = text.indexOf(EQUALS);
    if (equals < 0) {
      return null;
    }
    String value = text.substring(equals + EQUALS.length());
    try {
      return switch (text.substring(0, equals)) {
        case "service" -> new Caveat.Service(list(value));
        case "op" -> new Caveat.Operation(list(value));
        case "pack" -> new Caveat.Pack(list(value));
        case "tenant" -> spelled(new Caveat.Tenant(value), text);
        case "prefix" -> spelled(new Caveat.Prefix(value), text);
        case "expires" -> spelled(new Caveat.Expiry(Instant.parse(value)), text);
        case "rate" -> spelled(new Caveat.Rate(number(before(value, "/s"))), text);
        case "bytes" -> spelled(new Caveat.Bytes(number(value)), text);
        case "zoom" -> spelled(zoom(value), text);
        case "bbox" -> spelled(new Caveat.BoundingBox(Box.parse(value)), text);
        case "bucket" -> new Caveat.Bucket(list(value));
        case "key" -> new Caveat.Key(new KeyPrefix(value));
        default -> null;
      };
    } catch (IllegalArgumentException | DateTimeException _) {
      return null;
    }
  }

  private static @Nullable Caveat spelled(Caveat caveat, String text) {
    return caveat.text().equals(text) ? caveat : null;
  }

  private static Caveat zoom(String value) {
    int dash = value.indexOf('-');
    if (dash < 0) {
      throw new IllegalArgumentException("no dash");
    }
    return new Caveat.Zoom(
        Integer.parseInt(value.substring(0, dash)), Integer.parseInt(value.substring(dash + 1)));
  }

  private static String before(String value, String ending) {
    if (!value.endsWith(ending)) {
      throw new IllegalArgumentException("no " + ending);
    }
    return value.substring(0, value.length() - ending.length());
  }

  private static long number(String digits) {
    if (digits.length() > DIGITS_MAX) {
      throw new IllegalArgumentException("too many digits");
    }
    return Long.parseLong(digits);
  }

  private static Set<String> list(String value) {
    List<String> names = List.of(value.split(",", NAMES_MAX + 1));
    Set<String> set = names(names);
    if (set.size() != names.size()) {
      throw new IllegalArgumentException("a name twice");
    }
    return set;
  }

  /** An unmodifiable copy in ascending order, which is the order it is written in. */
  static Set<String> names(Collection<String> names) {
    if (names.isEmpty() || names.size() > NAMES_MAX) {
      throw new IllegalArgumentException("1 to 32 names, not " + names.size());
    }
    names.forEach(CaveatGrammar::requireName);
    return Collections.unmodifiableSet(new TreeSet<>(names));
  }

  static void requireName(String name) {
    if (name.isEmpty() || name.length() > NAME_CHARS_MAX) {
      throw new IllegalArgumentException("a name has 1 to 64 characters");
    }
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (!alphanumeric(c) && (i == 0 || "._:-".indexOf(c) < 0)) {
        throw new IllegalArgumentException("a name is A-Z a-z 0-9 and inside also . _ : -");
      }
    }
  }

  static void requireNumber(long number, long min) {
    if (number < min || number > NUMBER_MAX) {
      throw new IllegalArgumentException("%d is not in %d..10^18-1".formatted(number, min));
    }
  }

  static boolean alphanumeric(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }
}
