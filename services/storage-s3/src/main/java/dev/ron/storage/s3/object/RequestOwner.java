package dev.ron.storage.s3.object;

import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Rights;
import dev.ron.storage.s3.core.Acl;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.CannedAcl;
import dev.ron.storage.s3.policy.PublicAccessBlock;

/**
 * Whose the object is that a request stores, and its access control list: what the bucket says of
 * ownership decides both.
 *
 * <p>Threading: immutable.
 */
public record RequestOwner(String owner, Acl acl) {
  public static RequestOwner of(S3Call call, Bucket bucket) throws Refusal {
    boolean gives =
        CannedAcl.BUCKET_OWNER_FULL_CONTROL.toString().equals(call.header(RequestAcl.CANNED));
    return switch (call.view().ownership(bucket.id())) {
      case BUCKET_OWNER_ENFORCED -> {
        if (RequestAcl.isGiven(call) && !gives) {
          throw Refusal.of(new S3Fault.AccessControlListNotSupported());
        }
        yield bucketOwner(bucket);
      }
      case BUCKET_OWNER_PREFERRED -> gives ? bucketOwner(bucket) : writer(call, bucket);
      case OBJECT_WRITER -> writer(call, bucket);
    };
  }

  private static RequestOwner bucketOwner(Bucket bucket) {
    return new RequestOwner(bucket.owner(), CannedAcl.PRIVATE.list(bucket.owner(), bucket.owner()));
  }

  /** To let in others needs the right that changing the list later would need. */
  private static RequestOwner writer(S3Call call, Bucket bucket) throws Refusal {
    String owner = call.owner();
    Acl acl = RequestAcl.of(call, owner, bucket.owner());
    PublicAccessBlock.requireSettable(call.view(), bucket, acl);
    if (!acl.isOnlyFor(owner)) {
      S3Rights.requireCapability(call, S3Action.PUT_OBJECT_ACL);
    }
    return new RequestOwner(owner, acl);
  }
}
