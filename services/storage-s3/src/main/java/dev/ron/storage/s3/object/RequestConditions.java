package dev.ron.storage.s3.object;

import dev.ron.http.Refusal;
import dev.ron.http.field.Conditionals;
import dev.ron.http.field.ETag;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Resource;
import dev.ron.storage.s3.api.S3Rights;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.WriteCondition;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The conditions of a request.
 *
 * <p>Threading: stateless.
 */
public final class RequestConditions {
  /** Before a tag that a proxy has made weak: what is unchanged by it needs not be sent again. */
  private static final Pattern WEAK = Pattern.compile("(?<=^|,)\\s*W/(?=\")");

  private RequestConditions() {}

  /** Those of a request that stores an object. */
  public static WriteCondition ofWrite(S3Call call) throws Refusal {
    String ifMatch = call.header("If-Match");
    String ifNoneMatch = call.header("If-None-Match");
    if (ifMatch != null && ifNoneMatch != null) {
      throw Refusal.of(
          new S3Fault.NotImplemented("If-Match together with If-None-Match on a write"));
    }
    return askable(call, WriteCondition.matching(ifMatch, ifNoneMatch));
  }

  /** What a condition tells of an object is told to those that may read it. */
  private static WriteCondition askable(S3Call call, WriteCondition condition) throws Refusal {
    if (condition.tells() && !S3Rights.may(call, S3Action.GET, S3Resource.of(call))) {
      throw Refusal.of(
          new S3Fault.AccessDenied("a condition on an object needs the right to read it"));
    }
    return condition;
  }

  /** Those of a delete, which may also expect a size and a time. */
  public static WriteCondition ofDelete(S3Call call) throws Refusal {
    String size = call.header("x-amz-if-match-size");
    String modified = call.header("x-amz-if-match-last-modified-time");
    try {
      return askable(
          call,
          WriteCondition.ofDelete(
              call.header("If-Match"), size, modified == null ? null : time(modified)));
    } catch (NumberFormatException _) {
      throw Refusal.of(new S3Fault.InvalidArgument("x-amz-if-match-size is no number"));
    }
  }

  private static Instant time(String date) throws Refusal {
    return date(date)
        .orElseThrow(() -> Refusal.of(new S3Fault.InvalidArgument("the time is no date")));
  }

  /** Refuses early what would be refused in the end; what holds now may fail then. */
  public static void requireNow(S3Call call, Bucket bucket, WriteCondition condition)
      throws Refusal {
    if (!condition.asks()) {
      return;
    }
    ObjectVersion there = call.view().object(bucket.id(), call.key()).orElse(null);
    switch (condition.of(there)) {
      case HOLDS -> {}
      case ABSENT -> throw Refusal.of(new S3Fault.NoSuchKey(call.key().toString()));
      case FAILS ->
          throw Refusal.of(
              new S3Fault.PreconditionFailed(
                  condition.ifMatch() == null ? "If-None-Match" : "If-Match"));
    }
  }

  /** What a read is answered with instead of the object. */
  public enum ReadVerdict {
    SEND,
    NOT_MODIFIED
  }

  /**
   * @param prefix before the names of the fields: empty, or that of the source of a copy
   */
  public static ReadVerdict ofRead(S3Call call, String prefix, ObjectVersion version)
      throws Refusal {
    Optional<String> match = call.field(prefix + "If-Match");
    Optional<String> noneMatch = call.field(prefix + "If-None-Match");
    Optional<Instant> since =
        call.field(prefix + "If-Modified-Since").flatMap(RequestConditions::date);
    Optional<Instant> unmodified =
        call.field(prefix + "If-Unmodified-Since").flatMap(RequestConditions::date);
    Instant modified = Instant.ofEpochSecond(version.modifiedMillis() / 1000);
    if (match.isPresent() && !anyMatches(match.get(), version)) {
      throw Refusal.of(new S3Fault.PreconditionFailed("If-Match"));
    }
    if (match.isEmpty() && unmodified.isPresent() && modified.isAfter(unmodified.get())) {
      throw Refusal.of(new S3Fault.PreconditionFailed("If-Unmodified-Since"));
    }
    boolean same =
        noneMatch.isPresent()
            ? anyMatches(WEAK.matcher(noneMatch.get()).replaceAll(""), version)
            : since.isPresent() && !modified.isAfter(since.get());
    return same ? ReadVerdict.NOT_MODIFIED : ReadVerdict.SEND;
  }

  /**
   * Whether a range is of the object that the client has a part of already, as If-Range names it
   * (RFC 9110 section 13.1.5). By a date it never is: an object can be replaced twice in a second.
   */
  static boolean rangeApplies(S3Call call, ObjectVersion version) {
    return Conditionals.rangeApplies(
        call.exchange().headers().all("If-Range"),
        Conditionals.Current.tagged(ETag.strong(version.etag().toString())),
        call.context().time().wall());
  }

  private static boolean anyMatches(String tags, ObjectVersion version) {
    for (String tag : tags.split(",", -1)) {
      if (tag.strip().equals("*") || version.etag().isMeantBy(tag)) {
        return true;
      }
    }
    return false;
  }

  /** A date of a field, or of ISO 8601; one that cannot be read counts as none. */
  static Optional<Instant> date(String text) {
    try {
      return Optional.of(
          ZonedDateTime.parse(text.strip(), DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeException _) {
      try {
        return Optional.of(ZonedDateTime.parse(text.strip()).toInstant());
      } catch (DateTimeException _) {
        return Optional.empty();
      }
    }
  }
}
