package dev.ron.storage.s3.names;

import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.core.Acl;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.ObjectOwnership;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.Retention;
import dev.ron.storage.s3.core.VersionRef;
import dev.ron.storage.s3.names.NameCommand.Amendment;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What changes of tags, grants and locks lead to.
 *
 * <p>Threading: as its rows.
 */
record AmendDecider(NameView view) {
  NameDecision amend(NameCommand.AmendObject command) {
    Optional<Bucket> bucket =
        view.bucket(command.name()).filter(found -> found.id() == command.bucket());
    if (bucket.isEmpty()) {
      return NameDecision.refused(new S3Fault.NoSuchBucket(command.name().text()));
    }
    Optional<NameView.Found> found =
        view.version(command.bucket(), command.key(), command.version());
    if (found.isEmpty()) {
      return NameDecision.refused(
          command.version() instanceof VersionRef.Exact(var uid)
              ? new S3Fault.NoSuchVersion(uid.toString())
              : new S3Fault.NoSuchKey(command.key().toString()));
    }
    ObjectVersion version = found.get().version();
    if (version.isMarker()) {
      return NameDecision.refused(
          command.version() instanceof VersionRef.Current
              ? new S3Fault.NoSuchKey(command.key().toString())
              : new S3Fault.MethodNotAllowed("a change of a delete marker"));
    }
    S3Fault fault = fault(bucket.get(), version, command.amendment(), command.nowMillis());
    if (fault != null) {
      return NameDecision.refused(fault);
    }
    ObjectVersion amended = amended(version, command.amendment());
    return new NameDecision()
        .put(found.get().row(), RowCodec.bytes(amended))
        .answer(
            new NameOutcome.Stored(amended, bucket.get().versioning() != Bucket.Versioning.OFF));
  }

  private @Nullable S3Fault fault(
      Bucket bucket, ObjectVersion version, Amendment amendment, long nowMillis) {
    return switch (amendment) {
      case Amendment.Tags _ -> null;
      case Amendment.Grants _ ->
          view.ownership(bucket.id()) == ObjectOwnership.BUCKET_OWNER_ENFORCED
              ? new S3Fault.AccessControlListNotSupported()
              : null;
      case Amendment.Hold _ -> unlockable(bucket);
      case Amendment.Retain(Retention wanted, boolean bypass) -> {
        S3Fault unlockable = unlockable(bucket);
        yield unlockable == null
            ? weaker(version.retention(), wanted, bypass, nowMillis)
            : unlockable;
      }
    };
  }

  private static @Nullable S3Fault unlockable(Bucket bucket) {
    return bucket.objectLock()
        ? null
        : new S3Fault.InvalidRequest(bucket.name() + " was made without object lock");
  }

  /**
   * A lock that holds may be made longer; shorter or of another mode only by the right to bypass.
   */
  private static @Nullable S3Fault weaker(
      @Nullable Retention now, @Nullable Retention wanted, boolean bypass, long nowMillis) {
    if (now == null || !now.holds(nowMillis)) {
      return null;
    }
    boolean longer =
        wanted != null && wanted.mode() == now.mode() && wanted.untilMillis() >= now.untilMillis();
    boolean bypassed = bypass && now.mode() == Retention.Mode.GOVERNANCE;
    return longer || bypassed
        ? null
        : new S3Fault.AccessDenied("the version is locked; its lock can only be made longer");
  }

  private static ObjectVersion amended(ObjectVersion version, Amendment amendment) {
    return switch (amendment) {
      case Amendment.Tags(var tags) ->
          with(version, tags, version.acl(), version.retention(), version.legalHold());
      case Amendment.Grants(Acl acl) ->
          with(version, version.tags(), acl, version.retention(), version.legalHold());
      case Amendment.Retain(Retention retention, _) ->
          with(version, version.tags(), version.acl(), retention, version.legalHold());
      case Amendment.Hold(boolean on) ->
          with(version, version.tags(), version.acl(), version.retention(), on);
    };
  }

  private static ObjectVersion with(
      ObjectVersion version,
      List<ObjectVersion.Pair> tags,
      Acl acl,
      @Nullable Retention retention,
      boolean legalHold) {
    return new ObjectVersion(
        version.uid(),
        version.kind(),
        version.isNull(),
        version.owner(),
        version.modifiedMillis(),
        version.sizeBytes(),
        version.etag(),
        version.checksum(),
        version.fields(),
        tags,
        acl,
        retention,
        legalHold,
        version.content(),
        version.encryption());
  }
}
