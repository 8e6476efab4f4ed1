package dev.ron.storage.s3.api;

import dev.ron.http.Refusal;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.VersionRef;
import org.jspecify.annotations.Nullable;

/**
 * What a right is asked for: the target of a request, the source of a copy, or one of several keys
 * that a document names. Policies and lists are asked about it and never about the request's own
 * target in its place.
 *
 * <p>Threading: immutable.
 *
 * @param key null for the bucket itself
 */
public record S3Resource(Bucket bucket, @Nullable ObjectKey key, VersionRef version) {
  /** What the request itself is about. */
  public static S3Resource of(S3Call call) throws Refusal {
    return new S3Resource(call.bucket(), call.target().key(), call.version());
  }

  boolean isVersion() {
    return !(version instanceof VersionRef.Current);
  }

  /** As policies name it. */
  String text(S3Action action) {
    String name = bucket.name().text();
    return action.onKey() && key != null ? name + "/" + key : name;
  }
}
