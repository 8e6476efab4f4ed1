package dev.ron.storage.object;

import dev.ron.blake3.Address;
import dev.ron.content.ContentStat;
import dev.ron.storage.StorageFault;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All objects as one, whether they lie on the disks of this node alone or on several nodes.
 *
 * <p>Threading: thread-safe.
 */
public interface ObjectStore {
  Optional<ContentStat> stat(Address address) throws InterruptedException;

  /** The fault of an object that is not found. */
  StorageFault missing(Address address) throws InterruptedException;

  /**
   * A range of an object that {@link #stat} knows.
   *
   * @param end the first byte that is not wanted, which may lie beyond the object's
   */
  ObjectReader open(ContentStat stat, long offset, long end);

  /**
   * The same from verified memory, if the object is there and all of the range is in memory;
   * answers without waiting.
   */
  default Optional<MemoryLease> hot(Address address, long offset, long end) {
    return Optional.empty();
  }

  /** How many threads wait for a disk of this machine longer than they may. */
  default int overdue() {
    return 0;
  }

  /** Stores an object whose address is known; answers when its quorum is durable. */
  Written put(Address address, Source source) throws IOException, InterruptedException;

  /** The same, and it takes as long where the object is there already. */
  default Written putAnew(Address address, Source source) throws IOException, InterruptedException {
    return put(address, source);
  }

  /**
   * Stores a stream of which only the first reading is possible.
   *
   * @param expected null to take whatever it hashes to
   */
  Written putOnce(@Nullable Address expected, InputStream in)
      throws IOException, InterruptedException;

  /** Hides an object everywhere; refused while something is away that would bring it back. */
  Optional<StorageFault> delete(Address address) throws InterruptedException;

  /** Up to {@code max} objects after the one given, in the order of addresses. */
  List<ContentStat> list(@Nullable Address after, int max) throws InterruptedException;

  /** Bytes that can be read from the start as often as needed. */
  interface Source {
    long sizeBytes();

    InputStream open() throws IOException;

    static Source of(byte[] bytes) {
      return of(bytes.length, () -> new ByteArrayInputStream(bytes));
    }

    static Source of(long sizeBytes, Opening opening) {
      return new Source() {
        @Override
        public long sizeBytes() {
          return sizeBytes;
        }

        @Override
        public InputStream open() throws IOException {
          return opening.open();
        }
      };
    }
  }

  /** How a source is opened. */
  @FunctionalInterface
  interface Opening {
    InputStream open() throws IOException;
  }

  /** What became of a write. */
  sealed interface Written {
    record Stored(Address address, long sizeBytes, boolean fresh) implements Written {}

    record Refused(StorageFault fault) implements Written {}
  }
}
