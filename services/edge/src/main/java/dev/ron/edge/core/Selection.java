package dev.ron.edge.core;

import dev.ron.http.Headers;
import dev.ron.http.field.ByteRange;
import dev.ron.http.field.Conditionals;
import dev.ron.http.field.HttpDate;
import dev.ron.http.field.Ranges;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Which part of a stored answer a request wants: all, ranges, or only to know that nothing changed
 * (RFC 9110 sections 13 and 14, RFC 9111 section 4.3.2).
 *
 * <p>Conditions that are malformed are as if they were not there: they can only save a transfer.
 *
 * <p>Threading: immutable.
 */
public sealed interface Selection {
  record Whole() implements Selection {}

  record NotModified() implements Selection {}

  record Part(ByteRange range) implements Selection {}

  record Parts(List<ByteRange> ranges) implements Selection {
    public Parts {
      ranges = List.copyOf(ranges);
    }
  }

  record Unsatisfiable(long total) implements Selection {}

  static Selection of(CacheRequest request, StoredResponse stored, Instant now) {
    if (stored.status() != 200) {
      return new Whole();
    }
    if (!isConditional(request)) { // nearly always, and then nothing of the stored head is read
      return request.hasRange() ? ranges(request, stored) : new Whole();
    }
    Conditionals conditionals =
        Conditionals.parse(request.headers()::all, now).asOptional().orElse(Conditionals.NONE);
    return switch (conditionals.decide(Conditionals.Method.of(request.method()), current(stored))) {
      case Conditionals.Decision.NotModified _ -> new NotModified();
      case Conditionals.Decision.PreconditionFailed _ -> new Whole();
      case Conditionals.Decision.Proceed(boolean rangeApplies) ->
          rangeApplies && request.hasRange() ? ranges(request, stored) : new Whole();
    };
  }

  private static boolean isConditional(CacheRequest request) {
    Headers head = request.headers();
    return head.has("If-None-Match")
        || head.has("If-Modified-Since")
        || head.has("If-Range")
        || head.has("If-Match")
        || head.has("If-Unmodified-Since");
  }

  private static Selection ranges(CacheRequest request, StoredResponse stored) {
    return switch (Ranges.select(request.headers().all("Range"), stored.pieces().total())) {
      case Ranges.Whole _, Ranges.Ignored _ -> new Whole();
      case Ranges.Single(ByteRange range) -> new Part(range);
      case Ranges.Several(List<ByteRange> ranges) -> new Parts(ranges);
      case Ranges.Unsatisfiable(long total) -> new Unsatisfiable(total);
    };
  }

  /** What has no date of its own was not changed after it was made (section 4.3.2). */
  private static Conditionals.Current current(StoredResponse stored) {
    Optional<HttpDate> modified = stored.modified();
    // A second after the change nothing else can have happened in the second of the change.
    boolean strong =
        modified
            .filter(
                date ->
                    Duration.between(date.instant(), stored.date()).compareTo(Duration.ofSeconds(1))
                        >= 0)
            .isPresent();
    return new Conditionals.Current(
        true,
        stored.tag().or(() -> Optional.ofNullable(stored.ownTag())),
        modified.or(() -> Optional.of(new HttpDate(stored.date()))),
        strong);
  }
}
