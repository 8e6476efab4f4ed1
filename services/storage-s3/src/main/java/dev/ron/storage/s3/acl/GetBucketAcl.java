package dev.ron.storage.s3.acl;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.core.Bucket;

/**
 * Shows the access control list of a bucket.
 *
 * <p>Threading: stateless.
 */
public record GetBucketAcl() implements S3Verb<Bucket, Bucket> {
  @Override
  public S3Action action(S3Call call) {
    return S3Action.GET_BUCKET_ACL;
  }

  @Override
  public Bucket parse(S3Call call) throws Refusal {
    return call.bucket();
  }

  @Override
  public Bucket handle(Bucket bucket) {
    return bucket;
  }

  @Override
  public Answer write(Bucket bucket) {
    return AclDocument.answer(bucket.owner(), bucket.acl());
  }
}
