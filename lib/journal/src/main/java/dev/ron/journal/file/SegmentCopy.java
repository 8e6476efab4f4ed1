package dev.ron.journal.file;

import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Copies a segment that a journal may be writing to, up to its last whole record.
 *
 * <p>A copy is read piece by piece, so it may have the beginning of a batch from before the write
 * and a later batch from after it. A start would take that for corruption. What was flushed before
 * the copy began is whole in it and comes first; so the copy ends before the first frame that is
 * not right. To tell this from a record that is damaged for good, the segment is read again: what
 * is still wrong then, with later frames behind it, is left as it is.
 *
 * <p>Threading: stateless.
 */
public final class SegmentCopy {
  private static final int STEP_BYTES = 1 << 20;
  private static final int READS_MAX = 5;

  private SegmentCopy() {}

  /** Whether it is the name of a segment, the only kind of file that a journal writes twice. */
  public static boolean isSegment(Path file) {
    return SegmentNames.position(file, SegmentNames.LOG).isPresent();
  }

  /** The copy is flushed when this returns. */
  public static void run(Disk disk, Path from, Path to) throws IOException {
    for (int reads = 1; ; reads++) {
      copy(disk, from, to);
      if (settled(disk, to) || reads == READS_MAX) {
        return;
      }
    }
  }

  private static void copy(Disk disk, Path from, Path to) throws IOException {
    ByteBuffer step = ByteBuffer.allocate(STEP_BYTES);
    try (DiskFile in = disk.openReadOnly(from);
        DiskFile out = disk.open(to)) {
      out.truncate(0);
      long at = 0;
      while (in.read(step.clear(), at) > 0) {
        int count = step.flip().remaining();
        out.write(step, at);
        at += count;
      }
      out.flush();
    }
  }

  /** Ends the copy behind its last whole record; false if whole ones follow behind a wrong one. */
  private static boolean settled(Disk disk, Path copy) throws IOException {
    long end;
    try (var reader = new SegmentWindow(disk, copy)) {
      Optional<SegmentHeader> header = reader.header();
      if (header.isEmpty()) {
        return reader.size() >= SegmentHeader.BYTES;
      }
      SegmentWalk walk = SegmentWalk.run(reader, header.get(), Long.MAX_VALUE, SegmentWalk.IGNORED);
      if (walk.problem().isPresent()
          && SegmentWalk.proofOfFlush(reader, header.get().id(), walk.offset(), walk.next())
              .isPresent()) {
        return false;
      }
      end = walk.offset();
    }
    try (DiskFile out = disk.open(copy)) {
      out.truncate(end);
      out.flush();
    }
    return true;
  }
}
