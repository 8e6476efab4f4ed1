package dev.ron.storage.s3.lock;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Verb;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.BucketSetting;
import dev.ron.storage.s3.names.NameView;
import dev.ron.storage.s3.setting.LockRule;
import dev.ron.storage.s3.xml.XmlWriter;
import java.util.Optional;

/**
 * Says whether versions of a bucket can be locked, and the lock that each new one gets.
 *
 * <p>Threading: immutable.
 */
public record GetObjectLockConfiguration(NameView view)
    implements S3Verb<Bucket, Optional<LockRule>> {
  @Override
  public S3Action action(S3Call call) {
    return S3Action.GET_OBJECT_LOCK;
  }

  @Override
  public Bucket parse(S3Call call) throws Refusal {
    return call.bucket();
  }

  @Override
  public Optional<LockRule> handle(Bucket bucket) throws Refusal {
    if (!bucket.objectLock()) {
      throw Refusal.of(new S3Fault.ObjectLockConfigurationNotFoundError(bucket.name().text()));
    }
    Optional<byte[]> document = view.setting(bucket.id(), BucketSetting.OBJECT_LOCK);
    return document.isEmpty() ? Optional.empty() : LockRule.read(document.get());
  }

  @Override
  public Answer write(Optional<LockRule> rule) {
    XmlWriter xml = XmlWriter.document("ObjectLockConfiguration");
    xml.text("ObjectLockEnabled", "Enabled");
    rule.ifPresent(
        found -> {
          xml.begin("Rule").begin("DefaultRetention").text("Mode", found.mode().name());
          if (found.days() > 0) {
            xml.number("Days", found.days());
          } else {
            xml.number("Years", found.years());
          }
          xml.end().end();
        });
    return Answer.bytes(200, "application/xml", xml.bytes());
  }
}
