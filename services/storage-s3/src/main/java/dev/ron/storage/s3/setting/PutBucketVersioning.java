package dev.ron.storage.s3.setting;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.NameOutcome;
import dev.ron.storage.s3.names.Names;
import dev.ron.storage.s3.xml.XmlReader;
import java.io.IOException;

/**
 * Switches the keeping of versions on or suspends it. A document that asks for deletes by a second
 * factor is taken without it, as there is none here.
 *
 * <p>Threading: immutable.
 */
public record PutBucketVersioning(Names names)
    implements S3Verb<NameCommand.ChangeBucket, NameOutcome> {
  static final String ENABLED = "Enabled";
  static final String SUSPENDED = "Suspended";

  @Override
  public S3Action action(S3Call call) {
    return S3Action.PUT_VERSIONING;
  }

  @Override
  public NameCommand.ChangeBucket parse(S3Call call) throws IOException {
    String status =
        XmlReader.read(call.document(), "VersioningConfiguration").text("Status").orElse("");
    Bucket.Versioning versioning =
        switch (status) {
          case ENABLED -> Bucket.Versioning.ENABLED;
          case SUSPENDED -> Bucket.Versioning.SUSPENDED;
          default ->
              throw Refusal.of(
                  new S3Fault.MalformedXML("Status must be " + ENABLED + " or " + SUSPENDED));
        };
    Bucket bucket = call.bucket();
    return new NameCommand.ChangeBucket(bucket.id(), bucket.name(), versioning, null, false);
  }

  @Override
  public NameOutcome handle(NameCommand.ChangeBucket command) throws Refusal, InterruptedException {
    return names.changed(command);
  }

  @Override
  public Answer write(NameOutcome outcome) {
    return Answer.empty(200);
  }
}
