package dev.ron.blake3;

import dev.ron.blake3.kernel.HashKernel;
import dev.ron.blake3.kernel.HashKernelChoice;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Composes the root of an input from its parts, which come in any order and more than once.
 *
 * <p>A part that comes again replaces the earlier one, as an upload that is repeated does.
 *
 * <p>Threading: owned by one thread at a time.
 */
public final class SubtreeComposer {
  private final Mode mode;
  private final int partsMax;
  private final Map<Integer, Subtree> parts = new HashMap<>();

  /** At most {@code partsMax} parts are accepted, and so much memory used. */
  public SubtreeComposer(int partsMax) {
    this(Mode.PLAIN, partsMax);
  }

  public SubtreeComposer(Mode mode, int partsMax) {
    if (partsMax < 1 || partsMax > Integer.MAX_VALUE / Hash.BYTES) {
      throw new IllegalArgumentException("partsMax " + partsMax);
    }
    this.mode = mode;
    this.partsMax = partsMax;
  }

  /** Takes a part; answers the one it replaces. */
  public CheckResult<Optional<Subtree>> add(Subtree part) {
    if (part.index() >= partsMax) {
      long end = part.index() * HashTree.PART_BYTES + part.lengthBytes();
      return CheckResult.bad(
          new Blake3Fault.LengthRefused(end, (long) partsMax * HashTree.PART_BYTES));
    }
    return CheckResult.good(Optional.ofNullable(parts.put((int) part.index(), part)));
  }

  /** The root of the input of {@code lengthBytes} bytes, if exactly its parts are here. */
  public CheckResult<Hash> compose(long lengthBytes) {
    long lengthBytesMax = (long) partsMax * HashTree.PART_BYTES;
    if (lengthBytes < 0 || lengthBytes > lengthBytesMax) {
      return CheckResult.bad(new Blake3Fault.LengthRefused(lengthBytes, lengthBytesMax));
    }
    int count = (int) HashTree.parts(lengthBytes);
    if (parts.size() > count) {
      return CheckResult.bad(new Blake3Fault.Trailing(lengthBytes));
    }
    byte[] values = new byte[count * Hash.BYTES];
    for (int i = 0; i < count; i++) {
      Subtree part = parts.get(i);
      if (part == null) {
        return CheckResult.bad(new Blake3Fault.PartMissing(i));
      }
      int expected =
          (int) Math.min(HashTree.PART_BYTES, lengthBytes - (long) i * HashTree.PART_BYTES);
      if (part.lengthBytes() != expected) {
        return CheckResult.bad(new Blake3Fault.PartLengthMismatch(i, expected, part.lengthBytes()));
      }
      if (count == 1) {
        return CheckResult.good(part.alone().orElseThrow());
      }
      part.chainingValue().write(values, i * Hash.BYTES);
    }
    HashKernel kernel = HashKernelChoice.kernel(values.length);
    return CheckResult.good(Levels.over(mode, values, count, kernel).top().root());
  }
}
