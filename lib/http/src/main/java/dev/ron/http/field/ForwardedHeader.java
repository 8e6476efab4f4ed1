package dev.ron.http.field;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * The proxies a request passed, nearest the client first (RFC 7239).
 *
 * <p>Reading is strict and all or nothing: a hop that cannot be read would shift the ones behind
 * it, and their order is the whole point. Nothing in here is to be trusted unless the peer that
 * sent it is.
 *
 * <p>Threading: immutable.
 */
public record ForwardedHeader(List<Hop> hops) {
  static final int HOPS_MAX = 32;
  static final int PAIRS_MAX = 16;
  static final int CHARS_MAX = 4096;

  public ForwardedHeader {
    hops = List.copyOf(hops);
  }

  /** What one proxy reports; the names are in lower case. */
  public record Hop(SequencedMap<String, String> pairs) {
    public Hop {
      pairs = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(pairs));
      if (pairs.isEmpty()) {
        throw new IllegalArgumentException("a hop says at least one thing");
      }
      pairs.forEach(ForwardedHeader::requirePair);
    }

    public static Hop of(Map<String, String> pairs) {
      return new Hop(new LinkedHashMap<>(pairs));
    }

    /** Who asked this proxy: an {@link ForwardedNode}, if {@code for} is there and is one. */
    public Optional<ForwardedNode> client() {
      return value("for").flatMap(text -> ForwardedNode.parse(text).asOptional());
    }

    public Optional<String> value(String name) {
      return Optional.ofNullable(pairs.get(name));
    }

    @Override
    public String toString() {
      var text = new StringBuilder();
      pairs.forEach(
          (name, value) -> {
            text.append(text.isEmpty() ? "" : ";").append(name).append('=');
            text.append(FieldCursor.isToken(value) ? value : quoted(value));
          });
      return text.toString();
    }
  }

  public static ParseResult<ForwardedHeader> parse(List<String> lines) {
    String text = String.join(",", lines);
    if (text.length() > CHARS_MAX) {
      return ParseResult.bad("longer than " + CHARS_MAX + " characters");
    }
    var cursor = new FieldCursor(text);
    var hops = new ArrayList<Hop>();
    do {
      cursor.skipBlanks();
      if (!cursor.atEnd() && cursor.peek() != ',') {
        Hop hop = hop(cursor);
        if (hop == null || hops.size() == HOPS_MAX) {
          return ParseResult.bad("not a list of at most " + HOPS_MAX + " hops");
        }
        hops.add(hop);
      }
    } while (cursor.take(','));
    return cursor.atEnd() && !hops.isEmpty()
        ? ParseResult.ok(new ForwardedHeader(hops))
        : ParseResult.bad("not a list of hops");
  }

  private static @Nullable Hop hop(FieldCursor cursor) {
    var pairs = new LinkedHashMap<String, String>();
    do {
      if (cursor.peek() == ';' || cursor.peek() == ',' || cursor.atEnd()) {
        continue;
      }
      String name = cursor.token().toLowerCase(Locale.ROOT);
      if (name.isEmpty() || !cursor.take('=')) {
        return null;
      }
      @Nullable String value = cursor.peek() == '"' ? cursor.quoted() : cursor.token();
      if (value == null || value.isEmpty() || pairs.put(name, value) != null) {
        return null;
      }
      if (pairs.size() > PAIRS_MAX) {
        return null;
      }
    } while (cursor.take(';'));
    cursor.skipBlanks();
    boolean ends = cursor.atEnd() || cursor.peek() == ',';
    return ends && !pairs.isEmpty() ? new Hop(pairs) : null;
  }

  @Override
  public String toString() {
    return String.join(", ", hops.stream().map(Hop::toString).toList());
  }

  private static String quoted(String value) {
    return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static void requirePair(String name, String value) {
    boolean lower = name.equals(name.toLowerCase(Locale.ROOT));
    boolean plain =
        value
            .chars()
            .allMatch(c -> (c >= ' ' && c <= '~') || (c >= 0x80 && c <= 0xff) || c == '\t');
    if (!FieldCursor.isToken(name) || !lower || value.isEmpty() || !plain) {
      throw new IllegalArgumentException("not a pair of Forwarded: " + name);
    }
  }
}
