package dev.ron.storage.s3.listing;

import dev.ron.ordered.KeyRange;
import dev.ron.ordered.RowCursor;
import dev.ron.storage.s3.core.MultipartUpload;
import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.Uid;
import dev.ron.storage.s3.names.Names;
import dev.ron.storage.s3.names.RowKeys;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The open uploads of a bucket: keys in order, and of each the oldest first.
 *
 * <p>Threading: owned by one thread.
 */
final class UploadListing {
  private final ListRequest request;
  private final long bucket;
  private final List<Entry> entries = new ArrayList<>();
  private byte[] lastKey = {};
  private String lastUpload = "";
  private boolean truncated;

  /** What a page shows. */
  sealed interface Entry {
    record Open(ObjectKey key, MultipartUpload upload) implements Entry {}

    @SuppressWarnings("ArrayRecordComponent") // never compared
    record CommonPrefix(byte[] prefix) implements Entry {}
  }

  private UploadListing(ListRequest request, long bucket) {
    this.request = request;
    this.bucket = bucket;
  }

  /**
   * @param afterUpload the upload of the request's {@code after} that the page begins behind; empty
   *     to begin behind all of them
   */
  static UploadListing of(ListRequest request, Names names, long bucket, Optional<Uid> afterUpload)
      throws IOException {
    try (RowCursor cursor = names.scan(KeyRange.withPrefix(RowKeys.uploads(bucket)))) {
      var listing = new UploadListing(request, bucket);
      if (request.max() > 0) {
        listing.walk(cursor, listing.start(afterUpload));
      }
      return listing;
    }
  }

  private byte[] start(Optional<Uid> afterUpload) {
    byte[] first = RowKeys.uploadsFrom(bucket, request.prefix());
    if (request.after().length == 0) {
      return first;
    }
    Optional<ObjectKey> begun = request.begun();
    byte[] behind =
        afterUpload.isPresent() && begun.isPresent()
            ? successor(RowKeys.upload(bucket, begun.get(), afterUpload.get()))
            : RowKeys.uploadsFrom(bucket, ObjectListing.behind(request, request.after()));
    return Arrays.compareUnsigned(first, behind) >= 0 ? first : behind;
  }

  private static byte[] successor(byte[] row) {
    return Arrays.copyOf(row, row.length + 1);
  }

  private void walk(RowCursor cursor, byte[] from) throws IOException {
    boolean on = cursor.seek(from);
    while (on) {
      byte[] row = cursor.key();
      ObjectKey key = RowKeys.keyOfVersion(row);
      if (!key.startsWith(request.prefix())) {
        return;
      }
      if (entries.size() == request.max()) {
        truncated = true;
        return;
      }
      int cut = ObjectListing.cut(request, key.bytes());
      if (cut < 0) {
        entries.add(new Entry.Open(key, Names.upload(cursor.value())));
        lastKey = key.bytes();
        lastUpload = RowKeys.uploadOf(row).toString();
        on = cursor.next();
      } else {
        byte[] common = Arrays.copyOf(key.bytes(), cut);
        entries.add(new Entry.CommonPrefix(common));
        lastKey = common;
        lastUpload = "";
        on = cursor.seek(RowKeys.uploadsFrom(bucket, KeyRange.past(common)));
      }
    }
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
  String lastUpload() {
    return lastUpload;
  }
}
