package dev.ron.content.segment;

import dev.ron.blake3.HashTree;
import dev.ron.blake3.bao.Outboard;
import dev.ron.blake3.bao.OutboardBuilder;
import dev.ron.kernel.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the records of a segment from one place to another.
 *
 * <p>Where no record is, it looks for the next one that passes, byte by eight bytes: after a crash
 * the tail may have holes, and a damaged header must not take the records behind it along.
 *
 * <p>Threading: owned by one thread.
 */
public final class SegmentScan {
  private static final int WINDOW_BYTES = 128 << 10;

  private final Segment segment;
  private final DiskFile file;
  private final long limit;
  private final boolean whole;
  private final ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES).limit(0);
  private long windowAt;
  private long at;
  private long goodEnd;
  private int damaged;

  /** A record and where it begins. */
  public record Found(long offset, RecordHeader header) {}

  /**
   * @param whole read objects to their end and pass over those whose bytes are not theirs
   */
  public SegmentScan(Segment segment, DiskFile file, long from, long limit, boolean whole) {
    this.segment = segment;
    this.file = file;
    this.at = from;
    this.goodEnd = from;
    this.limit = limit;
    this.whole = whole;
  }

  /** Whether the last record says that the segment was ended in order. */
  public static boolean isSealed(Segment segment, DiskFile file, long size) throws IOException {
    long at = size - RecordHeader.BYTES;
    if (at < Segment.HEAD_BYTES) {
      return false;
    }
    ByteBuffer last = ByteBuffer.allocate(RecordHeader.BYTES);
    file.read(last, at);
    RecordHeader header = RecordHeader.read(last.flip(), 0, segment.secret(), at);
    return header != null && header.kind() == RecordHeader.Kind.SEAL;
  }

  /** The next record, or null at the end. */
  @Nullable public Found next() throws IOException {
    while (at + RecordHeader.BYTES <= limit) {
      RecordHeader header = header();
      if (header == null || at + header.recordBytes() > limit) {
        at += RecordHeader.ALIGNMENT;
        continue;
      }
      long offset = at;
      at += header.recordBytes();
      if (whole && header.kind() == RecordHeader.Kind.OBJECT && !isWhole(offset, header)) {
        damaged++;
        continue;
      }
      goodEnd = at;
      return new Found(offset, header);
    }
    return null;
  }

  /** Where the last record that was found ends. */
  public long goodEnd() {
    return goodEnd;
  }

  /** Objects that had a header and were not whole. */
  public int damaged() {
    return damaged;
  }

  private @Nullable RecordHeader header() throws IOException {
    if (at < windowAt || at + RecordHeader.BYTES > windowAt + window.limit()) {
      window.clear().limit((int) Math.min(WINDOW_BYTES, limit - at));
      file.read(window, at);
      window.flip();
      windowAt = at;
    }
    return RecordHeader.read(window, (int) (at - windowAt), segment.secret(), at);
  }

  /** Whether the bytes of an object that was found are those of its address. */
  public boolean isWhole(Found object) throws IOException {
    return isWhole(object.offset(), object.header());
  }

  private boolean isWhole(long offset, RecordHeader header) throws IOException {
    var builder = new OutboardBuilder();
    byte[] group = new byte[(int) Math.min(HashTree.GROUP_BYTES, header.length())];
    long position = offset + RecordHeader.BYTES;
    for (long left = header.length(); left > 0; ) {
      int count = (int) Math.min(group.length, left);
      if (file.read(ByteBuffer.wrap(group, 0, count), position) < count) {
        return false;
      }
      builder.update(group, 0, count);
      position += count;
      left -= count;
    }
    Outboard outboard = builder.build();
    byte[] stored = new byte[(int) Outboard.storedBytes(header.length())];
    return file.read(ByteBuffer.wrap(stored), position) == stored.length
        && outboard.root().equals(header.key().address().hash())
        && Arrays.equals(stored, outboard.stored());
  }
}
