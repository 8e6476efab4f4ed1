package dev.ron.storage.s3.block;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.content.ContentStat;
import dev.ron.http.Refusal;
import dev.ron.storage.StorageFault;
import dev.ron.storage.object.ObjectReader;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.object.Permits;
import dev.ron.storage.s3.S3Fault;
import dev.ron.storage.s3.core.Extent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The blocks that objects are made of, each kept under the hash of its bytes.
 *
 * <p>They lie in stores of their own, so that an address which a client guesses opens none of them
 * at the storage's other door, and nothing that was put there is ever collected here.
 *
 * <p>Threading: thread-safe.
 *
 * @param writes at a time
 */
public record BlockStore(ObjectStore store, BlockPins pins, Permits writes) {
  public static final int BLOCK_BYTES = 4 << 20;

  /**
   * Stores a block and leaves it pinned; answers when it is durable.
   *
   * @param bytes not changed any more
   */
  Address put(ByteBuffer bytes) throws Refusal, InterruptedException {
    Address address = new Address(Blake3.hash(bytes.duplicate()));
    pins.pin(address);
    boolean stored = false;
    try (Permits.Place _ = writes.enter()) {
      ObjectStore.Written written =
          store.put(
              address,
              ObjectStore.Source.of(bytes.remaining(), () -> new BufferStream(bytes.duplicate())));
      if (written instanceof ObjectStore.Written.Refused(StorageFault fault)) {
        throw Refusal.of(refused(fault));
      }
      stored = true;
      return address;
    } catch (IOException e) {
      throw Refusal.of(new S3Fault.ServerError(String.valueOf(e.getMessage())));
    } finally {
      if (!stored) {
        pins.unpin(address);
      }
    }
  }

  /** The bytes of an extent, verified group by group. */
  ObjectReader open(Extent extent, long skip, long length) throws Refusal, InterruptedException {
    Optional<ContentStat> stat = store.stat(extent.block());
    if (stat.isEmpty()) {
      throw Refusal.of(refused(store.missing(extent.block())));
    }
    long from = extent.offset() + skip;
    return store.open(stat.get(), from, from + length);
  }

  /** What a fault below means to a client of this door. */
  static S3Fault refused(StorageFault fault) {
    return switch (fault) {
      case StorageFault.Full _ -> new S3Fault.InsufficientStorage(fault.detail());
      case StorageFault.Busy _, StorageFault.Unavailable _ ->
          new S3Fault.SlowDown(fault.detail(), S3Fault.REST);
      default -> new S3Fault.ServerError(fault.detail());
    };
  }
}
