package dev.ron.storage.s3.listing;

import dev.ron.ordered.KeyRange;
import dev.ron.ordered.RowCursor;
import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.Uid;
import dev.ron.storage.s3.core.VersionRef;
import dev.ron.storage.s3.names.Names;
import dev.ron.storage.s3.names.RowKeys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All versions and delete markers of a bucket: keys in order, and of each the newest first.
 *
 * <p>The newest version of a key lies among the objects unless it is a marker, all others among the
 * versions; the walk goes through both together.
 *
 * <p>Threading: owned by one thread.
 */
final class VersionListing {
  private final ListRequest request;
  private final long bucket;
  private final RowCursor objects;
  private final RowCursor versions;
  private final List<Entry> entries = new ArrayList<>();
  private byte[] lastKey = {};
  private String lastVersion = "";
  private boolean truncated;

  /** What a page shows. */
  sealed interface Entry {
    /**
     * @param latest whether it is the newest of its key
     */
    record Version(ObjectKey key, ObjectVersion version, boolean latest) implements Entry {}

    @SuppressWarnings("ArrayRecordComponent") // never compared
    record CommonPrefix(byte[] prefix) implements Entry {}
  }

  private VersionListing(ListRequest request, long bucket, RowCursor objects, RowCursor versions) {
    this.request = request;
    this.bucket = bucket;
    this.objects = objects;
    this.versions = versions;
  }

  /**
   * @param afterVersion the version of the request's {@code after} that the page begins behind;
   *     null to begin behind all of them
   */
  static VersionListing of(
      ListRequest request, Names names, long bucket, @Nullable String afterVersion)
      throws IOException {
    try (RowCursor objects = names.scan(KeyRange.withPrefix(RowKeys.objects(bucket)));
        RowCursor versions = names.scan(KeyRange.withPrefix(RowKeys.versions(bucket)))) {
      var listing = new VersionListing(request, bucket, objects, versions);
      listing.walk(afterVersion);
      return listing;
    }
  }

  private void walk(@Nullable String afterVersion) throws IOException {
    if (request.max() == 0) {
      return;
    }
    byte[] from = request.prefix();
    if (request.after().length > 0) {
      Optional<ObjectKey> begun = request.begun();
      if (afterVersion != null && begun.isPresent() && !addVersions(begun.get(), afterVersion)) {
        return;
      }
      from = later(from, ObjectListing.behind(request, request.after()));
    }
    for (Optional<ObjectKey> next = keyAtOrAfter(from);
        next.isPresent() && next.get().startsWith(request.prefix());
        next = keyAtOrAfter(from)) {
      byte[] key = next.get().bytes();
      int cut = ObjectListing.cut(request, key);
      if (cut < 0) {
        if (!addVersions(next.get(), null)) {
          return;
        }
        from = Arrays.copyOf(key, key.length + 1);
      } else {
        byte[] common = Arrays.copyOf(key, cut);
        if (!add(new Entry.CommonPrefix(common))) {
          return;
        }
        lastKey = common;
        lastVersion = "";
        from = KeyRange.past(common);
      }
    }
  }

  private static byte[] later(byte[] one, byte[] other) {
    return Arrays.compareUnsigned(one, other) >= 0 ? one : other;
  }

  private Optional<ObjectKey> keyAtOrAfter(byte[] from) throws IOException {
    ObjectKey object = null;
    if (objects.seek(joined(RowKeys.objects(bucket), from))) {
      object = RowKeys.keyOfObject(objects.key());
    }
    ObjectKey version = null;
    if (versions.seek(RowKeys.versionsFrom(bucket, from))) {
      version = RowKeys.keyOfVersion(versions.key());
    }
    if (object == null || version == null) {
      return Optional.ofNullable(object == null ? version : object);
    }
    return Optional.of(object.compareTo(version) <= 0 ? object : version);
  }

  private static byte[] joined(byte[] head, byte[] tail) {
    byte[] whole = Arrays.copyOf(head, head.length + tail.length);
    System.arraycopy(tail, 0, whole, head.length, tail.length);
    return whole;
  }

  /**
   * A version that is a marker is a place among those of its key, also once it is gone: who deletes
   * what a page showed goes on behind it.
   *
   * @param after the version to begin behind; null for all of them
   * @return false if the page is full
   */
  private boolean addVersions(ObjectKey key, @Nullable String after) throws IOException {
    long before = after == null ? Long.MAX_VALUE : sequence(key, after);
    boolean latest = true;
    Optional<ObjectVersion> current = current(key);
    if (current.isPresent()) {
      if (isBefore(current.get(), before) && !add(key, current.get(), latest)) {
        return false;
      }
      latest = false;
    }
    byte[] prefix = RowKeys.versions(bucket, key);
    byte[] from = RowKeys.version(bucket, key, before);
    boolean on = versions.seek(prefix);
    if (on && Arrays.compareUnsigned(versions.key(), from) <= 0) {
      latest = false;
      on = versions.seek(Arrays.copyOf(from, from.length + 1));
    }
    for (; on && startsWith(versions.key(), prefix); on = versions.next()) {
      if (!add(key, Names.version(versions.value()), latest)) {
        return false;
      }
      latest = false;
    }
    return true;
  }

  private Optional<ObjectVersion> current(ObjectKey key) throws IOException {
    byte[] row = RowKeys.object(bucket, key);
    return objects.seek(row) && Arrays.equals(objects.key(), row)
        ? Optional.of(Names.version(objects.value()))
        : Optional.empty();
  }

  /** Where a version stands among those of its key; all are behind a null version that is gone. */
  private long sequence(ObjectKey key, String version) throws IOException {
    if (VersionRef.parse(version).orElseThrow() instanceof VersionRef.Exact(Uid uid)) {
      return uid.sequence();
    }
    Optional<ObjectVersion> current = current(key).filter(ObjectVersion::isNull);
    if (current.isPresent()) {
      return current.get().uid().sequence();
    }
    byte[] prefix = RowKeys.versions(bucket, key);
    for (boolean on = versions.seek(prefix);
        on && startsWith(versions.key(), prefix);
        on = versions.next()) {
      ObjectVersion each = Names.version(versions.value());
      if (each.isNull()) {
        return each.uid().sequence();
      }
    }
    return Long.MAX_VALUE;
  }

  /** Sequences are as the order of rows takes them, also those that nothing has. */
  private static boolean isBefore(ObjectVersion version, long sequence) {
    return Long.compareUnsigned(version.uid().sequence(), sequence) < 0;
  }

  private boolean add(ObjectKey key, ObjectVersion version, boolean latest) {
    if (!add(new Entry.Version(key, version, latest))) {
      return false;
    }
    lastKey = key.bytes();
    lastVersion = version.versionId();
    return true;
  }

  private boolean add(Entry entry) {
    if (entries.size() == request.max()) {
      truncated = true;
      return false;
    }
    entries.add(entry);
    return true;
  }

  private static boolean startsWith(byte[] row, byte[] prefix) {
    return row.length >= prefix.length
        && Arrays.equals(row, 0, prefix.length, prefix, 0, prefix.length);
  }

  List<Entry> entries() {
    return List.copyOf(entries);
  }

  boolean isTruncated() {
    return truncated;
  }

  /** The key or common prefix that the next page begins behind, or in. */
  byte[] lastKey() {
    return lastKey.clone();
  }

  /** Empty where the page ended with a common prefix. */
  String lastVersion() {
    return lastVersion;
  }
}
