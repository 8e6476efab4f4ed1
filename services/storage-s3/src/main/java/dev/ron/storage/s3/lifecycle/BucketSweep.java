package dev.ron.storage.s3.lifecycle;

import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.VersionRef;
import dev.ron.storage.s3.core.WriteCondition;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.NameRows;
import dev.ron.storage.s3.names.NameView;
import dev.ron.storage.s3.names.Names;
import dev.ron.storage.s3.names.RowKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One walk over a bucket: its objects, then their older versions, then its open uploads.
 *
 * <p>Threading: owned by the sweep.
 */
final class BucketSweep {
  private static final int ROWS_MAX = 128;

  private final Bucket bucket;
  private final NameView view;
  private final RandomGenerator chance;
  private Phase phase = Phase.OBJECTS;
  private byte[] position;
  private @Nullable ObjectKey key;
  private long sinceMillis;
  private int newer;

  private enum Phase {
    OBJECTS,
    VERSIONS,
    UPLOADS,
    DONE
  }

  BucketSweep(Bucket bucket, NameView view, RandomGenerator chance) {
    this.bucket = bucket;
    this.view = view;
    this.chance = chance;
    this.position = RowKeys.objects(bucket.id());
  }

  Bucket bucket() {
    return bucket;
  }

  boolean isDone() {
    return phase == Phase.DONE;
  }

  /** What a piece of the walk finds to be deleted. */
  List<NameCommand> next(LifecycleDecider decider, long nowMillis) {
    byte[] table =
        switch (phase) {
          case OBJECTS -> RowKeys.objects(bucket.id());
          case VERSIONS -> RowKeys.versions(bucket.id());
          case UPLOADS, DONE -> RowKeys.uploads(bucket.id());
        };
    var rows = new ArrayList<NameRows.Row>(ROWS_MAX);
    view.rows()
        .scan(
            position,
            RowKeys.after(table).orElseThrow(),
            row -> rows.add(row) && rows.size() < ROWS_MAX);
    var commands = new ArrayList<NameCommand>();
    for (NameRows.Row row : rows) {
      switch (phase) {
        case OBJECTS -> object(row, decider, nowMillis).ifPresent(commands::add);
        case VERSIONS -> version(row, decider, nowMillis).ifPresent(commands::add);
        case UPLOADS -> upload(row, decider, nowMillis).ifPresent(commands::add);
        case DONE -> {}
      }
    }
    advance(rows);
    return commands;
  }

  private void advance(List<NameRows.Row> rows) {
    if (rows.size() == ROWS_MAX) {
      byte[] last = rows.getLast().key();
      position = Arrays.copyOf(last, last.length + 1);
      return;
    }
    switch (phase) {
      case OBJECTS -> {
        phase = Phase.VERSIONS;
        position = RowKeys.versions(bucket.id());
      }
      case VERSIONS -> {
        phase = Phase.UPLOADS;
        position = RowKeys.uploads(bucket.id());
      }
      case UPLOADS, DONE -> phase = Phase.DONE;
    }
  }

  /** Only the object that was looked at; one that was stored since stays. */
  private Optional<NameCommand> object(NameRows.Row row, LifecycleDecider decider, long nowMillis) {
    ObjectKey of = RowKeys.keyOfObject(row.key());
    ObjectVersion version = Names.version(row.value());
    return decider.expires(of, version, nowMillis)
        ? Optional.of(
            delete(
                of,
                new VersionRef.Current(),
                new WriteCondition(
                    version.etag().quoted(),
                    null,
                    version.sizeBytes(),
                    version.modifiedMillis() / 1000),
                nowMillis))
        : Optional.empty();
  }

  /** Rows of a key come together, the newest first; only the first can be current, as a marker. */
  private Optional<NameCommand> version(
      NameRows.Row row, LifecycleDecider decider, long nowMillis) {
    ObjectKey of = RowKeys.keyOfVersion(row.key());
    ObjectVersion version = Names.version(row.value());
    boolean gone;
    if (key == null || !of.equals(key)) {
      key = of;
      newer = 0;
      Optional<ObjectVersion> current = view.object(bucket.id(), of);
      if (current.isEmpty()) {
        sinceMillis = version.modifiedMillis();
        gone = version.isMarker() && isAlone(of) && decider.expiresMarker(of, version, nowMillis);
        return gone ? Optional.of(delete(of, version, nowMillis)) : Optional.empty();
      }
      sinceMillis = current.get().modifiedMillis();
    }
    gone =
        !version.isLocked(nowMillis, false)
            && decider.expiresNoncurrent(of, version, sinceMillis, newer, nowMillis);
    newer++;
    sinceMillis = version.modifiedMillis();
    return gone ? Optional.of(delete(of, version, nowMillis)) : Optional.empty();
  }

  private boolean isAlone(ObjectKey of) {
    int[] count = new int[1];
    view.rows().scanAll(RowKeys.versions(bucket.id(), of), _ -> ++count[0] < 2);
    return count[0] == 1;
  }

  private Optional<NameCommand> upload(NameRows.Row row, LifecycleDecider decider, long nowMillis) {
    ObjectKey of = RowKeys.keyOfVersion(row.key());
    return decider.aborts(of, Names.upload(row.value()), nowMillis)
        ? Optional.of(
            new NameCommand.AbortUpload(
                bucket.id(), bucket.name(), of, RowKeys.uploadOf(row.key()), nowMillis))
        : Optional.empty();
  }

  private NameCommand delete(ObjectKey of, ObjectVersion version, long nowMillis) {
    VersionRef ref = version.isNull() ? new VersionRef.Null() : new VersionRef.Exact(version.uid());
    // Another null version may have come since.
    WriteCondition condition =
        version.isNull()
            ? new WriteCondition(null, null, -1, version.modifiedMillis() / 1000)
            : WriteCondition.NONE;
    return delete(of, ref, condition, nowMillis);
  }

  /** As a request would, without the right to bypass a lock. */
  private NameCommand delete(
      ObjectKey of, VersionRef ref, WriteCondition condition, long nowMillis) {
    return new NameCommand.DeleteObject(
        bucket.id(),
        bucket.name(),
        of,
        ref,
        condition,
        bucket.owner(),
        false,
        chance.nextLong(),
        nowMillis);
  }
}
