package dev.ron.storage.s3.setting;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.NameOutcome;
import dev.ron.storage.s3.names.Names;
import java.io.IOException;

/**
 * Replaces a setting of a bucket.
 *
 * <p>Threading: immutable.
 */
public record PutBucketSetting(Names names, SettingDocument document)
    implements S3Verb<NameCommand.PutSetting, NameOutcome> {
  @Override
  public S3Action action(S3Call call) {
    return document.rights().put();
  }

  @Override
  public NameCommand.PutSetting parse(S3Call call) throws IOException {
    Bucket bucket = call.bucket();
    byte[] kept = document.check().kept(call.document(), bucket, names.view());
    return new NameCommand.PutSetting(bucket.id(), bucket.name(), document.setting(), kept);
  }

  @Override
  public NameOutcome handle(NameCommand.PutSetting command) throws Refusal, InterruptedException {
    return names.changed(command);
  }

  @Override
  public Answer write(NameOutcome outcome) {
    return Answer.empty(document.putStatus());
  }
}
