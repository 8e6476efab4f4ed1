package dev.ron.edge.api;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.ron.edge.core.Selection;
import dev.ron.edge.core.StoredResponse;
import dev.ron.http.Headers;
import dev.ron.http.field.ByteRange;
import dev.ron.http.server.exchange.Answer;
import java.util.ArrayList;
import java.util.List;

/**
 * Several ranges in one body (RFC 9110 section 14.6).
 *
 * <p>Threading: immutable.
 */
final class MultipartRanges {
  /** The address of the bytes cannot occur in them by chance, and is the same each time. */
  private static final String BOUNDARY = "ron-edge-";

  private MultipartRanges() {}

  static Answer answer(
      List<ByteRange> ranges, StoredResponse stored, Headers head, StoredAnswer from) {
    long total = stored.pieces().total();
    String boundary = BOUNDARY + stored.id();
    String type = head.first("Content-Type");
    List<byte[]> heads = new ArrayList<>();
    long length = 0;
    for (ByteRange range : ranges) {
      String part =
          "\r\n--"
              + boundary
              + (type == null ? "" : "\r\nContent-Type: " + type)
              + "\r\nContent-Range: "
              + Selection.contentRange(range, total)
              + "\r\n\r\n";
      heads.add(part.getBytes(ISO_8859_1));
      length += part.length() + range.bytes();
    }
    byte[] end = ("\r\n--" + boundary + "--\r\n").getBytes(ISO_8859_1);
    return Answer.stream(
        206,
        head.set("Content-Type", "multipart/byteranges; boundary=" + boundary),
        length + end.length,
        sink -> {
          for (int i = 0; i < heads.size(); i++) {
            sink.write(heads.get(i), 0, heads.get(i).length);
            from.write(stored.pieces().of(ranges.get(i)), sink);
          }
          sink.write(end, 0, end.length);
          return new Headers(1);
        });
  }
}
