package dev.ron.storage.s3.policy;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.BucketSetting;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.NameOutcome;
import dev.ron.storage.s3.names.Names;

/**
 * Removes the policy of a bucket.
 *
 * <p>Threading: immutable.
 */
public record DeleteBucketPolicy(Names names) implements S3Verb<Bucket, NameOutcome> {
  @Override
  public S3Action action(S3Call call) {
    return S3Action.DELETE_POLICY;
  }

  @Override
  public Bucket parse(S3Call call) throws Refusal {
    return call.bucket();
  }

  @Override
  public NameOutcome handle(Bucket bucket) throws Refusal, InterruptedException {
    return names.changed(
        new NameCommand.PutSetting(bucket.id(), bucket.name(), BucketSetting.POLICY, null));
  }

  @Override
  public Answer write(NameOutcome outcome) {
    return Answer.empty(204);
  }
}
