package dev.ron.storage.object;

import dev.ron.blake3.Address;
import dev.ron.blake3.bao.Outboard;
import dev.ron.content.FileRegion;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Optional;

/**
 * An object on its way into memory: takes a copy of bytes that were just verified, and is found
 * only when it has all of them.
 *
 * <p>Threading: owned by one thread at a time.
 */
final class MemoryFill {
  private final VerifiedMemory memory;
  private final Address address;
  private final MemorySlab slab;
  private final long position;
  private final int length;
  private final Instant begun;
  private int filled;

  MemoryFill(VerifiedMemory memory, Address address, MemorySlab slab, long position, int length) {
    this.memory = memory;
    this.address = address;
    this.slab = slab;
    this.position = position;
    this.length = length;
    this.begun = memory.now();
  }

  /** A reader of the whole object whose bytes come in here as they are read. */
  ObjectReader over(ObjectReader reader) {
    return new FilledReader(reader, this);
  }

  /** The next verified bytes; their position in the buffer stays. */
  private void add(ByteBuffer bytes) {
    if (bytes.remaining() <= length - filled) {
      MemorySegment.copy(
          MemorySegment.ofBuffer(bytes),
          0,
          slab.slice(position + filled, bytes.remaining()),
          0,
          bytes.remaining());
      filled += bytes.remaining();
    }
  }

  private void end() {
    if (filled == length) {
      memory.filled(address, slab, position, length, begun);
    }
    slab.letGo();
  }

  private static final class FilledReader implements ObjectReader {
    private final ObjectReader reader;
    private final MemoryFill fill;
    private boolean closed;

    FilledReader(ObjectReader reader, MemoryFill fill) {
      this.reader = reader;
      this.fill = fill;
    }

    @Override
    public Step next() throws InterruptedException {
      Step step = reader.next();
      if (step instanceof Step.Bytes(ByteBuffer bytes)) {
        fill.add(bytes);
      }
      return step;
    }

    @Override
    public Optional<FileRegion> region() {
      return reader.region();
    }

    @Override
    public Optional<Outboard> outboard() throws InterruptedException {
      return reader.outboard();
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        fill.end();
        reader.close();
      }
    }
  }
}
