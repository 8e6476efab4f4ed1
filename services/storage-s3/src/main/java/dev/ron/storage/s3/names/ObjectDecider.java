package dev.ron.storage.s3.names;

import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.BucketName;
import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.Uid;
import dev.ron.storage.s3.core.VersionRef;
import dev.ron.storage.s3.core.WriteCondition;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What commands about objects lead to.
 *
 * <p>There is always this: the object's own row exists if its newest version is no delete marker,
 * and holds that version; every other version lies in a row of versions.
 *
 * <p>Threading: as its rows.
 */
record ObjectDecider(NameView view) {
  NameDecision put(NameCommand.PutObject command, long sequence) {
    Bucket bucket = same(command.bucket(), command.name());
    if (bucket == null) {
      return refused(new S3Fault.NoSuchBucket(command.name().text()), command.version());
    }
    Optional<S3Fault> failed = failed(command.condition(), bucket, command.key());
    if (failed.isPresent()) {
      return refused(failed.get(), command.version());
    }
    var decision = new NameDecision();
    ObjectVersion draft = command.version();
    ObjectVersion version = placed(decision, bucket, command.key(), draft, sequence);
    References.take(decision, version.content(), version.uid(), 0);
    return decision;
  }

  private static NameDecision refused(S3Fault fault, ObjectVersion draft) {
    NameDecision refused = NameDecision.refused(fault);
    References.leave(refused, draft.content(), draft.modifiedMillis());
    return refused;
  }

  /** Writes a version as the newest of its object; its references are its caller's to write. */
  ObjectVersion placed(
      NameDecision decision, Bucket bucket, ObjectKey key, ObjectVersion draft, long sequence) {
    boolean keepsVersions = bucket.versioning() == Bucket.Versioning.ENABLED;
    long nowMillis = draft.modifiedMillis();
    makeRoom(decision, bucket, key, !keepsVersions, nowMillis);
    ObjectVersion version =
        numbered(draft, new Uid(sequence, draft.uid().chance()), !keepsVersions);
    decision
        .put(RowKeys.object(bucket.id(), key), RowCodec.bytes(version))
        .answer(new NameOutcome.Stored(version, keepsVersions));
    return version;
  }

  /**
   * Moves the newest version to the older ones.
   *
   * @param replacesNull whether what follows is a null version, of which there is one at most
   */
  private void makeRoom(
      NameDecision decision, Bucket bucket, ObjectKey key, boolean replacesNull, long nowMillis) {
    long id = bucket.id();
    Optional<NameView.Found> current = view.current(id, key);
    if (current.isPresent()) {
      ObjectVersion old = current.get().version();
      if (replacesNull && old.isNull()) {
        References.release(decision, old, nowMillis);
      } else {
        retire(decision, id, key, old);
      }
    }
    if (replacesNull && bucket.versioning() != Bucket.Versioning.OFF) {
      Optional<NameView.Found> older = view.olderNull(id, key);
      if (older.isPresent()) {
        decision.delete(older.get().row()).delete(RowKeys.nullVersion(id, key));
        References.release(decision, older.get().version(), nowMillis);
      }
    }
  }

  private static void retire(
      NameDecision decision, long bucket, ObjectKey key, ObjectVersion version) {
    long sequence = version.uid().sequence();
    decision.put(RowKeys.version(bucket, key, sequence), RowCodec.bytes(version));
    if (version.isNull()) {
      decision.put(RowKeys.nullVersion(bucket, key), new RowWriter().eight(sequence).bytes());
    }
  }

  NameDecision delete(NameCommand.DeleteObject command, long sequence) {
    Bucket bucket = same(command.bucket(), command.name());
    if (bucket == null) {
      return NameDecision.refused(new S3Fault.NoSuchBucket(command.name().text()));
    }
    return command.version() instanceof VersionRef.Current
        ? hide(command, bucket, sequence)
        : deleteVersion(command, bucket);
  }

