package dev.ron.storage.s3.acl;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.CannedAcl;
import dev.ron.storage.s3.core.ObjectOwnership;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.names.NameView;
import dev.ron.storage.s3.object.FoundVersion;

/**
 * Shows the access control list of a version. Where lists decide nothing, all is the bucket
 * owner's.
 *
 * <p>Threading: immutable.
 */
public record GetObjectAcl(NameView view)
    implements S3Verb<GetObjectAcl.Request, GetObjectAcl.Request> {
  /** A version and where it is. */
  public record Request(Bucket bucket, ObjectVersion version) {}

  @Override
  public S3Action action(S3Call call) {
    return S3Action.GET_OBJECT_ACL;
  }

  @Override
  public Request parse(S3Call call) throws Refusal {
    Bucket bucket = call.bucket();
    return new Request(bucket, FoundVersion.of(call, bucket).version());
  }

  @Override
  public Request handle(Request request) {
    return request;
  }

  @Override
  public Answer write(Request request) {
    Bucket bucket = request.bucket();
    if (view.ownership(bucket.id()) == ObjectOwnership.BUCKET_OWNER_ENFORCED) {
      return AclDocument.answer(
          bucket.owner(), CannedAcl.PRIVATE.list(bucket.owner(), bucket.owner()));
    }
    return AclDocument.answer(request.version().owner(), request.version().acl());
  }
}
