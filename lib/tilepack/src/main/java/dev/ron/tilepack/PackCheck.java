package dev.ron.tilepack;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3Hasher;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a pack from end to end, a bounded piece at a time: first its structure, then every byte for
 * its address.
 *
 * <p>Threading: owned by one thread at a time.
 */
public final class PackCheck {
  private static final int HASH_STEP_BYTES = 1 << 20;

  private final PackBytes bytes;
  private final Walk walk;
  private final Blake3Hasher hasher = new Blake3Hasher();
  private byte @Nullable [] buffer;
  private boolean walked;
  private long hashedBytes;

  /** What one step came to. */
  public sealed interface Progress {
    record Going() implements Progress {}

    /** Everything is as it must be, and this is the pack's name. */
    record Good(Address address) implements Progress {}

    record Refused(PackFault fault) implements Progress {}
  }

  /** The structure of one format. */
  interface Walk {
    /** Looks at a bounded piece; false when nothing is left. */
    boolean step() throws PackRefusal, IOException;
  }

  PackCheck(PackBytes bytes, Walk walk) {
    this.bytes = bytes;
    this.walk = walk;
  }

  public Progress step() {
    try {
      if (!walked) {
        walked = !walk.step();
        return new Progress.Going();
      }
      if (hashedBytes == bytes.size()) {
        return new Progress.Good(new Address(hasher.hash()));
      }
      hashNext();
      return new Progress.Going();
    } catch (PackRefusal refused) {
      return new Progress.Refused(refused.fault());
    } catch (IOException failure) {
      return new Progress.Refused(new PackFault.Unreadable(String.valueOf(failure.getMessage())));
    }
  }

  private void hashNext() throws IOException {
    if (buffer == null) {
      buffer = new byte[HASH_STEP_BYTES];
    }
    int length = (int) Math.min(buffer.length, bytes.size() - hashedBytes);
    bytes.read(hashedBytes, buffer, length);
    hasher.update(buffer, 0, length);
    hashedBytes += length;
  }

  /** All steps at once: the address, or the fault. */
  public Progress run() {
    Progress progress = step();
    while (progress instanceof Progress.Going) {
      progress = step();
    }
    return progress;
  }

  /** All steps at once, held against the address that was promised. */
  public Progress run(Address expected) {
    Progress progress = run();
    if (progress instanceof Progress.Good(Address actual) && !actual.equals(expected)) {
      return new Progress.Refused(new PackFault.OtherAddress(expected, actual));
    }
    return progress;
  }
}
