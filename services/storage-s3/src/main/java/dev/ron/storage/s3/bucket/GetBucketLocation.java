package dev.ron.storage.s3.bucket;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.BucketSetting;
import dev.ron.storage.s3.names.NameView;
import dev.ron.storage.s3.xml.XmlWriter;

/**
 * Says which region a bucket was made for; nothing of one that was made without.
 *
 * <p>Threading: immutable.
 */
public record GetBucketLocation(NameView view) implements S3Verb<Bucket, String> {
  @Override
  public S3Action action(S3Call call) {
    return S3Action.GET_LOCATION;
  }

  @Override
  public Bucket parse(S3Call call) throws Refusal {
    return call.bucket();
  }

  @Override
  public String handle(Bucket bucket) {
    return view.setting(bucket.id(), BucketSetting.LOCATION)
        .map(bytes -> new String(bytes, UTF_8))
        .orElse("");
  }

  @Override
  public Answer write(String region) {
    // The one document whose root has the value itself.
    String root =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<LocationConstraint xmlns=\""
            + XmlWriter.NAMESPACE
            + "\">"
            + region
            + "</LocationConstraint>";
    return Answer.bytes(200, "application/xml", root.getBytes(UTF_8));
  }
}
