package dev.ron.storage.s3.lock;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.Retention;
import dev.ron.storage.s3.object.FoundVersion;
import dev.ron.storage.s3.object.RequestLock;
import dev.ron.storage.s3.xml.XmlTime;
import dev.ron.storage.s3.xml.XmlWriter;

/**
 * Says until when a version may not be deleted.
 *
 * <p>Threading: stateless.
 */
public record GetObjectRetention() implements S3Verb<FoundVersion, Retention> {
  @Override
  public S3Action action(S3Call call) {
    return S3Action.GET_LOCK;
  }

  @Override
  public FoundVersion parse(S3Call call) throws Refusal {
    Bucket bucket = call.bucket();
    RequestLock.requireLock(bucket);
    return FoundVersion.of(call, bucket);
  }

  @Override
  public Retention handle(FoundVersion found) throws Refusal {
    Retention retention = found.version().retention();
    if (retention == null) {
      throw Refusal.of(new S3Fault.NoSuchObjectLockConfiguration("the version"));
    }
    return retention;
  }

  @Override
  public Answer write(Retention retention) {
    XmlWriter xml = XmlWriter.document("Retention");
    xml.text("Mode", retention.mode().name())
        .text("RetainUntilDate", XmlTime.of(retention.untilMillis()));
    return Answer.bytes(200, "application/xml", xml.bytes());
  }
}
