package dev.ron.storage.s3.object;

import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.core.ObjectVersion;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which bytes of its source a copy wants.
 *
 * <p>Threading: immutable.
 *
 * @param to the first byte that is not wanted
 */
public record SourceRange(long from, long to) {
  private static final Pattern FORM = Pattern.compile("bytes=(\\d{1,18})-(\\d{1,18})");

  public static SourceRange whole(ObjectVersion version) {
    return new SourceRange(0, version.sizeBytes());
  }

  /** Of {@code x-amz-copy-source-range}, which has both ends and must lie within the source. */
  public static SourceRange of(String text, ObjectVersion version) throws Refusal {
    Matcher matcher = FORM.matcher(text.strip());
    if (!matcher.matches()) {
      throw Refusal.of(
          new S3Fault.InvalidArgument(
              "The x-amz-copy-source-range value must be of the form bytes=first-last"));
    }
    long first = Long.parseLong(matcher.group(1));
    long last = Long.parseLong(matcher.group(2));
    if (first > last || last >= version.sizeBytes()) {
      throw Refusal.of(new S3Fault.InvalidRange(text, version.sizeBytes()));
    }
    return new SourceRange(first, last + 1);
  }

  long bytes() {
    return to - from;
  }
}
