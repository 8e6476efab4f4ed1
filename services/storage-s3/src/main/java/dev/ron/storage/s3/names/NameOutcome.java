package dev.ron.storage.s3.names;

import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.MultipartUpload;
import dev.ron.storage.s3.core.ObjectVersion;

/** What became of a {@link NameCommand}. */
public sealed interface NameOutcome {
  record Done() implements NameOutcome {}

  record BucketMade(Bucket bucket) implements NameOutcome {}

  record UploadMade(MultipartUpload upload) implements NameOutcome {}

  /**
   * @param version as it is stored now
   * @param versioned whether the answer names its version
   */
  record Stored(ObjectVersion version, boolean versioned) implements NameOutcome {}

  /**
   * @param versionId of the marker that hides the object, or of the version that was deleted; empty
   *     where the bucket keeps none
   * @param marker whether that is a marker
   */
  record Deleted(String versionId, boolean marker) implements NameOutcome {}

  record Refused(S3Fault fault) implements NameOutcome {}
}
