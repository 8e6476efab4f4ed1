package dev.ron.storage.s3.bucket;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.NameOutcome;
import dev.ron.storage.s3.names.Names;

/**
 * Deletes a bucket that has nothing in it.
 *
 * <p>Threading: immutable.
 */
public record DeleteBucket(Names names) implements S3Verb<NameCommand.DeleteBucket, NameOutcome> {
  @Override
  public S3Action action(S3Call call) {
    return S3Action.DELETE_BUCKET;
  }

  @Override
  public NameCommand.DeleteBucket parse(S3Call call) throws Refusal {
    Bucket bucket = call.bucket();
    return new NameCommand.DeleteBucket(bucket.id(), bucket.name(), call.context().nowMillis());
  }

  @Override
  public NameOutcome handle(NameCommand.DeleteBucket command) throws Refusal, InterruptedException {
    return names.changed(command);
  }

  @Override
  public Answer write(NameOutcome outcome) {
    return Answer.empty(204);
  }
}
