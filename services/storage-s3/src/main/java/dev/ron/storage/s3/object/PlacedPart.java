package dev.ron.storage.s3.object;

import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.StoredChecksum;
import dev.ron.storage.s3.core.Uid;
import dev.ron.storage.s3.core.UploadPart;
import dev.ron.storage.s3.names.NameView;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A part of an object with its place in it.
 *
 * <p>Parts of an object are counted from 1 without gaps, whatever numbers they were uploaded with,
 * so that clients which read one part after the other meet all of them.
 *
 * <p>Threading: immutable.
 *
 * @param from where its bytes begin in the object
 */
public record PlacedPart(int number, long from, UploadPart part) {
  /** The number of a request's {@code partNumber}. */
  public static int number(String text) throws Refusal {
    return UploadPart.parseNumber(text)
        .orElseThrow(
            () ->
                Refusal.of(
                    new S3Fault.InvalidArgument(
                        "Part number must be an integer between 1 and 10000")));
  }

  /** Empty if the object has fewer parts. */
  static Optional<PlacedPart> of(NameView view, Uid upload, int number) {
    var walk = new Walk();
    view.parts(upload, part -> walk.step(part).number() < number);
    return Optional.ofNullable(walk.last).filter(last -> last.number() == number);
  }

  long to() {
    return from + part.sizeBytes();
  }

  /** Of this part alone; null if parts of the object have none. */
  @Nullable StoredChecksum checksum(ObjectVersion version) {
    StoredChecksum whole = version.checksum();
    String own = part.checksum();
    return whole == null || own == null
        ? null
        : new StoredChecksum(whole.algorithm(), whole.kind(), own);
  }

  /** Counts parts as they come. */
  static final class Walk {
    private @Nullable PlacedPart last;

    PlacedPart step(UploadPart part) {
      PlacedPart before = last;
      var next =
          before == null
              ? new PlacedPart(1, 0, part)
              : new PlacedPart(before.number() + 1, before.to(), part);
      last = next;
      return next;
    }
  }
}
