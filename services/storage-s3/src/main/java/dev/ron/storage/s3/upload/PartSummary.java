package dev.ron.storage.s3.upload;

import dev.ron.checksum.ChecksumAlgorithm;
import dev.ron.checksum.ChecksumValue;
import dev.ron.checksum.PartChecksums;
import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.core.MultipartUpload.ChecksumPlan;
import dev.ron.storage.s3.core.StoredChecksum;
import dev.ron.storage.s3.core.UploadPart;
import dev.ron.storage.s3.names.NameCommand.PartSeen;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The object that parts make, without their bytes: size, entity tag and checksum follow from those
 * of the parts.
 *
 * <p>Threading: immutable.
 *
 * @param parts as they were seen; if one is replaced, the completion finds it out
 * @param md5 of their MD5s
 */
record PartSummary(
    List<PartSeen> parts, String md5, long sizeBytes, @Nullable StoredChecksum checksum) {
  PartSummary {
    parts = List.copyOf(parts);
  }

  /**
   * @param stored a part that is there by its number
   */
  static PartSummary of(
      PartList list, IntFunction<Optional<UploadPart>> stored, @Nullable ChecksumPlan plan)
      throws Refusal {
    ChecksumAlgorithm algorithm = UploadChecksum.algorithm(plan);
    var seen = new ArrayList<PartSeen>(list.parts().size());
    var checksums = new ArrayList<PartChecksums.Part>();
    for (PartList.Named named : list.parts()) {
      UploadPart part =
          stored
              .apply(named.number())
              .filter(there -> there.md5().equals(named.etag()))
              .orElseThrow(() -> invalid(named, "is not there, or its ETag is another"));
      if (algorithm != null) {
        checksums.add(new PartChecksums.Part(checksum(named, part, algorithm), part.sizeBytes()));
      }
      seen.add(new PartSeen(part.number(), part.md5(), part.sizeBytes()));
    }
    return new PartSummary(
        seen,
        list.entityTag().md5(),
        seen.stream().mapToLong(PartSeen::sizeBytes).sum(),
        plan == null || algorithm == null ? null : whole(algorithm, plan.kind(), checksums));
  }

  private static ChecksumValue checksum(
      PartList.Named named, UploadPart part, ChecksumAlgorithm algorithm) throws Refusal {
    String own = part.checksum();
    String said = named.checksums().get(algorithm);
    if (own == null || (said != null && !said.equals(own))) {
      throw invalid(named, "has another checksum");
    }
    return new ChecksumValue(algorithm, own);
  }

  private static StoredChecksum whole(
      ChecksumAlgorithm algorithm, StoredChecksum.Kind kind, List<PartChecksums.Part> parts) {
    String value =
        switch (kind) {
          case FULL_OBJECT -> PartChecksums.fullObject(algorithm, parts).base64();
          case COMPOSITE ->
              PartChecksums.composite(
                  algorithm, parts.stream().map(PartChecksums.Part::checksum).toList());
        };
    return new StoredChecksum(algorithm.name(), kind, value);
  }

  private static Refusal invalid(PartList.Named part, String why) {
    return Refusal.of(new S3Fault.InvalidPart("part " + part.number() + " " + why));
  }
}
