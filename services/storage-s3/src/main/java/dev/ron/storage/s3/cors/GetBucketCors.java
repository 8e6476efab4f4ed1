package dev.ron.storage.s3.cors;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.BucketSetting;
import dev.ron.storage.s3.names.NameView;

/**
 * Answers the rules for other origins as they were set.
 *
 * <p>Threading: immutable.
 */
public record GetBucketCors(NameView view) implements S3Verb<Bucket, byte[]> {
  @Override
  public S3Action action(S3Call call) {
    return S3Action.GET_CORS;
  }

  @Override
  public Bucket parse(S3Call call) throws Refusal {
    return call.bucket();
  }

  @Override
  public byte[] handle(Bucket bucket) throws Refusal {
    return view.setting(bucket.id(), BucketSetting.CORS)
        .orElseThrow(() -> Refusal.of(new S3Fault.NoSuchCORSConfiguration(bucket.name().text())));
  }

  @Override
  public Answer write(byte[] document) {
    return Answer.bytes(200, "application/xml", document);
  }
}
