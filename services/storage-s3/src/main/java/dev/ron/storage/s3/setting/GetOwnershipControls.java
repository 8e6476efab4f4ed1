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
import dev.ron.storage.s3.names.NameView;
import dev.ron.storage.s3.xml.XmlWriter;

/**
 * Says whose the objects of a bucket are that others store in it.
 *
 * <p>Threading: immutable.
 */
public record GetOwnershipControls(NameView view) implements S3Verb<Bucket, String> {
  @Override
  public S3Action action(S3Call call) {
    return S3Action.GET_OWNERSHIP;
  }

  @Override
  public Bucket parse(S3Call call) throws Refusal {
    return call.bucket();
  }

  @Override
  public String handle(Bucket bucket) throws Refusal {
    return view.setting(bucket.id(), BucketSetting.OWNERSHIP)
        .map(text -> new String(text, UTF_8))
        .orElseThrow(
            () -> Refusal.of(new S3Fault.OwnershipControlsNotFoundError(bucket.name().text())));
  }

  @Override
  public Answer write(String ownership) {
    XmlWriter xml = XmlWriter.document("OwnershipControls");
    xml.begin("Rule").text("ObjectOwnership", ownership).end();
    return Answer.bytes(200, "application/xml", xml.bytes());
  }
}
