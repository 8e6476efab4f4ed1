package dev.ron.storage.s3.lock;

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
import dev.ron.storage.s3.setting.LockRule;
import java.io.IOException;

/**
 * Sets the lock that each new version of a bucket gets, and first makes its versions lockable if
 * they were not: nothing ever undoes that.
 *
 * <p>Threading: immutable.
 */
public record PutObjectLockConfiguration(Names names)
    implements S3Verb<NameCommand.PutSetting, NameOutcome> {
  @Override
  public S3Action action(S3Call call) {
    return S3Action.PUT_OBJECT_LOCK;
  }

  @Override
  public NameCommand.PutSetting parse(S3Call call) throws IOException {
    byte[] document = LockRule.checked(call.document());
    Bucket bucket = call.bucket();
    return new NameCommand.PutSetting(
        bucket.id(), bucket.name(), BucketSetting.OBJECT_LOCK, document);
  }

  @Override
  public NameOutcome handle(NameCommand.PutSetting command) throws Refusal, InterruptedException {
    names.changed(new NameCommand.ChangeBucket(command.bucket(), command.name(), null, null, true));
    return names.changed(command);
  }

  @Override
  public Answer write(NameOutcome outcome) {
    return Answer.empty(200);
  }
}
