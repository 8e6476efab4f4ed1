package dev.ron.storage.s3.lifecycle;

import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.names.NameView;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * When an object goes by itself, as {@code x-amz-expiration} says it: a date of the calendar.
 *
 * <p>Threading: stateless.
 */
public final class ExpirationField {
  public static final String NAME = "x-amz-expiration";

  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private ExpirationField() {}

  /** Empty if no rule of the bucket is about the object. */
  public static Optional<String> of(
      NameView view, Bucket bucket, ObjectKey key, ObjectVersion version) {
    Optional<List<LifecycleRule>> rules = LifecycleReader.of(view, bucket);
    if (rules.isEmpty()) {
      return Optional.empty();
    }
    var decider = new LifecycleDecider(rules.get(), LifecycleDay.CALENDAR);
    return decider
        .current(key, version)
        .map(
            found ->
                "expiry-date=\"%s\", rule-id=\"%s\""
                    .formatted(
                        DATE.format(Instant.ofEpochMilli(found.atMillis())),
                        URLEncoder.encode(found.rule(), StandardCharsets.UTF_8)));
  }
}
