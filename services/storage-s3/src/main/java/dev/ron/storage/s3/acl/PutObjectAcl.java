package dev.ron.storage.s3.acl;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.NameCommand.Amendment;
import dev.ron.storage.s3.names.NameOutcome;
import dev.ron.storage.s3.names.Names;
import dev.ron.storage.s3.object.FoundVersion;
import dev.ron.storage.s3.object.ObjectAmendment;
import java.io.IOException;

/**
 * Replaces the access control list of a version.
 *
 * <p>Threading: immutable.
 */
public record PutObjectAcl(Names names)
    implements S3Verb<NameCommand.AmendObject, NameOutcome.Stored> {
  @Override
  public S3Action action(S3Call call) {
    return S3Action.PUT_OBJECT_ACL;
  }

  @Override
  public NameCommand.AmendObject parse(S3Call call) throws IOException {
    Bucket bucket = call.bucket();
    String owner = FoundVersion.of(call, bucket).version().owner();
    return ObjectAmendment.command(
        call, new Amendment.Grants(AclDocument.asked(call, bucket, owner)));
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
