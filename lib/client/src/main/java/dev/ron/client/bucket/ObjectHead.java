package dev.ron.client.bucket;

import dev.ron.checksum.ChecksumAlgorithm;
import dev.ron.checksum.ChecksumValue;
import dev.ron.http.Headers;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a server says of an object beside its bytes.
 *
 * <p>Threading: immutable; the fields are not changed after it is made.
 *
 * @param size of the whole object, also where a range of it was asked for
 * @param etag without its quotes
 * @param kept the fields that belong to the object and go with a copy
 * @param checksum over all of its bytes; empty where the server has none or one over its parts
 * @param keyed the entity tag is no hash of the bytes, because a key of the client's or of a key
 *     service encrypts them
 */
public record ObjectHead(
    long size,
    String etag,
    Instant modified,
    Headers kept,
    Optional<ChecksumValue> checksum,
    boolean keyed,
    int tagCount) {
  private static final List<String> OWN =
      List.of(
          "content-type",
          "cache-control",
          "content-disposition",
          "content-encoding",
          "content-language",
          "expires");

  private static final String META = "x-amz-meta-";

  static ObjectHead of(Headers headers) throws IOException {
    return new ObjectHead(
        size(headers),
        unquoted(headers.first("ETag")),
        modified(headers.first("Last-Modified")),
        kept(headers),
        checksum(headers),
        headers.has("x-amz-server-side-encryption-customer-algorithm")
            || String.valueOf(headers.first("x-amz-server-side-encryption")).startsWith("aws:kms"),
        (int) number(headers.first("x-amz-tagging-count"), 0));
  }

  /** An entity tag as listings and answers have it, without its quotes. */
  static String unquoted(@Nullable String etag) {
    return etag == null ? "" : etag.replace("\"", "").strip();
  }

  private static long size(Headers headers) throws IOException {
    String range = headers.first("Content-Range");
    String text =
        range == null ? headers.first("Content-Length") : range.substring(range.indexOf('/') + 1);
    long size = number(text, -1);
    if (size < 0) {
      throw new IOException("the server does not say how long the object is");
    }
    return size;
  }

  private static long number(@Nullable String text, long otherwise) {
    try {
      return text == null ? otherwise : Long.parseLong(text.strip());
    } catch (NumberFormatException _) {
      return otherwise;
    }
  }

  private static Instant modified(@Nullable String text) {
    try {
      return text == null
          ? Instant.EPOCH
          : ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
    } catch (DateTimeException _) {
      return Instant.EPOCH;
    }
  }

  private static Headers kept(Headers headers) {
    var kept = new Headers();
    headers.forEach(
        (name, value) -> {
          String lower = name.toLowerCase(Locale.ROOT);
          if (OWN.contains(lower) || lower.startsWith(META)) {
            kept.add(lower, value);
          }
        });
    return kept;
  }

  private static Optional<ChecksumValue> checksum(Headers headers) {
    if ("COMPOSITE".equals(headers.first("x-amz-checksum-type"))) {
      return Optional.empty();
    }
    for (ChecksumAlgorithm algorithm : ChecksumAlgorithm.values()) {
      String text = headers.first(algorithm.header());
      // A dash and the count of parts follow a checksum of checksums.
      if (text != null && ChecksumValue.parse(algorithm, text).isPresent()) {
        return ChecksumValue.parse(algorithm, text);
      }
    }
    return Optional.empty();
  }
}
