package dev.ron.storage.s3.policy;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.BucketSetting;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.NameOutcome;
import dev.ron.storage.s3.names.Names;
import java.io.IOException;

/**
 * Sets the policy of a bucket, if all of it is understood.
 *
 * <p>Threading: immutable.
 */
public record PutBucketPolicy(Names names) implements S3Verb<NameCommand.PutSetting, NameOutcome> {
  @Override
  public S3Action action(S3Call call) {
    return S3Action.PUT_POLICY;
  }

  @Override
  public NameCommand.PutSetting parse(S3Call call) throws IOException {
    Bucket bucket = call.bucket();
    byte[] document = call.document();
    BucketPolicy policy = PolicyReader.read(document, bucket.name());
    if (policy.isPublic() && PublicAccessBlock.of(names.view(), bucket).blockPublicPolicy()) {
      throw Refusal.of(
          new S3Fault.AccessDenied("the bucket's public access block refuses public policies"));
    }
    return new NameCommand.PutSetting(bucket.id(), bucket.name(), BucketSetting.POLICY, document);
  }

  @Override
  public NameOutcome handle(NameCommand.PutSetting command) throws Refusal, InterruptedException {
    return names.changed(command);
  }

  @Override
  public Answer write(NameOutcome outcome) {
    return Answer.empty(204);
  }
}
