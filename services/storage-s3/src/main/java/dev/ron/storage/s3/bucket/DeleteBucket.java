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
import java.util.ArrayList;
import java.util.List;

/**
 * Deletes a bucket that has nothing in it.
 *
 * <p>Threading: immutable.
 */
public record DeleteBucket(Names names) implements S3Verb<NameCommand.DeleteBucket, NameOutcome> {
  /**
   * What deletes the bucket ends the rest of them too; so few that no change of a name waits for a
   * million rows.
   */
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

  @Override
  public NameOutcome handle(NameCommand.DeleteBucket command) throws Refusal, InterruptedException {
    boolean more = names.view().isEmpty(command.bucket());
    while (more) {
      List<NameCommand> uploads = uploads(command);
      more = uploads.size() == UPLOADS_AT_ONCE;
      if (more) {
        names.changeAll(uploads);
      }
    }
    return names.changed(command);
  }

  /** Some of the uploads that end with the bucket. */
  private List<NameCommand> uploads(NameCommand.DeleteBucket command) {
    var uploads = new ArrayList<NameCommand>();
    names
        .view()
        .rows()
        .scanAll(
            RowKeys.uploads(command.bucket()),
            row -> {
              uploads.add(
                  new NameCommand.AbortUpload(
                      command.bucket(),
                      command.name(),
                      RowKeys.keyOfVersion(row.key()),
                      RowKeys.uploadOf(row.key()),
                      command.nowMillis()));
              return uploads.size() < UPLOADS_AT_ONCE;
            });
    return uploads;
  }

  @Override
  public Answer write(NameOutcome outcome) {
    return Answer.empty(204);
  }
}
