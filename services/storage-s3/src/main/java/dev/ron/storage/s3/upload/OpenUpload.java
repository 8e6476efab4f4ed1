package dev.ron.storage.s3.upload;

import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.MultipartUpload;
import dev.ron.storage.s3.core.ObjectEncryption;
import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.Uid;
import dev.ron.storage.s3.encryption.ContentKey;
import dev.ron.storage.s3.object.PlacedPart;
import dev.ron.storage.s3.object.RequestEncryption;
import org.jspecify.annotations.Nullable;

/**
 * The upload that a request is about.
 *
 * <p>Threading: immutable.
 */
record OpenUpload(Bucket bucket, ObjectKey key, MultipartUpload upload) {
  /** Refuses one that is not open. */
  static OpenUpload of(S3Call call) throws Refusal {
    Bucket bucket = call.bucket();
    Uid id = id(call);
    MultipartUpload upload =
        call.view().upload(bucket.id(), call.key(), id).orElseThrow(() -> absent(call));
    return new OpenUpload(bucket, call.key(), upload);
  }

  static Uid id(S3Call call) throws Refusal {
    return Uid.parse(text(call)).orElseThrow(() -> absent(call));
  }

  /** What its parts are encrypted with, null if they are not; refuses another key. */
  @Nullable ContentKey key(S3Call call) throws Refusal {
    return RequestEncryption.openUpload(call, upload.encryption());
  }

  /** What stands for the MD5 of a part. */
  String tag(String md5, @Nullable ContentKey key) {
    ObjectEncryption encryption = upload.encryption();
    return RequestEncryption.tag(md5, key, encryption == null ? null : encryption.kind());
  }

  /** The part that a request stores. */
  static int partNumber(S3Call call) throws Refusal {
    return PlacedPart.number(call.query().value("partNumber").orElse(""));
  }

  static Refusal absent(S3Call call) {
    return Refusal.of(new S3Fault.NoSuchUpload(text(call)));
  }

  private static String text(S3Call call) {
    return call.query().value("uploadId").orElse("");
  }
}
