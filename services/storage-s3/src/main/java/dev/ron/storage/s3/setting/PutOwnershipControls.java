package dev.ron.storage.s3.setting;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.BucketSetting;
import dev.ron.storage.s3.core.ObjectOwnership;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.NameOutcome;
import dev.ron.storage.s3.names.Names;
import dev.ron.storage.s3.xml.XmlNode;
import dev.ron.storage.s3.xml.XmlReader;
import java.io.IOException;
import java.util.List;

/**
 * Says from now on whose the objects of a bucket are that others store in it.
 *
 * <p>Threading: immutable.
 */
public record PutOwnershipControls(Names names)
    implements S3Verb<NameCommand.PutSetting, NameOutcome> {
  @Override
  public S3Action action(S3Call call) {
    return S3Action.PUT_OWNERSHIP;
  }

  @Override
  public NameCommand.PutSetting parse(S3Call call) throws IOException {
    List<XmlNode> rules = XmlReader.read(call.document(), "OwnershipControls").all("Rule");
    if (rules.size() != 1) {
      throw Refusal.of(new S3Fault.MalformedXML("OwnershipControls has one Rule"));
    }
    ObjectOwnership ownership =
        ObjectOwnership.of(rules.getFirst().text("ObjectOwnership").orElse(""))
            .orElseThrow(
                () -> Refusal.of(new S3Fault.MalformedXML("an ObjectOwnership that is none")));
    Bucket bucket = call.bucket();
    return new NameCommand.PutSetting(
        bucket.id(), bucket.name(), BucketSetting.OWNERSHIP, ownership.toString().getBytes(UTF_8));
  }

  @Override
  public NameOutcome handle(NameCommand.PutSetting command) throws Refusal, InterruptedException {
    return names.changed(command);
  }

  @Override
  public Answer write(NameOutcome outcome) {
    return Answer.empty(200);
  }
}
