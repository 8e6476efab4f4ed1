package dev.ron.journal.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Where in a segment the records lie: the offset of every fourth, from which the others are a few
 * steps away.
 *
 * <p>One byte a record in memory, so that what is larger than memory can be read by position.
 *
 * <p>Threading: grown by one thread at a time; read by any. A reader asks only for positions that
 * were flushed, and those were added before the flush was told.
 */
final class SegmentOffsets {
  static final int STRIDE = 4;

  private final long first;
  private volatile int[] offsets = new int[64];
  private long next;

  SegmentOffsets(long first) {
    this.first = first;
    this.next = first;
  }

  /** Finds the records of a segment by their lengths alone; the reader of one checks it. */
  static SegmentOffsets scan(SegmentWindow reader, long first, long limit) throws IOException {
    var places = new SegmentOffsets(first);
    long offset = SegmentHeader.BYTES;
    while (places.next < limit && !reader.zerosAt(offset, Frame.HEADER_BYTES)) {
      ByteBuffer header = reader.at(offset, Frame.HEADER_BYTES);
      int payloadBytes = header.remaining() < Frame.HEADER_BYTES ? -1 : Frame.payloadBytes(header);
      if (payloadBytes < 0) {
        throw JournalRecovery.corrupt(reader.path(), offset, "no length of a record");
      }
      places.add(header, offset);
      offset += Frame.bytes(payloadBytes);
    }
    return places;
  }

  /** Notes the frames of a batch that lies at {@code offset} of the segment. */
  void addAll(ByteBuffer frames, long offset) {
    int at = frames.position();
    while (at < frames.limit()) {
      ByteBuffer header = frames.slice(at, Frame.HEADER_BYTES);
      add(header, offset + at - frames.position());
      at += Frame.bytes(Frame.payloadBytes(header));
    }
  }

  private void add(ByteBuffer header, long offset) {
    if (Frame.isMark(header)) {
      return;
    }
    int index = Math.toIntExact((next - first) / STRIDE);
    if ((next - first) % STRIDE == 0) {
      int[] now = offsets;
      int[] roomy = index < now.length ? now : Arrays.copyOf(now, 2 * now.length);
      roomy[index] = Math.toIntExact(offset);
      // Written even if it is the same array: a thread that reads it afterwards sees the element.
      offsets = roomy;
    }
    next++;
  }

  /** The offset of the last noted record that is not behind {@code position}. */
  long offset(long position) {
    return offsets[Math.toIntExact((position - first) / STRIDE)];
  }

  /** How many records lie between that one and {@code position}. */
  int steps(long position) {
    return (int) ((position - first) % STRIDE);
  }
}
