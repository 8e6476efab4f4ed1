package dev.ron.http.field;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The directives of a Cache-Control field (RFC 9111 section 5.2).
 *
 * <p>Reading never fails, because half the web sends something odd, and every doubt is resolved
 * against the cache: a lifetime that is repeated differently or is no number is zero, and a field
 * beyond the caps reads as {@code no-store}.
 *
 * <p>Threading: immutable.
 */
public final class CacheControl {
  static final int DIRECTIVES_MAX = 64;
  static final int CHARS_MAX = 8192;

  /** About 68 years: RFC 9111 section 1.2.2 lets a cache stop counting here. */
  static final long SECONDS_MAX = 1L << 31;

  public static final CacheControl NONE = new CacheControl(Map.of());
  private static final CacheControl NO_STORE = new CacheControl(Map.of("no-store", List.of("")));

  private final Map<String, List<String>> arguments;

  private CacheControl(Map<String, List<String>> arguments) {
    this.arguments = arguments;
  }

  public static CacheControl parse(List<String> lines) {
    String text = String.join(",", lines);
    if (text.length() > CHARS_MAX) {
      return NO_STORE;
    }
    var cursor = new FieldCursor(text);
    var found = new HashMap<String, List<String>>();
    int read = 0;
    while (!cursor.atEnd()) {
      cursor.skipBlanks();
      String name = cursor.token().toLowerCase(Locale.ROOT);
      String argument = argument(cursor);
      if (!name.isEmpty()) {
        if (++read > DIRECTIVES_MAX) {
          return NO_STORE;
        }
        found.merge(name, List.of(argument), CacheControl::both);
      }
      cursor.skipElement();
      cursor.take(',');
    }
    return new CacheControl(Map.copyOf(found));
  }

  /** What cannot be read becomes an argument that is no number and no list of names. */
  private static String argument(FieldCursor cursor) {
    cursor.skipBlanks();
    if (!cursor.take('=')) {
      return cursor.atEnd() || cursor.peek() == ',' ? "" : "?";
    }
    cursor.skipBlanks();
    @Nullable String value = cursor.peek() == '"' ? cursor.quoted() : cursor.token();
    cursor.skipBlanks();
    boolean ends = cursor.atEnd() || cursor.peek() == ',';
    return value == null || value.isEmpty() || !ends ? "?" : value;
  }

  private static List<String> both(List<String> earlier, List<String> later) {
    var joined = new ArrayList<>(earlier);
    joined.addAll(later);
    return List.copyOf(joined);
  }

  /** Present in any form, also {@code no-cache="set-cookie"}. */
  public boolean has(String directive) {
    return arguments.containsKey(directive);
  }

  /** Present without names of fields, so it means the whole answer. */
  public boolean unqualified(String directive) {
    return arguments.getOrDefault(directive, List.of()).stream()
        .anyMatch(argument -> argument.isEmpty() || argument.equals("?"));
  }

  /** The first argument; empty if the directive is absent or has none. */
  public Optional<String> argument(String directive) {
    return arguments.getOrDefault(directive, List.of()).stream()
        .findFirst()
        .filter(argument -> !argument.isEmpty() && !argument.equals("?"));
  }

  /** Empty if absent; zero if it was sent in a form that a cache should not rely on. */
  public OptionalLong seconds(String directive) {
    List<String> values = arguments.getOrDefault(directive, List.of());
    if (values.isEmpty()) {
      return OptionalLong.empty();
    }
    boolean agreed = values.stream().distinct().count() == 1;
    return OptionalLong.of(agreed ? delta(values.getFirst()) : 0);
  }

  public boolean noStore() {
    return has("no-store");
  }

  public OptionalLong maxAgeSeconds() {
    return seconds("max-age");
  }

  /** What a shared cache goes by: {@code s-maxage}, else {@code max-age}. */
  public OptionalLong sharedMaxAgeSeconds() {
    return has("s-maxage") ? seconds("s-maxage") : maxAgeSeconds();
  }

  private static long delta(String digits) {
    if (digits.isEmpty() || !digits.chars().allMatch(c -> FieldCursor.isDigit((char) c))) {
      return 0;
    }
    return digits.length() > 10 ? SECONDS_MAX : Math.min(SECONDS_MAX, Long.parseLong(digits));
  }
}
