package dev.ron.content.store;

import dev.ron.blake3.Address;
import dev.ron.blake3.HashTree;
import dev.ron.blake3.bao.Outboard;
import dev.ron.blake3.bao.OutboardBuilder;
import dev.ron.content.ContentFault;
import dev.ron.content.segment.AppendLane;
import dev.ron.content.segment.DiskFailure;
import dev.ron.content.segment.RecordHeader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes an object of more than one group behind the end of a lane, a group at a time.
 *
 * <p>Threading: owned by the thread that puts.
 */
final class StreamedPut {
  private final @Nullable AppendLane lane;
  private final long objectBytesMax;
  private final OutboardBuilder builder = new OutboardBuilder();
  private long written;

  /**
   * @param lane null to hash only, for an object that is already there
   */
  StreamedPut(@Nullable AppendLane lane, long objectBytesMax) {
    this.lane = lane;
    this.objectBytesMax = objectBytesMax;
  }

  /** What the bytes were, or why they could not be taken. */
  sealed interface Outcome {
    record Taken(Address address, long length) implements Outcome {}

    record Refused(ContentFault fault) implements Outcome {}
  }

  /**
   * Takes the first bytes, then the stream to its end.
   *
   * @param first as long as its whole content counts; used as the buffer afterwards
   * @throws IOException only if the stream throws it
   */
  Outcome take(byte[] first, int length, InputStream in) throws IOException {
    int count = length;
    while (count > 0) {
      if (written + count > objectBytesMax) {
        return new Outcome.Refused(new ContentFault.TooLarge(objectBytesMax));
      }
      builder.update(first, 0, count);
      ContentFault fault = write(first, count);
      if (fault != null) {
        return new Outcome.Refused(fault);
      }
      count = in.readNBytes(first, 0, Math.min(first.length, HashTree.GROUP_BYTES));
    }
    Outboard outboard = builder.build();
    // With the zeros up to the next record: a start takes no record that goes beyond the file.
    long tail = RecordHeader.objectRecordBytes(written) - RecordHeader.BYTES - written;
    byte[] values = Arrays.copyOf(outboard.stored(), (int) tail);
    ContentFault fault = write(values, values.length);
    return fault == null
        ? new Outcome.Taken(new Address(outboard.root()), outboard.lengthBytes())
        : new Outcome.Refused(fault);
  }

  private @Nullable ContentFault write(byte[] bytes, int length) {
    if (lane == null) {
      written += length;
      return null;
    }
    try {
      long position = lane.segment().end() + RecordHeader.BYTES + written;
      lane.file().write(ByteBuffer.wrap(bytes, 0, length), position);
      written += length;
      return null;
    } catch (IOException e) {
      return DiskFailure.fault(e);
    }
  }
}
