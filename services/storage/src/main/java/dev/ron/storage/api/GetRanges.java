package dev.ron.storage.api;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.ron.content.ContentStat;
import dev.ron.http.Headers;
import dev.ron.http.field.ByteRange;
import dev.ron.http.field.ContentRange;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import java.time.Instant;
import java.util.List;

/**
 * Several ranges in one answer, as {@code multipart/byteranges}.
 *
 * <p>Threading: immutable.
 */
record GetRanges(Get get, ContentStat stat, List<ByteRange> ranges) {
  Answer answer(Headers headers, Instant begun) {
    // The object cannot contain what only its own hash would produce by chance.
    String boundary = "ron-" + stat.address().hash().hex().substring(0, 24);
    byte[] end = ("\r\n--" + boundary + "--\r\n").getBytes(US_ASCII);
    long length = end.length;
    for (ByteRange range : ranges) {
      length += head(boundary, range).length + range.bytes();
    }
    headers.add("Content-Type", "multipart/byteranges; boundary=" + boundary);
    return new Answer(
        206,
        headers,
        new Body.Stream(
            length,
            sink -> {
              for (ByteRange range : ranges) {
                sink.write(head(boundary, range));
                try (var transfer =
                    get.desk().stock().open(stat, range.first(), range.last() + 1)) {
                  get.copy(transfer, range.bytes(), sink);
                }
                get.count(range.bytes(), "ranges", begun);
              }
              sink.write(end);
              return new Headers(1);
            }));
  }

  private byte[] head(String boundary, ByteRange range) {
    return "\r\n--%s\r\nContent-Type: application/octet-stream\r\nContent-Range: %s\r\n\r\n"
        .formatted(boundary, ContentRange.of(range, stat.sizeBytes()))
        .getBytes(US_ASCII);
  }
}
