package dev.ron.storage.s3.xml;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * A time as documents have it: to the millisecond, always with its three digits.
 *
 * <p>Threading: stateless.
 */
public final class XmlTime {
  private static final DateTimeFormatter FORM =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private XmlTime() {}

  public static String of(long millis) {
    return FORM.format(Instant.ofEpochMilli(millis));
  }
}
