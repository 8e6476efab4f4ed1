package dev.ron.http.field;

import java.util.ArrayList;
import java.util.List;

/**
 * The path of a request target in the one form that is matched, logged and forwarded.
 *
 * <p>Two servers that read a path differently are a way around the first one's rules, so there is
 * nothing left to read differently: percent-encoded unreserved characters are decoded, all other
 * percent-encodings stay, with capital digits; dot segments are gone; a run of slashes is one slash
 * (collapsed rather than refused: many clients join two parts with a slash each, and what is
 * forwarded is the collapsed form, so nobody behind us sees another path). Refused are a climb
 * above the root, an encoded slash, backslash or control, what is not UTF-8, a character that may
 * not stand in a path, and dot segments with a parameter ({@code ..;x}), which some servers strip.
 *
 * <p>Threading: immutable.
 *
 * @param text starts with one slash; a slash at the end stays
 * @param segments decoded, in order; the last is empty if the text ends with a slash
 */
public record RequestPath(String text, List<String> segments) {
  /** What became of a path. */
  public sealed interface Outcome {
    record Normalised(RequestPath path) implements Outcome {}

    /** 414. */
    record TooLong(int charsMax) implements Outcome {}

    /** 400. */
    record Refused(String why) implements Outcome {}
  }

  public RequestPath {
    segments = List.copyOf(segments);
    if (!text.startsWith("/") || segments.isEmpty()) {
      throw new IllegalArgumentException("a path starts with a slash");
    }
  }

  /**
   * @param raw the target up to its question mark, as it was sent
   */
  public static Outcome normalise(String raw, int charsMax) {
    if (raw.length() > charsMax) {
      return new Outcome.TooLong(charsMax);
    }
    if (!raw.startsWith("/")) {
      return new Outcome.Refused("a path starts with a slash");
    }
    var encoded = new ArrayList<String>();
    var decoded = new ArrayList<String>();
    int start = 1;
    while (start <= raw.length()) {
      int slash = raw.indexOf('/', start);
      int end = slash < 0 ? raw.length() : slash;
      switch (PathSegment.parse(raw, start, end)) {
        case Parsed.Bad<PathSegment>(var why) -> {
          return new Outcome.Refused(why);
        }
        case Parsed.Ok<PathSegment>(var segment) -> {
          boolean last = end == raw.length();
          if (segment.isParent() && encoded.isEmpty()) {
            return new Outcome.Refused("a path that climbs above its root");
          }
          if (segment.isParent()) {
            encoded.removeLast();
            decoded.removeLast();
          }
          if (!segment.isDot() && !segment.isParent() && !segment.encoded().isEmpty()) {
            encoded.add(segment.encoded());
            decoded.add(segment.decoded());
          } else if (last) {
            encoded.add("");
            decoded.add("");
          }
        }
      }
      start = end + 1;
    }
    return new Outcome.Normalised(new RequestPath("/" + String.join("/", encoded), decoded));
  }

  @Override
  public String toString() {
    return text;
  }
}
