package dev.ron.http.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.ron.http.Headers;
import dev.ron.http.field.ByteRange;
import dev.ron.http.field.ContentRange;
import dev.ron.http.server.exchange.Answer;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parts of a representation in one answer (RFC 9110 section 15.3.7): one range as it is, several as
 * {@code multipart/byteranges}.
 *
 * <p>Threading: immutable.
 *
 * @param boundary what the bytes cannot contain by chance, such as a hash of them
 * @param bytesTotal of the whole representation
 */
public record ByteRanges(String boundary, long bytesTotal) {
  private static final int PARTIAL = 206;

  /** Writes one range of the representation. */
  @FunctionalInterface
  public interface Source {
    void write(ByteRange range, OutputStream sink) throws IOException, InterruptedException;
  }

  /** The headers of a 206 with one range; the caller sends its bytes, which may be a file. */
  public Headers single(Headers headers, ByteRange range) {
    return headers.set("Content-Range", ContentRange.of(range, bytesTotal).toString());
  }

  /**
   * @param headers of the representation; its type moves into each part
   */
  public Answer several(Headers headers, List<ByteRange> ranges, Source source) {
    String type = headers.first("Content-Type");
    var heads = new ArrayList<byte[]>();
    byte[] end = ("\r\n--" + boundary + "--\r\n").getBytes(ISO_8859_1);
    long length = end.length;
    for (ByteRange range : ranges) {
      byte[] head = head(type, range);
      heads.add(head);
      length += head.length + range.bytes();
    }
    return Answer.stream(
        PARTIAL,
        headers.set("Content-Type", "multipart/byteranges; boundary=" + boundary),
        length,
        sink -> {
          for (int i = 0; i < heads.size(); i++) {
            sink.write(heads.get(i));
            source.write(ranges.get(i), sink);
          }
          sink.write(end);
          return new Headers(1);
        });
  }

  private byte[] head(@Nullable String type, ByteRange range) {
    return ("\r\n--"
            + boundary
            + (type == null ? "" : "\r\nContent-Type: " + type)
            + "\r\nContent-Range: "
            + ContentRange.of(range, bytesTotal)
            + "\r\n\r\n")
        .getBytes(ISO_8859_1);
  }
}
