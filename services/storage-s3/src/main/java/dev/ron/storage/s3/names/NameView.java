package dev.ron.storage.s3.names;

import dev.ron.blake3.Address;
import dev.ron.storage.s3.core.Bucket;
import dev.ron.storage.s3.core.BucketName;
import dev.ron.storage.s3.core.BucketSetting;
import dev.ron.storage.s3.core.MultipartUpload;
import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.ObjectOwnership;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.Uid;
import dev.ron.storage.s3.core.UploadPart;
import dev.ron.storage.s3.core.VersionRef;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The rows as nouns.
 *
 * <p>Threading: as its rows.
 */
public record NameView(NameRows rows) {
  public Optional<Bucket> bucket(BucketName name) {
    return rows.readKept(RowKeys.bucket(name), false, RowCodec::bucket);
  }

  /** All buckets in the order of their names. */
  public void buckets(Predicate<Bucket> each) {
    rows.scanAll(RowKeys.buckets(), row -> each.test(RowCodec.bucket(row.value())));
  }

  /** Up to {@code max} buckets whose rows are not before this one. */
  public List<Bucket> buckets(byte[] from, int max) {
    var found = new ArrayList<Bucket>();
    rows.scan(
        from,
        RowKeys.after(RowKeys.buckets()).orElseThrow(),
        row -> found.add(RowCodec.bucket(row.value())) && found.size() < max);
    return found;
  }

  /** Whether a bucket has no object and no version; it may have open uploads. */
  public boolean isEmpty(long bucket) {
    return !rows.anyWith(RowKeys.objects(bucket)) && !rows.anyWith(RowKeys.versions(bucket));
  }

  public Optional<byte[]> setting(long bucket, BucketSetting setting) {
    return rows.row(RowKeys.setting(bucket, setting));
  }

  /**
   * What a setting of a bucket says.
   *
   * @param reader always the same for a setting
   */
  public <T, X extends Exception> Optional<T> setting(
      long bucket, BucketSetting setting, NameRows.Reader<T, X> reader) throws X {
    return rows.readKept(RowKeys.setting(bucket, setting), true, reader);
  }

  /** What an owner has stored, open uploads included. */
  public long storedBytes(String owner) {
    return rows.row(RowKeys.stored(owner)).map(row -> ByteBuffer.wrap(row).getLong()).orElse(0L);
  }

  /** Whose objects of other writers are; what the bucket does not say, is theirs. */
  public ObjectOwnership ownership(long bucket) {
    return setting(bucket, BucketSetting.OWNERSHIP, ObjectOwnership::read)
        .orElse(ObjectOwnership.OBJECT_WRITER);
  }

  /** The newest version, if it is no delete marker. */
  public Optional<ObjectVersion> object(long bucket, ObjectKey key) {
    return rows.readKept(RowKeys.object(bucket, key), false, RowCodec::version);
  }

  /** A version with the row it lies in. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Found(byte[] row, ObjectVersion version) {
    boolean isCurrent() {
      return row[0] == RowKeys.OBJECT;
    }
  }

  /** The newest version, which may be a delete marker. */
  public Optional<Found> newest(long bucket, ObjectKey key) {
    return current(bucket, key).or(() -> newestOlder(bucket, key, new byte[0]));
  }

  /**
   * The newest of those that are not current.
   *
   * @param without a row to pass over
   */
  Optional<Found> newestOlder(long bucket, ObjectKey key, byte[] without) {
    var found = new ArrayList<Found>(1);
    rows.scanAll(
        RowKeys.versions(bucket, key),
        row -> {
          if (Arrays.equals(row.key(), without)) {
            return true;
          }
          found.add(new Found(row.key(), RowCodec.version(row.value())));
          return false;
        });
    return found.stream().findFirst();
  }

  /** One version by its id. */
  public Optional<Found> version(long bucket, ObjectKey key, VersionRef ref) {
    return switch (ref) {
      case VersionRef.Current _ -> newest(bucket, key);
      case VersionRef.Null _ -> nullVersion(bucket, key);
      case VersionRef.Exact(Uid uid) -> exact(bucket, key, uid);
    };
  }

  private Optional<Found> exact(long bucket, ObjectKey key, Uid uid) {
    byte[] older = RowKeys.version(bucket, key, uid.sequence());
    return current(bucket, key)
        .filter(found -> found.version().uid().equals(uid))
        .or(() -> rows.row(older).map(value -> new Found(older, RowCodec.version(value))))
        .filter(found -> found.version().uid().equals(uid) && !found.version().isNull());
  }

  private Optional<Found> nullVersion(long bucket, ObjectKey key) {
    return current(bucket, key)
        .filter(found -> found.version().isNull())
        .or(() -> olderNull(bucket, key));
  }

  /** The null version, if it is not current. */
  Optional<Found> olderNull(long bucket, ObjectKey key) {
    return rows.row(RowKeys.nullVersion(bucket, key))
        .map(value -> RowKeys.version(bucket, key, new RowReader(value).eight()))
        .flatMap(row -> rows.row(row).map(value -> new Found(row, RowCodec.version(value))));
  }

  Optional<Found> current(long bucket, ObjectKey key) {
    byte[] row = RowKeys.object(bucket, key);
    return rows.row(row).map(value -> new Found(row, RowCodec.version(value)));
  }

  public Optional<MultipartUpload> upload(long bucket, ObjectKey key, Uid upload) {
    return rows.row(RowKeys.upload(bucket, key, upload)).map(RowCodec::upload);
  }

  /** An open upload by the row it lies in. */
  public record OpenRow(long bucket, ObjectKey key, Uid upload) {
    /** Ends it, also where its bucket is gone. */
    public NameCommand abort(BucketName name, long nowMillis) {
      return new NameCommand.AbortUpload(bucket, name, key, upload, nowMillis);
    }
  }

