package dev.ron.edge.core;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.http.Headers;
import java.time.Instant;
import java.util.List;

/** Heads and stored answers written in a line. */
final class Heads {
  /** When the tables' answers came: a Monday, at noon. */
  static final Instant NOON = Instant.parse("2024-01-01T12:00:00Z");

  static final String DATE = "Mon, 01 Jan 2024 12:00:00 GMT";
  static final CacheKey KEY = new CacheKey("https://o.example", "/a");
  static final Address BYTES =
      new Address(Blake3.hash("0123456789".getBytes(java.nio.charset.StandardCharsets.US_ASCII)));

  private Heads() {}

  /** Fields separated by bars; a dash stands for none. */
  static Headers of(String fields) {
    var headers = new Headers();
    if (!fields.equals("-")) {
      for (String field : fields.split("\\|", -1)) {
        String[] parts = field.split(":", 2);
        headers.add(parts[0].strip(), parts[1].strip());
      }
    }
    return headers;
  }

  static CacheRequest request(String method, String fields) {
    return CacheRequest.of(method, KEY, of(fields));
  }

  /** Stored at noon as the answer to a request with these fields; ten bytes. */
  static StoredResponse stored(int status, String answer, String request) {
    Headers head = Cacheability.head(status, of(answer), NOON);
    return StoredResponse.of(
        7,
        KEY,
        status,
        head,
        NOON,
        NOON,
        VaryFields.of(head, of(request)),
        StoredRanges.whole(BYTES, 10));
  }

  static StoredResponse part(String answer, long first, long length) {
    return stored(200, answer, "-")
        .with(new StoredRanges(List.of(new StoredRange(first, length, BYTES, first)), 10));
  }
}
