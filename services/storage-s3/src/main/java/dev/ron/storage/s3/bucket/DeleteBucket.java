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
import dev.ron.storage.s3.names.RowKeys;
import java.util.List;

/**
 * Deletes a bucket that has nothing in it.
 *
 * <p>Threading: immutable.
 */
public record DeleteBucket(Names names) implements S3Verb<NameCommand.DeleteBucket, NameOutcome> {
  /** So few share a flush that no other change waits for a million rows. */
  private static final int UPLOADS_AT_ONCE = 200;

  @Override
  public S3Action action(S3Call call) {
    return S3Action.DELETE_BUCKET;
  }

  @Override
  public NameCommand.DeleteBucket parse(S3Call call) throws Refusal {
    Bucket bucket = call.bucket();
    return new NameCommand.DeleteBucket(bucket.id(), bucket.name(), call.context().nowMillis());
  }

  /**
   * The bucket goes first, and its uploads when that is decided: an object that comes meanwhile
   * keeps the bucket, and then nothing of it may be gone.
   */
  @Override
  public NameOutcome handle(NameCommand.DeleteBucket command) throws Refusal, InterruptedException {
    NameOutcome deleted = names.changed(command);
    try {
      List<NameCommand> uploads = uploads(command);
      while (!uploads.isEmpty()) {
        names.changeAll(uploads);
        uploads = uploads(command);
      }
    } catch (Refusal _) {
      // The bucket is gone; the sweep ends what is left of it.
    }
    return deleted;
  }

  /** Some of the uploads that outlive the bucket. */
  private List<NameCommand> uploads(NameCommand.DeleteBucket command) {
    return names.view().uploads(RowKeys.uploads(command.bucket()), UPLOADS_AT_ONCE).stream()
        .filter(upload -> upload.bucket() == command.bucket())
        .map(upload -> upload.abort(command.name(), command.nowMillis()))
        .toList();
  }

  @Override
  public Answer write(NameOutcome outcome) {
    return Answer.empty(204);
  }
}
