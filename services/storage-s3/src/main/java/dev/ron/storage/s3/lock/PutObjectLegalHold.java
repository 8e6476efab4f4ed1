package dev.ron.storage.s3.lock;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.NameCommand.Amendment;
import dev.ron.storage.s3.names.NameOutcome;
import dev.ron.storage.s3.names.Names;
import dev.ron.storage.s3.object.ObjectAmendment;
import dev.ron.storage.s3.object.RequestLock;
import dev.ron.storage.s3.xml.XmlReader;
import java.io.IOException;

/**
 * Holds a version without an end, or lets it go.
 *
 * <p>Threading: immutable.
 */
public record PutObjectLegalHold(Names names)
    implements S3Verb<NameCommand.AmendObject, NameOutcome.Stored> {
  @Override
  public S3Action action(S3Call call) {
    return S3Action.PUT_HOLD;
  }

  @Override
  public NameCommand.AmendObject parse(S3Call call) throws IOException {
    RequestLock.requireLock(call.bucket());
    String status = XmlReader.read(call.document(), "LegalHold").text("Status").orElse("");
    if (!status.equals(RequestLock.ON) && !status.equals(RequestLock.OFF)) {
      throw Refusal.of(new S3Fault.MalformedXML("Status must be ON or OFF"));
    }
    return ObjectAmendment.command(call, new Amendment.Hold(status.equals(RequestLock.ON)));
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
