package dev.ron.storage.s3.names;

import dev.ron.blake3.Address;
import dev.ron.storage.s3.core.Extent;
import dev.ron.storage.s3.core.ObjectContent;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.Uid;
import dev.ron.storage.s3.core.UploadPart;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Which rows say that a block is needed, and which that it may not be.
 *
 * <p>A block is collected only when it has no reference at all. That is looked up then, so whatever
 * lets go of a block notes it without asking for others.
 *
 * <p>Threading: stateless.
 */
final class References {
  private static final byte[] EMPTY = new byte[0];

  private References() {}

  static void take(NameDecision decision, ObjectContent content, Uid owner, int part) {
    for (Address block : blocks(content)) {
      decision.put(RowKeys.reference(block, owner, part), EMPTY);
    }
  }

  /** An object in parts may have a million blocks, so its parts are let go a few at a time. */
  static void release(NameDecision decision, ObjectVersion version, long nowMillis) {
    if (version.content() instanceof ObjectContent.Parts(Uid upload, _)) {
      releaseParts(decision, upload, nowMillis);
    } else {
      release(decision, version.content(), version.uid(), 0, nowMillis);
    }
  }

  static void releaseParts(NameDecision decision, Uid upload, long nowMillis) {
    decision.put(RowKeys.trash(nowMillis, upload), EMPTY);
  }

  /** Deletes a part and lets its blocks go. */
  static void release(NameDecision decision, Uid upload, UploadPart part, long nowMillis) {
    decision.delete(RowKeys.part(upload, part.number()));
    release(decision, part.content(), upload, part.number(), nowMillis);
  }

  static void release(
      NameDecision decision, ObjectContent content, Uid owner, int part, long nowMillis) {
    for (Address block : blocks(content)) {
      decision.delete(RowKeys.reference(block, owner, part));
      decision.put(RowKeys.garbage(nowMillis, block), EMPTY);
    }
  }

  /** Notes blocks that were stored for a name which they do not get. */
  static void leave(NameDecision decision, ObjectContent content, long nowMillis) {
    for (Address block : blocks(content)) {
      decision.put(RowKeys.garbage(nowMillis, block), EMPTY);
    }
  }

  static Set<Address> blocks(ObjectContent content) {
    var blocks = new LinkedHashSet<Address>();
    if (content instanceof ObjectContent.Blocks(var extents)) {
      for (Extent extent : extents) {
        blocks.add(extent.block());
      }
    }
    return blocks;
  }
}
