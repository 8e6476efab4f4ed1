package dev.ron.storage.s3.block;

import dev.ron.blake3.Address;
import dev.ron.content.ContentStat;
import dev.ron.http.Refusal;
import dev.ron.storage.StorageFault;
import dev.ron.storage.object.ObjectReader;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.object.Permits;
import dev.ron.storage.s3.S3Fault;
import java.io.IOException;
import java.io.OutputStream;
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
 * @param reads of one piece at a time, in turns between tenants
 * @param writes of a block at a time, likewise
 */
public record BlockStore(ObjectStore store, BlockPins pins, Permits reads, Permits writes) {
  public static final int BLOCK_BYTES = 4 << 20;

  /**
   * Stores a block and leaves it pinned; answers when it is durable.
   *
   * @param address of the bytes, which are not changed any more
   */
  void put(Address address, ByteBuffer bytes) throws Refusal, InterruptedException {
    pins.pin(address);
    boolean stored = false;
    try (Permits.Place _ = writes.enter(bytes.remaining())) {
      ObjectStore.Written written =
          store.put(
              address,
              ObjectStore.Source.of(bytes.remaining(), () -> new BufferStream(bytes.duplicate())));
      if (written instanceof ObjectStore.Written.Refused(StorageFault fault)) {
        throw Refusal.of(refused(fault));
      }
      stored = true;
    } catch (IOException e) {
      throw Refusal.of(new S3Fault.ServerError(String.valueOf(e.getMessage())));
    } finally {
      if (!stored) {
        pins.unpin(address);
      }
    }
  }

  /** What is known of a block; a refusal if it is not there. */
  ContentStat stat(Address block) throws Refusal, InterruptedException {
    Optional<ContentStat> stat = store.stat(block);
    if (stat.isEmpty()) {
      throw Refusal.of(refused(store.missing(block)));
    }
    return stat.get();
  }

  /**
   * Sends bytes of a block as they are stored, verified group by group.
   *
   * @param to the first byte that is not wanted
   */
  void copy(ContentStat block, long from, long to, OutputStream out)
      throws IOException, InterruptedException {
    try (ObjectReader reader = store.open(block, from, to)) {
      long left = to - from;
      while (left > 0) {
        switch (next(reader)) {
          case ObjectReader.Step.Bytes(ByteBuffer bytes) -> {
            left -= bytes.remaining();
            write(bytes, out);
          }
          case ObjectReader.Step.End _ ->
              throw Refusal.of(new S3Fault.ServerError("a block shorter than its extent"));
          case ObjectReader.Step.Lost(var fault) -> throw Refusal.of(refused(fault));
        }
      }
    }
  }

  /** While the client takes what was read, there is a place for others. */
  private ObjectReader.Step next(ObjectReader reader) throws Refusal, InterruptedException {
    try (Permits.Place _ = reads.again()) {
      return reader.next();
    }
  }

  private static void write(ByteBuffer bytes, OutputStream out) throws IOException {
    if (bytes.hasArray()) {
      out.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
    } else {
      byte[] copy = new byte[bytes.remaining()];
      bytes.get(copy);
      out.write(copy);
    }
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