  /**
   * Up to {@code max} open uploads of this and later buckets whose rows are not before this one.
   */
  public List<OpenRow> uploads(byte[] from, int max) {
    var found = new ArrayList<OpenRow>();
    rows.scan(
        from,
        RowKeys.after(RowKeys.allUploads()).orElseThrow(),
        row ->
            found.add(
                    new OpenRow(
                        RowKeys.bucketOf(row.key()),
                        RowKeys.keyOfVersion(row.key()),
                        RowKeys.uploadOf(row.key())))
                && found.size() < max);
    return found;
  }

  public Optional<UploadPart> part(Uid upload, int number) {
    return rows.row(RowKeys.part(upload, number)).map(RowCodec::part);
  }

  /**
   * The parts of an upload, or of the object it became, in their order; one at a time, for ten
   * thousand of them may name a million blocks.
   *
   * @param each answers false to end
   */
  public void parts(Uid upload, Predicate<UploadPart> each) {
    rows.scanAll(RowKeys.parts(upload), row -> each.test(RowCodec.part(row.value())));
  }

  /** Up to {@code max} parts behind the one given. */
  public List<UploadPart> parts(Uid upload, int after, int max) {
    var parts = new ArrayList<UploadPart>();
    rows.scan(
        RowKeys.part(upload, after + 1),
        RowKeys.after(RowKeys.parts(upload)).orElseThrow(),
        row -> parts.add(RowCodec.part(row.value())) && parts.size() < max);
    return parts;
  }

  /** Uploads and objects in parts that were deleted before that time. */
  public List<Trash> trash(long beforeMillis, int max) {
    var found = new ArrayList<Trash>();
    rows.scan(
        RowKeys.trashFrom(0),
        RowKeys.trashFrom(beforeMillis),
        row ->
            found.add(new Trash(RowKeys.millisOf(row.key()), RowKeys.uploadOfTrash(row.key())))
                && found.size() < max);
    return found;
  }

  /** An upload or object in parts, and when it was deleted. */
  public record Trash(long millis, Uid upload) {}

  /**
   * Blocks that lost a reference before that time, the oldest first.
   *
   * @param after where to go on; null to begin
   */
  public List<NameCommand.Garbage> garbage(
      NameCommand.@Nullable Garbage after, long beforeMillis, int max) {
    var found = new ArrayList<NameCommand.Garbage>();
    if (after != null && after.millis() >= beforeMillis) {
      return found;
    }
    rows.scan(
        after == null ? RowKeys.garbageFrom(0) : RowKeys.garbageAfter(after),
        RowKeys.garbageFrom(beforeMillis),
        row ->
            found.add(
                    new NameCommand.Garbage(
                        RowKeys.millisOf(row.key()), RowKeys.blockOfGarbage(row.key())))
                && found.size() < max);
    return found;
  }

  public boolean isReferenced(Address block) {
    return rows.anyWith(RowKeys.references(block));
  }

  /**
   * Up to {@code max} blocks behind the one given that a machine has to delete.
   *
   * @param after null to begin
   */
  public List<NameCommand.Condemned> condemned(String machine, @Nullable Address after, int max) {
    var found = new ArrayList<NameCommand.Condemned>();
    byte[] from =
        after == null ? RowKeys.condemned() : RowKeys.after(RowKeys.condemned(after)).orElseThrow();
    rows.scan(
        from,
        RowKeys.after(RowKeys.condemned()).orElseThrow(),
        row -> {
          BurialDecider.Burial burial = BurialDecider.Burial.of(row.value());
          if (burial.machines().contains(machine)) {
            found.add(
                new NameCommand.Condemned(RowKeys.blockOfCondemned(row.key()), burial.sequence()));
          }
          return found.size() < max;
        });
    return found;
  }

  /**
   * Up to {@code max} blocks that machines have to delete which are none of those given, by
   * machine.
   */
  public Map<String, List<NameCommand.Condemned>> condemnedElsewhere(
      Set<String> machines, int max) {
    var found = new TreeMap<String, List<NameCommand.Condemned>>();
    int[] count = new int[1];
    rows.scanAll(
        RowKeys.condemned(),
        row -> {
          BurialDecider.Burial burial = BurialDecider.Burial.of(row.value());
          var block =
              new NameCommand.Condemned(RowKeys.blockOfCondemned(row.key()), burial.sequence());
          for (String machine : burial.machines()) {
            if (!machines.contains(machine)) {
              found.computeIfAbsent(machine, _ -> new ArrayList<>()).add(block);
              count[0]++;
            }
          }
          return count[0] < max;
        });
    return found;
  }

  /** Whether a block is being deleted. */
  public boolean isCondemned(Address block) {
    return rows.row(RowKeys.condemned(block)).isPresent();
  }

  /**
   * The sequence of the last of up to {@code max} blocks that were deleted on all machines before
   * that time; empty if there is none.
   */
  public Optional<Long> buriedBefore(long millis, int max) {
    var last = new ArrayList<Long>();
    rows.scan(
        RowKeys.buriedFrom(0),
        RowKeys.after(RowKeys.buriedFrom(Long.MAX_VALUE)).orElseThrow(),
        row -> {
          boolean old = new RowReader(row.value()).eight() < millis;
          if (old) {
            last.add(RowKeys.sequenceOfBuried(row.key()));
          }
          return old && last.size() < max;
        });
    return last.isEmpty() ? Optional.empty() : Optional.of(last.getLast());
  }

  /** What became of an upload that was completed. */
  public Optional<ObjectVersion> completed(long bucket, ObjectKey key, Uid upload) {
    return rows.row(RowKeys.completed(bucket, key, upload)).map(RowCodec::version);
  }
}
