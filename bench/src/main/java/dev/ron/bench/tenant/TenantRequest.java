package dev.ron.bench.tenant;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * A request over HTTP/1.1 that is another one each time it is sent: sixteen digits in it count.
 * Everything else stays, so that a client spends nothing on making it.
 *
 * <p>Threading: immutable.
 */
final class TenantRequest {
  /** What the count takes the place of. */
  static final String COUNT = "<count-as-16hex>";

  private final byte[] bytes;
  private final int[] counts;

  private TenantRequest(byte[] bytes) {
    this.bytes = bytes;
    List<Integer> found = new ArrayList<>();
    String text = new String(bytes, ISO_8859_1);
    for (int at = text.indexOf(COUNT); at >= 0; at = text.indexOf(COUNT, at + 1)) {
      found.add(at);
    }
    this.counts = found.stream().mapToInt(Integer::intValue).toArray();
  }

  /**
   * @param line the method and the target
   * @param fields each with its line end
   */
  static TenantRequest of(String line, String host, String fields, String body) {
    String head =
        "%s HTTP/1.1\r\nHost: %s\r\n%sContent-Length: %d\r\n\r\n"
            .formatted(line, host, fields, body.length());
    return new TenantRequest((head + body).getBytes(ISO_8859_1));
  }

  /** As {@link #text} wrote it. */
  static TenantRequest parse(String text) {
    return new TenantRequest(text.getBytes(ISO_8859_1));
  }

  String text() {
    return new String(bytes, ISO_8859_1);
  }

  /** The request with this count in it. */
  byte[] bytes(long count) {
    byte[] made = Arrays.copyOf(bytes, bytes.length);
    byte[] digits = HexFormat.of().toHexDigits(count).getBytes(ISO_8859_1);
    for (int at : counts) {
      System.arraycopy(digits, 0, made, at, digits.length);
    }
    return made;
  }
}
