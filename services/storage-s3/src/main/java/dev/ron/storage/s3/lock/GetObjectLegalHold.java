package dev.ron.storage.s3.lock;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.object.FoundVersion;
import dev.ron.storage.s3.object.RequestLock;
import dev.ron.storage.s3.xml.XmlWriter;

/**
 * Says whether a version is held.
 *
 * <p>Threading: stateless.
 */
public record GetObjectLegalHold() implements S3Verb<FoundVersion, FoundVersion> {
  @Override
  public S3Action action(S3Call call) {
    return S3Action.GET_HOLD;
  }

  @Override
  public FoundVersion parse(S3Call call) throws Refusal {
    Bucket bucket = call.bucket();
    RequestLock.requireLock(bucket);
    return FoundVersion.of(call, bucket);
  }

  @Override
  public FoundVersion handle(FoundVersion found) {
    return found;
  }

  @Override
  public Answer write(FoundVersion found) {
    XmlWriter xml = XmlWriter.document("LegalHold");
    xml.text("Status", found.version().legalHold() ? RequestLock.ON : RequestLock.OFF);
    return found.document(xml.bytes());
  }
}
