package dev.ron.storage.s3.upload;

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
 * Ends an upload without an object; its parts are let go.
 *
 * <p>Threading: immutable.
 */
public record AbortMultipartUpload(Names names)
    implements S3Verb<NameCommand.AbortUpload, NameOutcome> {
  @Override
  public S3Action action(S3Call call) {
    return S3Action.ABORT_UPLOAD;
  }

  @Override
  public NameCommand.AbortUpload parse(S3Call call) throws Refusal {
    Bucket bucket = call.bucket();
    return new NameCommand.AbortUpload(
        bucket.id(), bucket.name(), call.key(), OpenUpload.id(call), call.context().nowMillis());
  }

  @Override
  public NameOutcome handle(NameCommand.AbortUpload command) throws Refusal, InterruptedException {
    return names.changed(command);
  }

  @Override
  public Answer write(NameOutcome outcome) {
    return Answer.empty(204);
  }
}
