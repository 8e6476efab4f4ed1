package dev.ron.journal.file;

import dev.ron.journal.Journal.RecordConsumer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A walk from record to record, and where it ended.
 *
 * <p>Threading: immutable.
 *
 * @param offset after the last frame that was right
 * @param next the position that would come there
 * @param problem why the walk could not go on; empty at the end of the segment or of what was asked
 *     for
 */
record SegmentWalk(long offset, long next, Optional<String> problem) {
  static final RecordConsumer IGNORED = (_, _) -> {};

  /** Walks from the first record of a segment up to {@code limit}, which is not handed over. */
  static SegmentWalk run(
      SegmentWindow reader, SegmentHeader header, long limit, RecordConsumer consumer)
      throws IOException {
    long offset = SegmentHeader.BYTES;
    long next = header.first();
    while (next < limit) {
      if (reader.zerosAt(offset, Frame.HEADER_BYTES)) {
        return reader.zerosFrom(offset)
            ? new SegmentWalk(offset, next, Optional.empty())
            : new SegmentWalk(offset, next, Optional.of("bytes behind the padding"));
      }
      Frame frame = frame(reader, header.id(), offset);
      if (frame == null) {
        return new SegmentWalk(offset, next, Optional.of("no record with a right checksum"));
      }
      if (frame.position() != next) {
        String why = "record %d where %d belongs".formatted(frame.position(), next);
        return new SegmentWalk(offset, next, Optional.of(why));
      }
      offset += frame.bytes();
      if (frame.kind() == Frame.Kind.RECORD) {
        consumer.accept(next, frame.payload());
      }
      next += frame.kind() == Frame.Kind.MARK ? 0 : 1;
    }
    return new SegmentWalk(offset, next, Optional.empty());
  }

  /** The frame at an offset, or null if there is none that is right. */
  static @Nullable Frame frame(SegmentWindow reader, long id, long offset) throws IOException {
    ByteBuffer header = reader.at(offset, Frame.HEADER_BYTES);
    if (header.remaining() < Frame.HEADER_BYTES) {
      return null;
    }
    int payloadBytes = Frame.payloadBytes(header);
    if (payloadBytes < 0 || offset + Frame.bytes(payloadBytes) > reader.size()) {
      return null;
    }
    return Frame.parse(reader.at(offset, Frame.bytes(payloadBytes)), id);
  }

  /**
   * Looks behind {@code from} for a frame written after {@code position} had been flushed.
   *
   * <p>If there is one, what is wrong at {@code position} was right once: that is corruption. If
   * there is none, it may be a write that a crash cut, with any part of it on the disk.
   *
   * @return the offset of such a frame
   */
  static OptionalLong proofOfFlush(SegmentWindow reader, long id, long from, long position)
      throws IOException {
    for (long offset = from; offset + Frame.HEADER_BYTES <= reader.size(); offset++) {
      if (plausible(reader, offset, position)) {
        Frame frame = frame(reader, id, offset);
        if (frame != null && frame.batchStart() > position) {
          return OptionalLong.of(offset);
        }
      }
    }
    return OptionalLong.empty();
  }

  /** A cheap look that spares almost every offset the checksum. */
  static boolean plausible(SegmentWindow reader, long offset, long position) throws IOException {
    ByteBuffer header = reader.at(offset, Frame.HEADER_BYTES);
    long there = header.getLong(8);
    return there >= position && there - position <= reader.size();
  }
}
