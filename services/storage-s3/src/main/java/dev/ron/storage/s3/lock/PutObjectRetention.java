package dev.ron.storage.s3.lock;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Resource;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.core.Retention;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.NameCommand.Amendment;
import dev.ron.storage.s3.names.NameOutcome;
import dev.ron.storage.s3.names.Names;
import dev.ron.storage.s3.object.DeleteObject;
import dev.ron.storage.s3.object.ObjectAmendment;
import dev.ron.storage.s3.object.RequestLock;
import dev.ron.storage.s3.xml.XmlNode;
import dev.ron.storage.s3.xml.XmlReader;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Locks a version until a time; an empty document ends a lock, which needs the right to bypass it.
 *
 * <p>Threading: immutable.
 */
public record PutObjectRetention(Names names)
    implements S3Verb<NameCommand.AmendObject, NameOutcome.Stored> {
  @Override
  public S3Action action(S3Call call) {
    return S3Action.PUT_LOCK;
  }

  @Override
  public NameCommand.AmendObject parse(S3Call call) throws IOException {
    RequestLock.requireLock(call.bucket());
    Retention retention = retention(call);
    return ObjectAmendment.command(
        call, new Amendment.Retain(retention, DeleteObject.bypasses(call, S3Resource.of(call))));
  }

  private static @Nullable Retention retention(S3Call call) throws IOException {
    XmlNode root = XmlReader.read(call.document(), "Retention");
    root.requireKnown(Set.of("Mode", "RetainUntilDate"));
    Optional<String> mode = root.text("Mode");
    Optional<String> until = root.text("RetainUntilDate");
    if (mode.isEmpty() && until.isEmpty()) {
      return null;
    }
    if (mode.isEmpty() || until.isEmpty()) {
      throw Refusal.of(new S3Fault.MalformedXML("a retention has Mode and RetainUntilDate"));
    }
    return RequestLock.retention(mode.get(), until.get(), call.context().nowMillis());
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
