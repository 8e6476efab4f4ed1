package dev.ron.storage.s3.block;

import dev.ron.content.ContentStat;
import dev.ron.http.Refusal;
import dev.ron.storage.object.MemoryLease;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.core.Extent;
import dev.ron.storage.s3.core.ObjectContent;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.Uid;
import dev.ron.storage.s3.core.UploadPart;
import dev.ron.storage.s3.encryption.ContentKey;
import dev.ron.storage.s3.names.NameView;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sends bytes of an object, piece by piece, each verified before it leaves.
 *
 * <p>Threading: immutable; its parts are thread-safe.
 */
public record ObjectBodyReader(BlockStore blocks, NameView names) {
  /** A part of 5 GiB has 1,280 extents, so few of them are in memory at a time. */
  private static final int PARTS_AT_ONCE = 32;

  /** 64 MiB: the event loop does not look for more, and memory seldom has as much of one object. */
  private static final int HOT_BLOCKS_MAX = 16;

  /**
   * @param key of bytes that are encrypted, null for others
   * @param to the first byte that is not wanted, within the object
   */
  public void copy(
      ObjectContent content, @Nullable ContentKey key, long from, long to, OutputStream out)
      throws IOException, InterruptedException {
    if (content instanceof ObjectContent.Parts(Uid upload, _)) {
      copyParts(upload, key, from, to, out);
    } else {
      copyPiece(content, key, from, to, out);
    }
  }

  /**
   * A range that lies in verified memory, block behind block, for the system to send; empty if any
   * of it must be read or decrypted.
   */
  public List<MemoryLease> hot(ObjectVersion version, long from, long to) {
    if (version.encryption() != null
        || !(version.content() instanceof ObjectContent.Blocks content)) {
      return List.of();
    }
    List<Extent> extents = extents(content, from, to);
    if (extents.size() > HOT_BLOCKS_MAX) {
      return List.of();
    }
    var held = new ArrayList<MemoryLease>(extents.size());
    for (Extent extent : extents) {
      long end = (long) extent.offset() + extent.length();
      Optional<MemoryLease> lease = blocks.store().hot(extent.block(), extent.offset(), end);
      lease.ifPresent(held::add);
      if (lease.isEmpty() || lease.get().length() != extent.length()) {
        held.forEach(MemoryLease::close);
        return List.of();
      }
    }
    return held;
  }

  /** The extents of a range, for an object that shares its bytes; none where they are in rows. */
  public static List<Extent> extents(ObjectContent.Blocks content, long from, long to) {
    var found = new ArrayList<Extent>();
    long at = 0;
    for (Extent extent : content.extents()) {
      long begin = Math.max(from, at);
      long end = Math.min(to, at + extent.length());
      if (begin < end) {
        found.add(
            new Extent(extent.block(), (int) (extent.offset() + begin - at), (int) (end - begin)));
      }
      at += extent.length();
    }
    return found;
  }

  private void copyParts(Uid upload, @Nullable ContentKey key, long from, long to, OutputStream out)
      throws IOException, InterruptedException {
    long at = 0;
    int number = 0;
    while (at < to) {
      List<UploadPart> parts = names.parts(upload, number, PARTS_AT_ONCE);
      if (parts.isEmpty()) {
        throw Refusal.of(new S3Fault.ServerError("a part of the object is missing"));
      }
      for (UploadPart part : parts) {
        long begin = Math.max(from, at);
        long end = Math.min(to, at + part.sizeBytes());
        if (begin < end) {
          copyPiece(part.content(), key, begin - at, end - at, out);
        }
        at += part.sizeBytes();
        number = part.number();
      }
    }
  }

  private void copyPiece(
      ObjectContent content, @Nullable ContentKey key, long from, long to, OutputStream out)
      throws IOException, InterruptedException {
    switch (content) {
      case ObjectContent.Inline inline -> {
        byte[] bytes = key == null ? inline.bytes() : key.opened(inline.bytes());
        out.write(bytes, (int) from, (int) (to - from));
      }
      case ObjectContent.Blocks blocksOf -> {
        for (Extent extent : extents(blocksOf, from, to)) {
          copyExtent(extent, key, out);
        }
      }
      case ObjectContent.Parts _ -> throw new IllegalStateException("parts in a part");
    }
  }

  private void copyExtent(Extent extent, @Nullable ContentKey key, OutputStream out)
      throws IOException, InterruptedException {
    ContentStat block = blocks.stat(extent.block());
    if (key == null) {
      blocks.copy(block, extent.offset(), (long) extent.offset() + extent.length(), out);
    } else {
      new EncryptedExtent(blocks, block, extent, key).copy(out);
    }
  }
}
