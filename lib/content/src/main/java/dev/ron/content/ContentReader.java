package dev.ron.content;

import dev.ron.blake3.bao.Outboard;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.Optional;

/**
 * A range of one object, open for reading.
 *
 * <p>While it is open its bytes stay, whatever is deleted, evicted or compacted.
 *
 * <p>Threading: owned by one thread at a time.
 */
public interface ContentReader extends AutoCloseable {
  /** What a step of reading found. */
  sealed interface Step {
    /** Verified bytes, at most one group of 64 KiB; the buffer is the reader's until then next. */
    record Bytes(ByteBuffer bytes) implements Step {}

    record End() implements Step {}

    /** Nothing after this can be read; what came before is good. */
    record Bad(ContentFault fault) implements Step {}
  }

  ContentStat stat();

  long offset();

  /** The bytes of the range that {@link #next} has not handed out. */
  long remaining();

  /** The next bytes, verified before they are handed out. */
  Step next();

  /**
   * What remains, as a piece of a file, if every byte of it has been verified and the store may
   * trust that for longer than one read. Valid until the reader is closed.
   */
  Optional<FileRegion> region();

  /**
   * The same with the file open, valid until the reader is closed: the sender closes the reader
   * when the last byte has left. Empty where {@link #region} is, or if the file cannot be opened
   * once more; the bytes can then still be read.
   */
  default Optional<OpenRegion> openRegion() {
    return Optional.empty();
  }

  /**
   * The tree beside the object, checked against its address, if the store keeps one that is good;
   * without it a caller that needs the tree has to hash the object.
   */
  default Optional<Outboard> outboard() {
    return Optional.empty();
  }

  /** Writes what remains, or as much as is good, and answers the fault that ended it. */
  default Optional<ContentFault> transferTo(OutputStream out) throws IOException {
    var channel = Channels.newChannel(out);
    while (true) {
      switch (next()) {
        case Step.Bytes(ByteBuffer bytes) -> channel.write(bytes);
        case Step.End _ -> {
          return Optional.empty();
        }
        case Step.Bad(ContentFault fault) -> {
          return Optional.of(fault);
        }
      }
    }
  }

  @Override
  void close();
}
