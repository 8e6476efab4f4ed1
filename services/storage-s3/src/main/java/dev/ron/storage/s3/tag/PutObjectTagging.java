package dev.ron.storage.s3.tag;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.NameCommand.Amendment;
import dev.ron.storage.s3.names.NameOutcome;
import dev.ron.storage.s3.names.Names;
import dev.ron.storage.s3.object.ObjectAmendment;
import dev.ron.storage.s3.object.RequestTags;
import java.io.IOException;

/**
 * Replaces the tags of a version.
 *
 * <p>Threading: immutable.
 */
public record PutObjectTagging(Names names)
    implements S3Verb<NameCommand.AmendObject, NameOutcome.Stored> {
  @Override
  public S3Action action(S3Call call) {
    return S3Action.PUT_OBJECT_TAGS;
  }

  @Override
  public NameCommand.AmendObject parse(S3Call call) throws IOException {
    return ObjectAmendment.command(
        call, new Amendment.Tags(TagDocument.read(call.document(), RequestTags.OBJECT_TAGS_MAX)));
  }

  @Override
  public NameOutcome.Stored handle(NameCommand.AmendObject command)
      throws Refusal, InterruptedException {
    return (NameOutcome.Stored) names.changed(command);
  }

  @Override
  public Answer write(NameOutcome.Stored stored) {
    return ObjectAmendment.answer(200, stored);
  }
}
