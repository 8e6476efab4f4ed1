package dev.ron.http.server.route;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A route's path: literal segments, {@code {name}} for one segment, {@code {name...}} for the rest.
 *
 * <p>Threading: immutable.
 */
public final class PathPattern {
  /** Every path: the root, doubled slashes and {@code *} too, none of which has segments. */
  static final PathPattern ALL = new PathPattern("/{path...}", _ -> true, true);

  private final String text;
  private final String[] segments;
  private final List<String> names = new ArrayList<>();
  private final boolean rest;

  /** What every path of this pattern begins with; most others are known by it. */
  private final String prefix;

  private final Predicate<List<String>> wanted;
  private final boolean all;

  public PathPattern(String text) {
    this(text, _ -> true);
  }

  /**
   * A path that is this route's only for some values, such as names known at run time; for all
   * others the next route is asked.
   *
   * @param wanted gets the parameters' values, still escaped; on the event loop, so it may not
   *     block
   */
  public PathPattern(String text, Predicate<List<String>> wanted) {
    this(text, wanted, false);
  }

  private PathPattern(String text, Predicate<List<String>> wanted, boolean all) {
    if (!text.startsWith("/")) {
      throw new IllegalArgumentException("path " + text + " does not begin with a slash");
    }
    this.text = text;
    this.wanted = wanted;
    this.all = all;
    this.segments = text.substring(1).split("/", -1);
    for (String segment : segments) {
      if (isParam(segment)) {
        names.add(segment.replaceAll("[{}]|\\.\\.\\.", ""));
      } else if (segment.contains("{") || segment.contains("}")) {
        throw new IllegalArgumentException("path " + text + ": a parameter is a whole segment");
      }
    }
    if (names.stream().distinct().count() != names.size()) {
      throw new IllegalArgumentException("path " + text + " names a parameter twice");
    }
    this.rest = segments[segments.length - 1].endsWith("...}");
    int first = text.indexOf('{');
    this.prefix = first < 0 ? text : text.substring(0, first);
  }

  public boolean isLiteral() {
    return names.isEmpty();
  }

  public List<String> names() {
    return List.copyOf(names);
  }

  public int indexOf(String name) {
    int index = names.indexOf(name);
    if (index < 0) {
      throw new IllegalArgumentException("path " + text + " has no parameter " + name);
    }
    return index;
  }

  /** The parameters' values, still escaped, or null if the path is another. */
  String @Nullable [] match(String path) {
    if (all) {
      return new String[] {path};
    }
    if (!path.startsWith(prefix)) {
      return null;
    }
    var values = new String[names.size()];
    int found = 0;
    int from = 1;
    for (int i = 0; i < segments.length; i++) {
      boolean last = i == segments.length - 1;
      if (from > path.length()) {
        return null;
      }
      int slash = path.indexOf('/', from);
      int to = slash < 0 || (last && rest) ? path.length() : slash;
      if (last && to != path.length()) {
        return null;
      }
      if (isParam(segments[i])) {
        if (to == from) {
          return null;
        }
        values[found++] = path.substring(from, to);
      } else if (segments[i].length() != to - from || !path.startsWith(segments[i], from)) {
        return null;
      }
      from = to + 1;
    }
    return wanted.test(List.of(values)) ? values : null;
  }

  private static boolean isParam(String segment) {
    return segment.startsWith("{") && segment.endsWith("}");
  }

  @Override
  public String toString() {
    return text;
  }
}
