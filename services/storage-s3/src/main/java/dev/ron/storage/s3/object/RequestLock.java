package dev.ron.storage.s3.object;

import dev.ron.http.Refusal;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.api.S3Action;
import dev.ron.storage.s3.api.S3Call;
import dev.ron.storage.s3.api.S3Rights;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.BucketSetting;
import dev.ron.storage.s3.core.Retention;
import dev.ron.storage.s3.names.NameView;
import dev.ron.storage.s3.setting.LockRule;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/**
 * The lock that a request puts on the version that it stores: its own, or the bucket's usual one.
 *
 * <p>Threading: stateless.
 */
public final class RequestLock {
  private static final String MODE = "x-amz-object-lock-mode";
  private static final String UNTIL = "x-amz-object-lock-retain-until-date";
  private static final String HOLD = "x-amz-object-lock-legal-hold";

  public static final String ON = "ON";
  public static final String OFF = "OFF";

  /** The last with four digits: clients read no more of them in an answer. */
  private static final int YEAR_MAX = 9999;

  private RequestLock() {}

  public static @Nullable Retention retention(S3Call call, Bucket bucket) throws Refusal {
    String mode = call.header(MODE);
    String until = call.header(UNTIL);
    if (mode == null && until == null) {
      return bucket.objectLock() ? usual(call, bucket) : null;
    }
    if (mode == null || until == null) {
      throw Refusal.of(
          new S3Fault.InvalidArgument(MODE + " and " + UNTIL + " must both be supplied"));
    }
    requireLock(bucket);
    S3Rights.requireCapability(call, S3Action.PUT_LOCK);
    return retention(mode, until, call.context().nowMillis());
  }

  /** Checked as in a field or a document. */
  public static Retention retention(String mode, String until, long nowMillis) throws Refusal {
    long untilMillis = millis(until);
    if (untilMillis <= nowMillis) {
      throw Refusal.of(new S3Fault.InvalidArgument("The retain until date must be in the future!"));
    }
    for (Retention.Mode each : Retention.Mode.values()) {
      if (each.name().equals(mode)) {
        return new Retention(each, untilMillis);
      }
    }
    throw Refusal.of(new S3Fault.MalformedXML("Unknown wormMode directive: " + mode));
  }

  private static long millis(String text) throws Refusal {
    try {
      OffsetDateTime date = OffsetDateTime.parse(text.strip());
      if (date.getYear() <= YEAR_MAX) {
        return date.toInstant().toEpochMilli();
      }
    } catch (DateTimeException _) {
      // said below
    }
    throw Refusal.of(
        new S3Fault.InvalidArgument("The retain until date must be provided in ISO 8601 format"));
  }

  public static boolean legalHold(S3Call call, Bucket bucket) throws Refusal {
    String hold = call.header(HOLD);
    if (hold == null) {
      return false;
    }
    if (!hold.equals(ON) && !hold.equals(OFF)) {
      throw Refusal.of(new S3Fault.InvalidArgument("Legal Hold must be either of 'ON' or 'OFF'"));
    }
    requireLock(bucket);
    S3Rights.requireCapability(call, S3Action.PUT_HOLD);
    return hold.equals(ON);
  }

  /** Refuses a bucket whose versions cannot be locked. */
  public static void requireLock(Bucket bucket) throws Refusal {
    if (!bucket.objectLock()) {
      throw Refusal.of(new S3Fault.InvalidRequest("Bucket is missing ObjectLockConfiguration"));
    }
  }

  private static @Nullable Retention usual(S3Call call, Bucket bucket) throws Refusal {
    Instant now = call.context().time().wall();
    NameView view = call.view();
    return view.setting(bucket.id(), BucketSetting.OBJECT_LOCK, LockRule::read)
        .flatMap(rule -> rule)
        .map(rule -> rule.from(now))
        .orElse(null);
  }
}
