package dev.ron.storage.s3.names;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.BucketName;
import dev.ron.storage.s3.core.BucketSetting;
import dev.ron.storage.s3.core.ObjectOwnership;
import java.util.Optional;

/**
 * What commands about buckets lead to.
 *
 * <p>Threading: as its rows.
 */
record BucketDecider(NameView view) {
  /** So few that no change of a name waits for a million rows; the rest are ended later. */
  private static final int UPLOADS_MAX = 200;

  NameDecision create(NameCommand.CreateBucket command, long sequence) {
    Optional<Bucket> there = view.bucket(command.name());
    if (there.isPresent()) {
      String name = command.name().text();
      return NameDecision.refused(
          isSame(there.get(), command)
              ? new S3Fault.BucketAlreadyOwnedByYou(name)
              : new S3Fault.BucketAlreadyExists(name));
    }
    var bucket =
        new Bucket(
            sequence,
            command.name(),
            command.owner(),
            command.nowMillis(),
            command.objectLock() ? Bucket.Versioning.ENABLED : Bucket.Versioning.OFF,
            command.objectLock(),
            command.acl());
    var decision = new NameDecision().put(RowKeys.bucket(bucket.name()), RowCodec.bytes(bucket));
    if (!command.location().isEmpty()) {
      decision.put(
          RowKeys.setting(sequence, BucketSetting.LOCATION), command.location().getBytes(UTF_8));
    }
    if (command.ownership() != null) {
      decision.put(
          RowKeys.setting(sequence, BucketSetting.OWNERSHIP),
          command.ownership().toString().getBytes(UTF_8));
    }
    return decision.answer(new NameOutcome.BucketMade(bucket));
  }

  /** Making a bucket again is no way to change who may read it. */
  private static boolean isSame(Bucket there, NameCommand.CreateBucket command) {
    return there.owner().equals(command.owner()) && there.acl().equals(command.acl());
  }

  /**
   * Open uploads do not keep a bucket; objects, versions and markers do. They end with it: some
   * here, and those that are left when it is gone by {@link NameCommand.AbortUpload}, for nothing
   * can reach them any more.
   */
  NameDecision delete(NameCommand.DeleteBucket command) {
    Optional<Bucket> bucket = same(command.bucket(), command.name());
    if (bucket.isEmpty()) {
      return NameDecision.refused(new S3Fault.NoSuchBucket(command.name().text()));
    }
    long id = command.bucket();
    if (!view.isEmpty(id)) {
      return NameDecision.refused(new S3Fault.BucketNotEmpty(command.name().text()));
    }
    var decision = new NameDecision().delete(RowKeys.bucket(command.name()));
    for (BucketSetting setting : BucketSetting.values()) {
      decision.delete(RowKeys.setting(id, setting));
    }
    int[] ended = new int[1];
    view.rows()
        .scanAll(
            RowKeys.uploads(id),
            row -> {
              decision.delete(row.key());
              References.releaseParts(decision, RowKeys.uploadOf(row.key()), command.nowMillis());
              return ++ended[0] < UPLOADS_MAX;
            });
    return decision;
  }

  NameDecision change(NameCommand.ChangeBucket command) {
    Optional<Bucket> found = same(command.bucket(), command.name());
    if (found.isEmpty()) {
      return NameDecision.refused(new S3Fault.NoSuchBucket(command.name().text()));
    }
    Bucket bucket = found.get();
    if (command.lockOn()) {
      if (bucket.versioning() != Bucket.Versioning.ENABLED) {
        return NameDecision.refused(
            new S3Fault.InvalidBucketState(
                "object lock needs a bucket that keeps versions; enable versioning first"));
      }
      bucket = bucket.withObjectLock();
    }
    if (command.versioning() != null) {
      if (bucket.objectLock() && command.versioning() != Bucket.Versioning.ENABLED) {
        return NameDecision.refused(
            new S3Fault.InvalidBucketState(
                "a bucket with object lock keeps versions; versioning cannot be suspended"));
      }
      bucket = bucket.with(command.versioning());
    }
    if (command.acl() != null) {
      if (view.ownership(bucket.id()) == ObjectOwnership.BUCKET_OWNER_ENFORCED) {
        return NameDecision.refused(new S3Fault.AccessControlListNotSupported());
      }
      bucket = bucket.with(command.acl());
    }
    return new NameDecision().put(RowKeys.bucket(bucket.name()), RowCodec.bytes(bucket));
  }

  NameDecision set(NameCommand.PutSetting command) {
    Optional<Bucket> bucket = same(command.bucket(), command.name());
    if (bucket.isEmpty()) {
      return NameDecision.refused(new S3Fault.NoSuchBucket(command.name().text()));
    }
    byte[] value = command.value();
    if (command.setting() == BucketSetting.OWNERSHIP
        && value != null
        && isEnforced(value)
        && !bucket.get().acl().isOnlyFor(bucket.get().owner())) {
      return NameDecision.refused(
          new S3Fault.InvalidBucketAclWithObjectOwnership(command.name().text()));
    }
    byte[] row = RowKeys.setting(command.bucket(), command.setting());
    var decision = new NameDecision();
    return value == null ? decision.delete(row) : decision.put(row, value);
  }

  private static boolean isEnforced(byte[] ownership) {
    return ObjectOwnership.BUCKET_OWNER_ENFORCED.toString().equals(new String(ownership, UTF_8));
  }

  /** The bucket, unless it was deleted, or deleted and made again, since the caller saw it. */
  private Optional<Bucket> same(long id, BucketName name) {
    return view.bucket(name).filter(bucket -> bucket.id() == id);
  }
}
