package dev.ron.storage.s3.tag;

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
import java.io.IOException;

/**
 * Replaces the tags of a bucket.
 *
 * <p>Threading: immutable.
 */
public record PutBucketTagging(Names names) implements S3Verb<NameCommand.PutSetting, NameOutcome> {
  private static final int TAGS_MAX = 50;

  @Override
  public S3Action action(S3Call call) {
    return S3Action.PUT_BUCKET_TAGS;
  }

  @Override
  public NameCommand.PutSetting parse(S3Call call) throws IOException {
    Bucket bucket = call.bucket();
    byte[] tags = TagDocument.write(TagDocument.read(call.document(), TAGS_MAX));
    return new NameCommand.PutSetting(bucket.id(), bucket.name(), BucketSetting.TAGS, tags);
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
