package dev.ron.content;

import dev.ron.blake3.Address;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Bytes kept under the hash of themselves.
 *
 * <p>What is expected to go wrong is answered as a {@link ContentFault}; an {@code IOException} is
 * always the caller's own stream failing. Waits end with the caller's deadline. A store on another
 * machine that does not answer throws {@link ContentUnavailable} where the answer has no room for a
 * fault: {@link #stat}, {@link #contains}, {@link #list}, {@link #pin} and {@link #space}.
 *
 * <p>Threading: thread-safe.
 */
public interface ContentStore {
  /** Stores what the stream holds, under whatever it hashes to; answers when it is durable. */
  PutResult put(InputStream in) throws IOException, InterruptedException;

  /**
   * Stores what the stream holds if it hashes to {@code expected}; answers when it is durable. The
   * stream is read and checked to its end even if the object is already there.
   */
  PutResult put(Address expected, InputStream in) throws IOException, InterruptedException;

  /**
   * Like {@link #put(Address, InputStream)}, and writes the object also where it is there already:
   * how long it takes does not tell.
   */
  default PutResult putAnew(Address expected, InputStream in)
      throws IOException, InterruptedException {
    return put(expected, in);
  }

  /** The whole object. */
  default OpenResult open(Address address) {
    return open(address, 0, Long.MAX_VALUE);
  }

  /** A range, cut off at the object's end; one that begins beyond the end is a fault. */
  OpenResult open(Address address, long offset, long length);

  Optional<ContentStat> stat(Address address);

  default boolean contains(Address address) {
    return stat(address).isPresent();
  }

  /** There, and not known to be damaged. */
  default boolean sound(Address address) {
    return contains(address);
  }

  /**
   * Notes what was found out about the copy. One that is damaged can still be read where it is
   * good, and the next put stores it anew; a store with an index remembers it for as long as it has
   * the copy, however many there are.
   */
  default void judged(Address address, boolean sound) {}

  /** Copies that are known to be damaged. */
  default long damaged() {
    return 0;
  }

  /**
   * Hides the object at once, durably; its bytes go after the store's grace. A reader that is open
   * reads on. A delete that is answered with a fault of the disk may have happened.
   */
  DeleteResult delete(Address address) throws InterruptedException;

  /** Up to {@code max} objects in the order of their addresses, after the one given. */
  List<ContentStat> list(@Nullable Address after, int max);

  /**
   * Protects an object from {@link #delete}; pins are counted. They are in memory: they end with
   * the process, or when the store is closed, and a caller that needs them longer sets them again
   * at the start.
   *
   * @return false if the object is not there, and then nothing is pinned
   */
  boolean pin(Address address);

  /** Takes one pin back. */
  void unpin(Address address);

  Space space();
}
