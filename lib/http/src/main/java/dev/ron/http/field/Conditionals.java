package dev.ron.http.field;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The preconditions of one request, and their order of precedence (RFC 9110 section 13.2.2).
 *
 * <p>A malformed entity tag list is refused: to ignore If-Match would lose an update that the
 * client asked to be protected. A malformed date is ignored, as sections 13.1.3 and 13.1.4 demand,
 * and a malformed If-Range never holds, so the whole representation is sent.
 *
 * <p>Threading: immutable.
 */
public record Conditionals(
    Optional<ETags> ifMatch,
    Optional<HttpDate> ifUnmodifiedSince,
    Optional<ETags> ifNoneMatch,
    Optional<HttpDate> ifModifiedSince,
    Optional<IfRange> ifRange) {
  public static final Conditionals NONE =
      new Conditionals(
          Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  /** What the precondition depends on in a method; only GET has ranges, only these two have 304. */
  public enum Method {
    GET,
    HEAD,
    OTHER;

    public static Method of(String name) {
      return switch (name) {
        case "GET" -> GET;
        case "HEAD" -> HEAD;
        default -> OTHER;
      };
    }
  }

  /** The validator in If-Range. */
  public sealed interface IfRange {
    record Tag(ETag tag) implements IfRange {}

    record Date(HttpDate date) implements IfRange {}

    /** Neither; never holds. */
    record Malformed() implements IfRange {}
  }

  /**
   * What is known of the target now.
   *
   * @param dateIsStrong the representation cannot have changed twice within the second of its date
   *     (RFC 9110 section 8.8.2.2); only then may If-Range rely on the date
   */
  public record Current(
      boolean exists, Optional<ETag> tag, Optional<HttpDate> modified, boolean dateIsStrong) {
    public static final Current ABSENT =
        new Current(false, Optional.empty(), Optional.empty(), false);

    public Current {
      if (!exists && (tag.isPresent() || modified.isPresent())) {
        throw new IllegalArgumentException("what does not exist has no validator");
      }
    }

    public static Current tagged(ETag tag) {
      return new Current(true, Optional.of(tag), Optional.empty(), false);
    }
  }

  public sealed interface Decision {
    /**
     * @param rangeApplies a Range field, if there is one, is to be honoured
     */
    record Proceed(boolean rangeApplies) implements Decision {}

    record NotModified() implements Decision {}

    record PreconditionFailed() implements Decision {}
  }

  /**
   * @param lines the lines of a field by its name; none if it is absent
   */
  public static ParseResult<Conditionals> parse(Function<String, List<String>> lines, Instant now) {
    ParseResult<Optional<ETags>> match = tags(lines.apply("if-match"));
    if (match instanceof ParseResult.Bad<Optional<ETags>>(var why)) {
      return ParseResult.bad("If-Match: " + why);
    }
    ParseResult<Optional<ETags>> noneMatch = tags(lines.apply("if-none-match"));
    if (noneMatch instanceof ParseResult.Bad<Optional<ETags>>(var why)) {
      return ParseResult.bad("If-None-Match: " + why);
    }
    return ParseResult.ok(
        new Conditionals(
            match.asOptional().orElseThrow(),
            date(lines.apply("if-unmodified-since"), now),
            noneMatch.asOptional().orElseThrow(),
            date(lines.apply("if-modified-since"), now),
            range(lines.apply("if-range"), now)));
  }

  public Decision decide(Method method, Current current) {
    if (ifMatch.isPresent()
        ? !matches(ifMatch.get(), current)
        : ifUnmodifiedSince.isPresent() && modifiedAfter(ifUnmodifiedSince.get(), current)) {
      return new Decision.PreconditionFailed();
    }
    boolean reads = method != Method.OTHER;
    if (ifNoneMatch.isPresent()) {
      if (matchesAny(ifNoneMatch.get(), current)) {
        return reads ? new Decision.NotModified() : new Decision.PreconditionFailed();
      }
    } else if (reads && ifModifiedSince.isPresent() && current.modified().isPresent()) {
      if (!modifiedAfter(ifModifiedSince.get(), current)) {
        return new Decision.NotModified();
      }
    }
    return new Decision.Proceed(
        method == Method.GET && ifRange.map(condition -> holds(condition, current)).orElse(true));
  }

  /**
   * Whether a Range field is to be honoured by If-Range alone, for a door that has rules of its own
   * for the other preconditions.
   *
   * @param lines of If-Range; none if it is absent
   */
  public static boolean rangeApplies(List<String> lines, Current current, Instant now) {
    return range(lines, now).map(condition -> holds(condition, current)).orElse(true);
  }

  private static boolean matches(ETags wanted, Current current) {
    return switch (wanted) {
      case ETags.Any _ -> current.exists();
      case ETags.Listed _ -> current.tag().map(wanted::matchesStrongly).orElse(false);
    };
  }

  private static boolean matchesAny(ETags unwanted, Current current) {
    return switch (unwanted) {
      case ETags.Any _ -> current.exists();
      case ETags.Listed _ -> current.tag().map(unwanted::matchesWeakly).orElse(false);
    };
  }

  /** Without a date of its own the target cannot be judged by one. */
  private static boolean modifiedAfter(HttpDate date, Current current) {
    return current.modified().map(modified -> modified.compareTo(date) > 0).orElse(false);
  }

  private static boolean holds(IfRange condition, Current current) {
    return switch (condition) {
      case IfRange.Tag(var tag) -> current.tag().map(tag::matchesStrongly).orElse(false);
      case IfRange.Date(var date) ->
          current.dateIsStrong() && current.modified().map(date::equals).orElse(false);
      case IfRange.Malformed _ -> false;
    };
  }

  private static ParseResult<Optional<ETags>> tags(List<String> lines) {
    return lines.isEmpty()
        ? ParseResult.ok(Optional.empty())
        : ETags.parse(lines).map(Optional::of);
  }

  private static Optional<HttpDate> date(List<String> lines, Instant now) {
    return lines.size() == 1
        ? HttpDate.parse(lines.getFirst(), now).asOptional()
        : Optional.empty();
  }

  private static Optional<IfRange> range(List<String> lines, Instant now) {
    if (lines.isEmpty()) {
      return Optional.empty();
    }
    if (lines.size() == 1) {
      Optional<ETag> tag = ETag.parse(lines.getFirst()).asOptional();
      Optional<HttpDate> date = HttpDate.parse(lines.getFirst(), now).asOptional();
      if (tag.isPresent()) {
        return Optional.of(new IfRange.Tag(tag.get()));
      }
      if (date.isPresent()) {
        return Optional.of(new IfRange.Date(date.get()));
      }
    }
    return Optional.of(new IfRange.Malformed());
  }
}
