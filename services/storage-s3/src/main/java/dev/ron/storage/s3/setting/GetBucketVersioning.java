package dev.ron.storage.s3.setting;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.xml.XmlWriter;

/**
 * Says whether a bucket keeps versions; of one that never did, nothing.
 *
 * <p>Threading: stateless.
 */
public record GetBucketVersioning() implements S3Verb<Bucket, Bucket> {
  @Override
  public S3Action action(S3Call call) {
    return S3Action.GET_VERSIONING;
  }

  @Override
  public Bucket parse(S3Call call) throws Refusal {
    return call.bucket();
  }

  @Override
  public Bucket handle(Bucket bucket) {
    return bucket;
  }

  @Override
  public Answer write(Bucket bucket) {
    XmlWriter xml = XmlWriter.document("VersioningConfiguration");
    switch (bucket.versioning()) {
      case OFF -> {
        // it says nothing
      }
      case ENABLED -> xml.text("Status", PutBucketVersioning.ENABLED);
      case SUSPENDED -> xml.text("Status", PutBucketVersioning.SUSPENDED);
    }
    return Answer.bytes(200, "application/xml", xml.bytes());
  }
}
