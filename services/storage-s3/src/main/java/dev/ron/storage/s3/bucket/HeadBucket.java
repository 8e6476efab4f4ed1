package dev.ron.storage.s3.bucket;

import dev.ron.http.Headers;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.http.server.exchange.Body;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.core.Bucket;

/**
 * Says that a bucket is there and may be listed.
 *
 * <p>Threading: immutable.
 */
public record HeadBucket(String region) implements S3Verb<Bucket, Bucket> {
  @Override
  public S3Action action(S3Call call) {
    return S3Action.LIST;
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
    return new Answer(200, new Headers(1).add("x-amz-bucket-region", region), Body.Bytes.NONE);
  }
}
