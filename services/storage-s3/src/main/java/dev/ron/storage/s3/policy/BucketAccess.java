package dev.ron.storage.s3.policy;

import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.BucketSetting;
import dev.ron.storage.s3.names.NameView;

/**
 * The policy and the public access block of a bucket, read once for a request.
 *
 * <p>Threading: immutable.
 */
public record BucketAccess(long bucket, BucketPolicy policy, PublicAccessBlock block) {
  /** The same policy if all of it is understood and the bucket's block lets it be set. */
  public static byte[] checked(byte[] document, Bucket bucket, NameView view) throws Refusal {
    BucketPolicy policy = PolicyReader.read(document, bucket.name());
    if (policy.isPublic() && PublicAccessBlock.of(view, bucket).blockPublicPolicy()) {
      throw Refusal.of(
          new S3Fault.AccessDenied("the bucket's public access block refuses public policies"));
    }
    return document;
  }

  /** As they are now. */
  public static BucketAccess of(NameView view, Bucket bucket) throws Refusal {
    BucketPolicy policy =
        view.setting(
                bucket.id(),
                BucketSetting.POLICY,
                document -> PolicyReader.read(document, bucket.name()))
            .orElse(BucketPolicy.NONE);
    return new BucketAccess(bucket.id(), policy, PublicAccessBlock.of(view, bucket));
  }

  /** Whether the owner alone is let in. */
  public boolean isRestricted() {
    return block.restrictPublicBuckets() && policy.isPublic();
  }

  /** Whether callers that nothing names are let in. */
  boolean isPublic(Bucket of) {
    return block.counted(of.acl()).isPublic() || (policy.isPublic() && !isRestricted());
  }
}
