package dev.ron.storage.s3.policy;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.names.NameView;
import dev.ron.storage.s3.xml.XmlWriter;

/**
 * Says whether a bucket is public, by its policy or its access control list.
 *
 * <p>Threading: immutable.
 */
public record GetBucketPolicyStatus(NameView view) implements S3Verb<Bucket, Boolean> {
  @Override
  public S3Action action(S3Call call) {
    return S3Action.GET_POLICY_STATUS;
  }

  @Override
  public Bucket parse(S3Call call) throws Refusal {
    return call.bucket();
  }

  @Override
  public Boolean handle(Bucket bucket) throws Refusal {
    return BucketAccess.of(view, bucket).isPublic(bucket);
  }

  @Override
  public Answer write(Boolean isPublic) {
    byte[] document = XmlWriter.document("PolicyStatus").flag("IsPublic", isPublic).bytes();
    return Answer.bytes(200, "application/xml", document);
  }
}
