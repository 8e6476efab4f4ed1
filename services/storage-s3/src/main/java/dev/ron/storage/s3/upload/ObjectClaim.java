package dev.ron.storage.s3.upload;

import dev.ron.checksum.ChecksumAlgorithm;
import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.BodyDigest;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.core.MultipartUpload.ChecksumPlan;
import dev.ron.storage.s3.core.StoredChecksum;
import java.util.Optional;

/**
 * What a client that completes an upload says of the object as a whole.
 *
 * <p>Threading: immutable.
 *
 * @param algorithm of the checksum, if it says one
 * @param checksum base64, with or without the number of parts behind it
 * @param type over what the checksum is
 */
record ObjectClaim(
    Optional<ChecksumAlgorithm> algorithm,
    Optional<String> checksum,
    Optional<String> type,
    Optional<Long> sizeBytes) {
  private static final String SIZE = "x-amz-mp-object-size";

  static ObjectClaim of(S3Call call) throws Refusal {
    Optional<ChecksumAlgorithm> algorithm =
        BodyDigest.announced(call).filter(each -> call.header(each.header()) != null);
    return new ObjectClaim(
        algorithm,
        algorithm.flatMap(each -> call.field(each.header())).map(String::strip),
        call.field(UploadChecksum.TYPE),
        size(call.field(SIZE)));
  }

  private static Optional<Long> size(Optional<String> text) throws Refusal {
    try {
      return text.map(String::strip).map(Long::parseLong);
    } catch (NumberFormatException _) {
      throw Refusal.of(new S3Fault.InvalidArgument(SIZE + " is no number"));
    }
  }

  /** Refuses an object that is not what the client thinks it is. */
  void require(PartSummary object, Optional<ChecksumPlan> plan) throws Refusal {
    if (sizeBytes.isPresent() && sizeBytes.get() != object.sizeBytes()) {
      throw invalid(
          "The provided '%s' header value %d does not match what was computed: %d"
              .formatted(SIZE, sizeBytes.get(), object.sizeBytes()));
    }
    if (type.isPresent()
        && plan.filter(each -> each.kind().name().equalsIgnoreCase(type.get())).isEmpty()) {
      throw invalid("the upload was not begun with a checksum of the type " + type.get());
    }
    if (checksum.isEmpty()) {
      return;
    }
    StoredChecksum own = object.checksum();
    if (own == null || algorithm.filter(each -> each.name().equals(own.algorithm())).isEmpty()) {
      throw invalid("the upload was not begun with the checksum that its completion names");
    }
    String said = checksum.get();
    if (!said.equals(own.value()) && !(said + "-" + object.parts().size()).equals(own.value())) {
      throw Refusal.of(new S3Fault.BadDigest("the object's checksum"));
    }
  }

  private static Refusal invalid(String why) {
    return Refusal.of(new S3Fault.InvalidRequest(why));
  }
}
