package dev.ron.http.field;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The pairs behind the question mark, decoded, in order.
 *
 * <p>{@code +} is a space, as forms send it. A percent sign without two digits, text that is not
 * UTF-8, and a control character are refused. A name may come more than once; {@link #only} is for
 * those who would otherwise silently prefer one of two.
 *
 * <p>Threading: immutable.
 */
public record QueryString(List<Pair> pairs) {
  public static final int CHARS_MAX = 8192;
  public static final int PAIRS_MAX = 256;
  public static final QueryString EMPTY = new QueryString(List.of());

  /** {@code name=value}; a name alone has an empty value. */
  public record Pair(String name, String value) {}

  public QueryString {
    pairs = List.copyOf(pairs);
  }

  /**
   * @param raw what stands behind the question mark, as it was sent
   */
  public static Parsed<QueryString> parse(String raw) {
    if (raw.length() > CHARS_MAX) {
      return Parsed.bad("a query longer than " + CHARS_MAX + " characters");
    }
    var pairs = new ArrayList<Pair>();
    int start = 0;
    while (start < raw.length()) {
      int ampersand = raw.indexOf('&', start);
      int end = ampersand < 0 ? raw.length() : ampersand;
      int equals = raw.indexOf('=', start);
      int nameEnd = equals < 0 || equals > end ? end : equals;
      if (end > start) {
        String name = decoded(raw, start, nameEnd);
        String value = decoded(raw, Math.min(nameEnd + 1, end), end);
        if (name == null || value == null) {
          return Parsed.bad("a query that is not percent-encoded UTF-8 without controls");
        }
        if (pairs.size() == PAIRS_MAX) {
          return Parsed.bad("a query with more than " + PAIRS_MAX + " pairs");
        }
        pairs.add(new Pair(name, value));
      }
      start = end + 1;
    }
    return Parsed.ok(new QueryString(pairs));
  }

  public List<String> all(String name) {
    return pairs.stream().filter(pair -> pair.name().equals(name)).map(Pair::value).toList();
  }

  /** The one value of a name; empty text is a value. Bad if there are several. */
  public Parsed<Optional<String>> only(String name) {
    List<String> values = all(name);
    return values.size() > 1
        ? Parsed.bad("a query names one thing twice")
        : Parsed.ok(values.stream().findFirst());
  }

  private static @Nullable String decoded(String raw, int from, int to) {
    var octets = new Utf8();
    for (int i = from; i < to; i++) {
      char c = raw.charAt(i);
      int octet = c == '+' ? ' ' : c;
      if (c == '%') {
        octet = i + 2 < to ? Hex.either(raw.charAt(i + 1), raw.charAt(i + 2)) : -1;
        i += 2;
      } else if (c <= ' ' || c > '~' || c == '#') {
        return null;
      }
      if (octet < 0x20 || octet == 0x7f) {
        return null;
      }
      octets.add(octet);
    }
    return octets.text();
  }
}
