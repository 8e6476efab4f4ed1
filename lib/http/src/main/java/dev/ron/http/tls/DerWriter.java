package dev.ron.http.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Values in DER, as far as certificates need it; each answers its whole encoding.
 *
 * <p>The JDK reads certificates and writes none.
 *
 * <p>Threading: stateless.
 */
final class DerWriter {
  private static final int SEQUENCE = 0x30;
  private static final int SET = 0x31;
  private static final int CONTEXT = 0x80;
  private static final int CONSTRUCTED = 0x20;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  /** Certificates write the years before this with two digits. */
  private static final int LONG_YEARS_FROM = 2050;

  private DerWriter() {}

  static byte[] sequence(byte[]... parts) {
    return tagged(SEQUENCE, joined(parts));
  }

  static byte[] set(byte[]... parts) {
    return tagged(SET, joined(parts));
  }

  static byte[] integer(BigInteger value) {
    return tagged(0x02, value.toByteArray());
  }

  static byte[] yes() {
    return tagged(0x01, new byte[] {(byte) 0xff});
  }

  static byte[] octets(byte[] bytes) {
    return tagged(0x04, bytes);
  }

  /** Whole bytes only, or with the last {@code unused} bits of them left out. */
  static byte[] bits(int unused, byte[] bytes) {
    return tagged(0x03, joined(new byte[] {(byte) unused}, bytes));
  }

  static byte[] text(String text) {
    return tagged(0x0c, text.getBytes(UTF_8));
  }

  static byte[] time(Instant at) {
    String all = TIME.format(at);
    boolean isLong = at.atZone(ZoneOffset.UTC).getYear() >= LONG_YEARS_FROM;
    return tagged(isLong ? 0x18 : 0x17, all.substring(isLong ? 0 : 2).getBytes(US_ASCII));
  }

  /** As in {@code 2.5.29.17}. */
  static byte[] oid(String dotted) {
    String[] numbers = dotted.split("\\.", -1);
    var out = new ByteArrayOutputStream();
    out.write(Integer.parseInt(numbers[0]) * 40 + Integer.parseInt(numbers[1]));
    for (int i = 2; i < numbers.length; i++) {
      long number = Long.parseLong(numbers[i]);
      for (int shift = 63 / 7 * 7; shift > 0; shift -= 7) {
        if (number >> shift != 0) {
          out.write((int) (number >> shift & 0x7f) | 0x80);
        }
      }
      out.write((int) (number & 0x7f));
    }
    return tagged(0x06, out.toByteArray());
  }

  /** A value that says by its tag which of several it is. */
  static byte[] choice(int number, byte[] content) {
    return tagged(CONTEXT | number, content);
  }

  /** The same around other values. */
  static byte[] around(int number, byte[]... parts) {
    return tagged(CONTEXT | CONSTRUCTED | number, joined(parts));
  }

  private static byte[] tagged(int tag, byte[] content) {
    var out = new ByteArrayOutputStream(content.length + 6);
    out.write(tag);
    int length = content.length;
    if (length < 0x80) {
      out.write(length);
    } else {
      byte[] digits = BigInteger.valueOf(length).toByteArray();
      int from = digits[0] == 0 ? 1 : 0;
      out.write(0x80 | (digits.length - from));
      out.write(digits, from, digits.length - from);
    }
    out.writeBytes(content);
    return out.toByteArray();
  }

  private static byte[] joined(byte[]... parts) {
    var out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