  private NameDecision hide(NameCommand.DeleteObject command, Bucket bucket, long sequence) {
    ObjectKey key = command.key();
    if (command.condition().asks()) {
      ObjectVersion there = view.newest(bucket.id(), key).map(NameView.Found::version).orElse(null);
      if (there == null) {
        return new NameDecision().answer(new NameOutcome.Deleted("", false));
      }
      if (command.condition().of(there) == WriteCondition.Verdict.FAILS) {
        return NameDecision.refused(new S3Fault.PreconditionFailed("the condition of the delete"));
      }
    }
    var decision = new NameDecision();
    byte[] row = RowKeys.object(bucket.id(), key);
    long nowMillis = command.nowMillis();
    if (bucket.versioning() == Bucket.Versioning.OFF) {
      Optional<NameView.Found> current = view.current(bucket.id(), key);
      if (current.isPresent()) {
        decision.delete(row);
        References.release(decision, current.get().version(), nowMillis);
      }
      return decision.answer(new NameOutcome.Deleted("", false));
    }
    boolean isNull = bucket.versioning() == Bucket.Versioning.SUSPENDED;
    makeRoom(decision, bucket, key, isNull, nowMillis);
    decision.delete(row);
    var marker =
        ObjectVersion.marker(
            new Uid(sequence, command.chance()), isNull, command.owner(), nowMillis);
    retire(decision, bucket.id(), key, marker);
    return decision.answer(new NameOutcome.Deleted(marker.versionId(), true));
  }

  private NameDecision deleteVersion(NameCommand.DeleteObject command, Bucket bucket) {
    long id = bucket.id();
    ObjectKey key = command.key();
    Optional<NameView.Found> found = view.version(id, key, command.version());
    if (found.isEmpty()) {
      return new NameDecision().answer(new NameOutcome.Deleted(text(command.version()), false));
    }
    ObjectVersion version = found.get().version();
    if (version.isLocked(command.nowMillis(), command.bypassGovernance())) {
      return NameDecision.refused(
          new S3Fault.AccessDenied(
              "version " + version.versionId() + " is locked and cannot be deleted now"));
    }
    if (command.condition().of(version) == WriteCondition.Verdict.FAILS) {
      return NameDecision.refused(new S3Fault.PreconditionFailed("the condition of the delete"));
    }
    var decision = new NameDecision().delete(found.get().row());
    if (!found.get().isCurrent() && version.isNull()) {
      decision.delete(RowKeys.nullVersion(id, key));
    }
    if (!version.isMarker()) {
      References.release(decision, version, command.nowMillis());
    }
    if (found.get().isCurrent() || (version.isMarker() && view.object(id, key).isEmpty())) {
      promote(decision, id, key, found.get().row());
    }
    return decision.answer(new NameOutcome.Deleted(version.versionId(), version.isMarker()));
  }

  /** Makes the newest of the versions that stay the object's own, unless it is a marker. */
  private void promote(NameDecision decision, long bucket, ObjectKey key, byte[] gone) {
    Optional<NameView.Found> newest = view.newestOlder(bucket, key, gone);
    if (newest.isPresent() && !newest.get().version().isMarker()) {
      ObjectVersion version = newest.get().version();
      decision.delete(newest.get().row()).put(RowKeys.object(bucket, key), RowCodec.bytes(version));
      if (version.isNull()) {
        decision.delete(RowKeys.nullVersion(bucket, key));
      }
    }
  }

  private static String text(VersionRef ref) {
    return ref instanceof VersionRef.Exact(Uid uid) ? uid.toString() : VersionRef.NULL;
  }

  /** Why a write may not happen. */
  Optional<S3Fault> failed(WriteCondition condition, Bucket bucket, ObjectKey key) {
    if (!condition.asks()) {
      return Optional.empty();
    }
    return switch (condition.of(view.object(bucket.id(), key).orElse(null))) {
      case HOLDS -> Optional.empty();
      case ABSENT -> Optional.of(new S3Fault.NoSuchKey(key.toString()));
      case FAILS ->
          Optional.of(
              new S3Fault.PreconditionFailed(
                  condition.ifMatch() == null ? "If-None-Match" : "If-Match"));
    };
  }

  private static ObjectVersion numbered(ObjectVersion draft, Uid uid, boolean isNull) {
    return new ObjectVersion(
        uid,
        draft.kind(),
        isNull,
        draft.owner(),
        draft.modifiedMillis(),
        draft.sizeBytes(),
        draft.etag(),
        draft.checksum(),
        draft.fields(),
        draft.tags(),
        draft.acl(),
        draft.retention(),
        draft.legalHold(),
        draft.content(),
        draft.encryption());
  }

  /** The bucket, unless it was deleted, or deleted and made again, since the caller saw it. */
  @Nullable Bucket same(long id, BucketName name) {
    return view.bucket(name).filter(bucket -> bucket.id() == id).orElse(null);
  }
}
