package dev.ron.blake3.bao;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Where the bytes of an input are read from, at any offset. */
@FunctionalInterface
public interface ByteSource {
  /**
   * Fills {@code into} from {@code at} on with {@code length} bytes of the input.
   *
   * @throws EOFException if the input ends before: a fault of the input, not of reading it
   */
  void read(long offset, byte[] into, int at, int length) throws IOException;

  static ByteSource of(MemorySegment bytes) {
    return (offset, into, at, length) -> {
      if (offset > bytes.byteSize() - length) {
        throw new EOFException("the segment ends before byte " + (offset + length));
      }
      MemorySegment.copy(bytes, offset, MemorySegment.ofArray(into), at, length);
    };
  }

  static ByteSource of(FileChannel file) {
    return (offset, into, at, length) -> {
      ByteBuffer buffer = ByteBuffer.wrap(into, at, length);
      while (buffer.hasRemaining()) {
        int n = file.read(buffer, offset + buffer.position() - at);
        if (n < 0) {
          throw new EOFException("the file ends before byte " + (offset + length));
        }
      }
    };
  }
}
