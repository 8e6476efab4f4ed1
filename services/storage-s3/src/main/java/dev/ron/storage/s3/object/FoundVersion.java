package dev.ron.storage.s3.object;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Resource;
import dev.ron.storage.s3.api.S3Rights;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.VersionRef;
import dev.ron.storage.s3.names.NameView;
import java.util.Optional;

/**
 * The version that a read is about.
 *
 * <p>Threading: immutable.
 *
 * @param versioned whether answers name its version
 */
public record FoundVersion(ObjectVersion version, boolean versioned) {
  /** Refuses a version that is not there, or is a delete marker. */
  public static FoundVersion of(S3Call call, Bucket bucket) throws Refusal {
    return of(call, bucket, call.key(), call.version());
  }

  /** The same of an object that need not be the request's own. */
  static FoundVersion of(S3Call call, Bucket bucket, ObjectKey key, VersionRef ref) throws Refusal {
    NameView view = call.view();
    boolean versioned = bucket.versioning() != Bucket.Versioning.OFF;
    if (ref instanceof VersionRef.Current) {
      Optional<ObjectVersion> current = view.object(bucket.id(), key);
      if (current.isEmpty()) {
        boolean hidden = versioned && view.version(bucket.id(), key, ref).isPresent();
        throw absent(call, bucket, key, new S3Fault.NoSuchKey(key.toString(), hidden));
      }
      return new FoundVersion(current.get(), versioned);
    }
    ObjectVersion version =
        view.version(bucket.id(), key, ref).map(NameView.Found::version).orElse(null);
    if (version == null) {
      throw absent(call, bucket, key, new S3Fault.NoSuchVersion(ref.text()));
    }
    if (version.isMarker()) {
      throw Refusal.of(
          new S3Fault.MethodNotAllowed(
              call.method() + " of a delete marker", version.modifiedMillis()));
    }
    return new FoundVersion(version, true);
  }

  /** Only those that may list a bucket learn what is not in it. */
  private static Refusal absent(S3Call call, Bucket bucket, ObjectKey key, S3Fault fault)
      throws Refusal {
    return S3Rights.may(call, S3Action.LIST, new S3Resource(bucket, key, new VersionRef.Current()))
        ? Refusal.of(fault)
        : Refusal.of(new S3Fault.AccessDenied("Access Denied"));
  }

  /** An answer with a document about this version. */
  public Answer document(byte[] bytes) {
    Answer answer = Answer.bytes(200, "application/xml", bytes);
    return versioned ? answer.with("x-amz-version-id", version.versionId()) : answer;
  }
}
