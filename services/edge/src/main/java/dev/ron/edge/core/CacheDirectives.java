package dev.ron.edge.core;

import dev.ron.http.Headers;
import dev.ron.http.field.BareItem;
import dev.ron.http.field.CacheControl;
import dev.ron.http.field.ParseResult;
import dev.ron.http.field.StructuredField;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What an origin says to this cache: {@code CDN-Cache-Control} where it is there and can be read
 * (RFC 9213), which then stands in the place of {@code Cache-Control} and {@code Expires}.
 *
 * <p>Threading: immutable.
 *
 * @param targeted whether it was said to caches like this one alone
 */
public record CacheDirectives(CacheControl control, boolean targeted) {
  static final String TARGETED = "CDN-Cache-Control";

  private static final Set<String> NUMBERS =
      Set.of("max-age", "s-maxage", "stale-while-revalidate", "stale-if-error");

  public static CacheDirectives of(Headers head) {
    if (head.has(TARGETED)) {
      Optional<CacheControl> targeted = targeted(head.all(TARGETED));
      if (targeted.isPresent()) {
        return new CacheDirectives(targeted.get(), true);
      }
    }
    return new CacheDirectives(
        head.has("Cache-Control")
            ? CacheControl.parse(head.all("Cache-Control"))
            : CacheControl.NONE,
        false);
  }

  /** Empty if it is no dictionary, or one of its numbers is none: then it was never said. */
  private static Optional<CacheControl> targeted(List<String> lines) {
    if (!(StructuredField.parseDictionary(lines)
            instanceof ParseResult.Ok<StructuredField.Dictionary>(var dictionary))
        || dictionary.members().isEmpty()) {
      return Optional.empty();
    }
    var said = new ArrayList<String>();
    for (var entry : dictionary.members().entrySet()) {
      Optional<String> text = directive(entry.getKey(), entry.getValue());
      if (text.isEmpty()) {
        return Optional.empty();
      }
      said.add(text.get());
    }
    said.removeIf(String::isEmpty);
    return Optional.of(CacheControl.parse(said));
  }

  private static Optional<String> directive(String name, StructuredField.Member member) {
    BareItem value = member instanceof StructuredField.Item(BareItem bare, _) ? bare : null;
    if (NUMBERS.contains(name)) {
      return value instanceof BareItem.Int(long seconds) && seconds >= 0
          ? Optional.of(name + "=" + seconds)
          : Optional.empty();
    }
    boolean off = value instanceof BareItem.Bool(boolean on) && !on;
    return Optional.of(off ? "" : name);
  }

  /** The fields a qualified {@code no-cache} or {@code private} names, in lower case. */
  Set<String> fieldsKeptOut() {
    var names = new HashSet<String>();
    for (String directive : List.of("no-cache", "private")) {
      if (control.has(directive) && !control.unqualified(directive)) {
        for (String name : control.argument(directive).orElse("").split(",", -1)) {
          names.add(name.strip().toLowerCase(Locale.ROOT));
        }
      }
    }
    return names;
  }
}
