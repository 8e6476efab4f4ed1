package dev.ron.storage.s3.upload;

import dev.ron.checksum.ChecksumAlgorithm;
import dev.ron.checksum.ChecksumType;
import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.core.MultipartUpload.ChecksumPlan;
import dev.ron.storage.s3.core.StoredChecksum;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which checksum an upload has, decided when it is begun.
 *
 * <p>Threading: stateless.
 */
final class UploadChecksum {
  static final String ALGORITHM = "x-amz-checksum-algorithm";
  static final String TYPE = "x-amz-checksum-type";

  private UploadChecksum() {}

  /** Null if the request names none. */
  static @Nullable ChecksumPlan plan(Optional<String> algorithm, Optional<String> type)
      throws Refusal {
    if (algorithm.isEmpty()) {
      if (type.isPresent()) {
        throw invalid("The " + TYPE + " header can only be used with the " + ALGORITHM + " header");
      }
      return null;
    }
    ChecksumAlgorithm named =
        ChecksumAlgorithm.parse(algorithm.get())
            .orElseThrow(
                () -> invalid("Checksum algorithm " + algorithm.get() + " is unsupported"));
    ChecksumType wanted = type.isEmpty() ? named.defaultType() : type(type.get());
    if (!named.supports(wanted)) {
      throw invalid(
          "The %s checksum type cannot be used with the %s checksum algorithm."
              .formatted(wanted, named.name().toLowerCase(Locale.ROOT)));
    }
    return new ChecksumPlan(named.name(), StoredChecksum.Kind.valueOf(wanted.name()));
  }

  private static ChecksumType type(String text) throws Refusal {
    for (ChecksumType each : ChecksumType.values()) {
      if (each.name().equalsIgnoreCase(text)) {
        return each;
      }
    }
    throw invalid("Value for " + TYPE + " header is invalid.");
  }

  /** As it was checked when the upload began; null for none. */
  static @Nullable ChecksumAlgorithm algorithm(@Nullable ChecksumPlan plan) {
    return plan == null ? null : ChecksumAlgorithm.valueOf(plan.algorithm());
  }

  static void add(Headers headers, @Nullable ChecksumPlan plan) {
    if (plan != null) {
      headers.add(ALGORITHM, plan.algorithm()).add(TYPE, plan.kind().name());
    }
  }

  private static Refusal invalid(String why) {
    return Refusal.of(new S3Fault.InvalidRequest(why));
  }
}
