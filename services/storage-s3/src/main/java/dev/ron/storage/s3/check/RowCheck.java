package dev.ron.storage.s3.check;

import dev.ron.blake3.Address;
import dev.ron.storage.s3.core.Extent;
import dev.ron.storage.s3.core.MultipartUpload;
import dev.ron.storage.s3.core.ObjectContent;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.Uid;
import dev.ron.storage.s3.core.UploadPart;
import dev.ron.storage.s3.names.NameRows;
import dev.ron.storage.s3.names.NameView;
import dev.ron.storage.s3.names.Names;
import dev.ron.storage.s3.names.RowKeys;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Compares the rows that follow from others with those: the references to blocks with what needs
 * the blocks, the parts of objects with their sizes, and the bytes that owners have stored with the
 * sums of what they have.
 *
 * <p>A block without a reference is collected though a name needs it, so a reference that is gone
 * is named as what is lost next. Rows are walked in their order; only what is wrong is remembered.
 *
 * <p>Threading: owned by one thread.
 */
final class RowCheck {
  private final NameView view;
  private final List<String> lost;

  /** By the upload: which of its parts lacks a reference, and to which block. */
  private final Map<Uid, String> partsWithout = new HashMap<>();

  private final Map<String, Long> bytes = new TreeMap<>();
  private long needed;

  /**
   * @param lost gets what is wrong, by name
   */
  RowCheck(NameView view, List<String> lost) {
    this.view = view;
    this.lost = lost;
  }

  /** Looks for the references of all parts; those whose names are known are told with these. */
  void parts() {
    view.rows()
        .scanAll(
            RowKeys.allParts(),
            row -> {
              Uid upload = RowKeys.uploadOfPart(row.key());
              UploadPart part = Names.part(row.value());
              without(part.content(), upload, part.number())
                  .ifPresent(
                      block ->
                          partsWithout.putIfAbsent(
                              upload, "part %d, block %s".formatted(part.number(), block)));
              return true;
            });
  }

  /**
   * @param name by which it is told
   */
  void version(String name, ObjectVersion version) {
    bytes.merge(version.owner(), version.sizeBytes(), Long::sum);
    if (version.content() instanceof ObjectContent.Parts(Uid upload, int count)) {
      unreferenced(name, upload);
      var there = new Sum();
      view.parts(upload, there::add);
      if (there.parts != count || there.bytes != version.sizeBytes()) {
        lost.add(
            "%s, of its %d parts with %d bytes %d with %d are there"
                .formatted(name, count, version.sizeBytes(), there.parts, there.bytes));
      }
      return;
    }
    without(version.content(), version.uid(), 0)
        .ifPresent(block -> lost.add("%s, %s".formatted(name, unreferenced("block " + block))));
  }

  private void unreferenced(String name, Uid upload) {
    String where = partsWithout.remove(upload);
    if (where != null) {
      lost.add("%s, %s".formatted(name, unreferenced(where)));
    }
  }

  private static String unreferenced(String where) {
    return where + " has no reference and would be collected";
  }

  /**
   * Compares what is left when all versions were told: open uploads, references, and sums.
   *
   * @param buckets names by ids
   */
  void rest(Map<Long, String> buckets) {
    view.rows()
        .scanAll(
            RowKeys.allUploads(),
            row -> {
              upload(buckets, row);
              return true;
            });
    partsWithout.forEach(
        (upload, where) -> lost.add("upload %s, %s".formatted(upload, unreferenced(where))));
    long[] references = new long[1];
    view.rows().scanAll(RowKeys.allReferences(), _ -> ++references[0] > 0);
    if (references[0] > needed) {
      lost.add(
          "%d references to blocks lead to no object and no part: their blocks are never collected"
              .formatted(references[0] - needed));
    }
    sums();
  }

  private void upload(Map<Long, String> buckets, NameRows.Row row) {
    MultipartUpload upload = Names.upload(row.value());
    long bucket = RowKeys.bucketOf(row.key());
    String name =
        "%s/%s upload %s"
            .formatted(
                buckets.getOrDefault(bucket, "a bucket that is gone"),
                RowKeys.keyOfVersion(row.key()),
                upload.id());
    unreferenced(name, upload.id());
    var there = new Sum();
    view.parts(upload.id(), there::add);
    bytes.merge(upload.owner(), there.bytes, Long::sum);
    long counted = number(view.rows().row(RowKeys.storedOpen(upload.id())));
    if (isCounted() && counted != there.bytes) {
      lost.add("%s has %d bytes and %d are counted".formatted(name, there.bytes, counted));
    }
  }

  private void sums() {
    if (!isCounted()) {
      return;
    }
    view.rows()
        .scanAll(
            RowKeys.storedCounted(),
            row -> {
              RowKeys.ownerOfStored(row.key()).ifPresent(owner -> bytes.putIfAbsent(owner, 0L));
              return true;
            });
    bytes.forEach(
        (owner, sum) -> {
          long counted = view.storedBytes(owner);
          if (counted != sum) {
            lost.add("%s has %d bytes stored and %d are counted".formatted(owner, sum, counted));
          }
        });
  }

  /** Rows of builds before there were sums have none until their first change. */
  private boolean isCounted() {
    return view.rows().row(RowKeys.storedCounted()).isPresent();
  }

  private static long number(Optional<byte[]> row) {
    return row.map(bytes -> ByteBuffer.wrap(bytes).getLong()).orElse(0L);
  }

  /** Counts the references that are there; the first block without one. */
  private Optional<Address> without(ObjectContent content, Uid owner, int part) {
    if (!(content instanceof ObjectContent.Blocks(List<Extent> extents))) {
      return Optional.empty();
    }
    Set<Address> blocks = new LinkedHashSet<>();
    extents.forEach(extent -> blocks.add(extent.block()));
    Optional<Address> first = Optional.empty();
    for (Address block : blocks) {
      if (view.rows().row(RowKeys.reference(block, owner, part)).isPresent()) {
        needed++;
      } else if (first.isEmpty()) {
        first = Optional.of(block);
      }
    }
    return first;
  }

  /** What the parts of an upload come to. */
  private static final class Sum {
    private int parts;
    private long bytes;

    boolean add(UploadPart part) {
      parts++;
      bytes += part.sizeBytes();
      return true;
    }
  }
}
