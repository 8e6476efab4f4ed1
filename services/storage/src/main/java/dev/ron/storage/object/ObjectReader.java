package dev.ron.storage.object;

import dev.ron.blake3.bao.Outboard;
import dev.ron.content.FileRegion;
import dev.ron.storage.StorageFault;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A range of an object on its way out, verified group by group wherever it comes from.
 *
 * <p>Threading: owned by one thread at a time.
 */
public interface ObjectReader extends AutoCloseable {
  /** What a step of reading found. */
  sealed interface Step {
    /** Verified bytes; the buffer is the reading's until the next step. */
    record Bytes(ByteBuffer bytes) implements Step {}

    record End() implements Step {}

    /** Nothing after this can be read; what came before is good. */
    record Lost(StorageFault fault) implements Step {}
  }

  Step next() throws InterruptedException;

  /** The rest as a piece of a file, if it may be sent without another look. */
  Optional<FileRegion> region();

  /** The object's tree, from a copy that keeps a good one. */
  Optional<Outboard> outboard() throws InterruptedException;

  @Override
  void close();
}
