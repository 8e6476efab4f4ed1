package dev.ron.storage.object;

import dev.ron.blake3.HashTree;
import dev.ron.blake3.bao.Outboard;
import dev.ron.content.FileRegion;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads a range of an object from memory, a group at a time as from a disk.
 *
 * <p>Threading: owned by one thread at a time.
 */
final class MemoryReader implements ObjectReader {
  private final MemoryLease lease;
  private final ByteBuffer bytes;
  private final Supplier<Optional<Outboard>> outboard;

  /**
   * @param outboard the object's tree, which only disks have
   */
  MemoryReader(MemoryLease lease, Supplier<Optional<Outboard>> outboard) {
    this.lease = lease;
    this.bytes = lease.bytes();
    this.outboard = outboard;
  }

  @Override
  public Step next() {
    if (!bytes.hasRemaining()) {
      return new Step.End();
    }
    byte[] group = new byte[Math.min(bytes.remaining(), HashTree.GROUP_BYTES)];
    bytes.get(group);
    return new Step.Bytes(ByteBuffer.wrap(group));
  }

  @Override
  public Optional<FileRegion> region() {
    return Optional.empty();
  }

  @Override
  public Optional<Outboard> outboard() {
    return outboard.get();
  }

  @Override
  public void close() {
    lease.close();
  }
}
