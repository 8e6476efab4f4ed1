package dev.ron.edge.core;

import dev.ron.http.Headers;
import dev.ron.http.field.ETag;
import dev.ron.http.field.HttpDate;
import dev.ron.http.field.ParseResult;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An answer that is kept: its head, when it was asked for and came, what chose it, and its bytes.
 *
 * <p>The head has no fields of the connection and always a {@code Date}. The status of a stored
 * range is 200: what is missing is known by its pieces.
 *
 * <p>Threading: immutable.
 *
 * @param id its own, never used twice
 * @param ownTag the address of the bytes, where the origin has no validator of its own; made once,
 *     because every hit tells it
 */
public record StoredResponse(
    long id,
    CacheKey key,
    int status,
    Headers headers,
    Instant requestTime,
    Instant responseTime,
    VaryFields selecting,
    StoredRanges pieces,
    Freshness freshness,
    @Nullable ETag ownTag) {

  public static StoredResponse of(
      long id,
      CacheKey key,
      int status,
      Headers headers,
      Instant requestTime,
      Instant responseTime,
      VaryFields selecting,
      StoredRanges pieces) {
    return new StoredResponse(
        id,
        key,
        status,
        headers,
        requestTime,
        responseTime,
        selecting,
        pieces,
        Freshness.of(status, headers, requestTime, responseTime),
        ownTag(headers, pieces));
  }

  public StoredResponse with(StoredRanges other) {
    return new StoredResponse(
        id,
        key,
        status,
        headers,
        requestTime,
        responseTime,
        selecting,
        other,
        freshness,
        ownTag(headers, other));
  }

  private static @Nullable ETag ownTag(Headers headers, StoredRanges pieces) {
    if (headers.has("ETag") || pieces.pieces().size() != 1) {
      return null;
    }
    StoredRange only = pieces.pieces().getFirst();
    return only.length() == pieces.total() && only.from() == 0
        ? ETag.strong(only.address().toString())
        : null;
  }

  /** The same bytes under a head that was just confirmed. */
  public StoredResponse confirmed(Headers head, Instant asked, Instant came) {
    return of(id, key, status, head, asked, came, selecting, pieces);
  }

  /** The validator, if there is exactly one and it is well formed. */
  public Optional<ETag> tag() {
    return tag(headers);
  }

  static Optional<ETag> tag(Headers head) {
    return head.count("ETag") == 1
        ? Optional.ofNullable(head.first("ETag")).map(ETag::parse).flatMap(ParseResult::asOptional)
        : Optional.empty();
  }

  public Optional<HttpDate> modified() {
    return Freshness.date(headers, "Last-Modified", responseTime).map(HttpDate::new);
  }

  /** Whether the origin can be asked if this is still right. */
  public boolean validatable() {
    return headers.has("ETag") || modified().isPresent();
  }

  /** When the origin made it; the newest of several is used. */
  Instant date() {
    return Freshness.date(headers, "Date", responseTime).orElse(responseTime);
  }

  /** What a bound on bytes counts. */
  public long bytes() {
    long head = 256;
    for (int i = 0; i < headers.size(); i++) {
      head += headers.nameAt(i).length() + headers.valueAt(i).length() + 4L;
    }
    return head + pieces.storedBytes();
  }
}
