package dev.ron.storage.s3.setting;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.BucketSetting;
import dev.ron.storage.s3.names.NameView;

/**
 * Answers a setting of a bucket as it is kept.
 *
 * <p>Threading: immutable.
 */
public record GetBucketSetting(NameView view, SettingDocument document)
    implements S3Verb<Bucket, byte[]> {
  @Override
  public S3Action action(S3Call call) {
    return document.rights().get();
  }

  @Override
  public Bucket parse(S3Call call) throws Refusal {
    return call.bucket();
  }

  @Override
  public byte[] handle(Bucket bucket) throws Refusal {
    BucketSetting setting = document.setting();
    byte[] kept =
        view.setting(bucket.id(), setting)
            .orElseThrow(() -> Refusal.of(document.absent().apply(bucket.name().text())));
    return setting == BucketSetting.OWNERSHIP ? OwnershipControls.document(kept) : kept;
  }

  @Override
  public Answer write(byte[] kept) {
    return Answer.bytes(200, document.mediaType(), kept);
  }
}
