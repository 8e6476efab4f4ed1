package dev.ron.storage.s3.listing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.S3Query;
import java.util.Locale;

/**
 * The parameters that all listings share, as they came and as they are answered again.
 *
 * <p>Threading: immutable.
 *
 * @param encoded whether names in the answer are percent-encoded
 */
public record ListQuery(String prefix, String delimiter, int max, boolean encoded) {
  static ListQuery of(S3Query query, String maxName) throws Refusal {
    String encoding = query.value("encoding-type").orElse("");
    if (!encoding.isEmpty() && !encoding.toLowerCase(Locale.ROOT).equals("url")) {
      throw Refusal.of(new S3Fault.InvalidArgument("encoding-type must be url"));
    }
    // A client of Ceph's that takes any order gets this one; groups need an order.
    if (query.value("allow-unordered").orElse("").equals("true")
        && !query.value("delimiter").orElse("").isEmpty()) {
      throw Refusal.of(new S3Fault.InvalidArgument("allow-unordered with a delimiter"));
    }
    return new ListQuery(
        query.value("prefix").orElse(""),
        query.value("delimiter").orElse(""),
        query.number(maxName, ListRequest.MAX, 0, ListRequest.MAX),
        !encoding.isEmpty());
  }

  ListRequest after(byte[] after) {
    return new ListRequest(prefix.getBytes(UTF_8), delimiter.getBytes(UTF_8), after, max);
  }

  /** A name as the answer has it. */
  String shown(String text) {
    return encoded ? encode(text) : text;
  }

  String shown(byte[] key) {
    return shown(new String(key, UTF_8));
  }

  private static String encode(String text) {
    var out = new StringBuilder(text.length() + 16);
    for (byte b : text.getBytes(UTF_8)) {
      char c = (char) (b & 0xff);
      boolean plain =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || "-_.~/*".indexOf(c) >= 0;
      if (plain) {
        out.append(c);
      } else {
        out.append('%').append("%02X".formatted(b & 0xff));
      }
    }
    return out.toString();
  }
}
