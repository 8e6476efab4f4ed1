package dev.ron.blake3.bao;

import dev.ron.blake3.Blake3Fault;
import dev.ron.blake3.Blake3Hasher;
import dev.ron.blake3.CheckResult;
import dev.ron.blake3.Hash;
import dev.ron.blake3.HashTree;
import dev.ron.blake3.Levels;
import dev.ron.blake3.Mode;
import dev.ron.blake3.NodeOutput;
import dev.ron.blake3.kernel.HashKernel;
import dev.ron.blake3.kernel.HashKernelChoice;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is kept beside an input so that any range of it can be verified: the chaining value of every
 * 64 KiB group.
 *
 * <p>Only the groups' values are stored, 32 bytes each, a two-thousandth of the input. The parents
 * above them are derived when an outboard is opened: that has to be done anyway to check it against
 * the root, takes 1.3 ms for 4 GiB, and leaves nothing that could disagree. An input of one group
 * stores nothing; its bytes are checked against the root itself.
 *
 * <p>An outboard that exists has been checked: its values can be trusted as far as its root can.
 *
 * <p>Threading: immutable.
 */
public final class Outboard {
  /** 2^25 groups are 2 TiB of input and 1 GiB of chaining values. */
  public static final int GROUPS_MAX = 1 << 25;

  /** The longest input there can be an outboard of. */
  public static final long LENGTH_BYTES_MAX = (long) GROUPS_MAX * HashTree.GROUP_BYTES;

  private final long lengthBytes;
  private final Hash root;
  private final @Nullable Levels levels;

  private Outboard(long lengthBytes, Hash root, @Nullable Levels levels) {
    this.lengthBytes = lengthBytes;
    this.root = root;
    this.levels = levels;
  }

  /** How many bytes are stored beside an input of this length. */
  public static long storedBytes(long lengthBytes) {
    long groups = HashTree.groups(lengthBytes);
    return groups == 1 ? 0 : groups * Hash.BYTES;
  }

  /**
   * Opens a stored outboard, trusting neither it nor the length, only the root.
   *
   * <p>The length of an input of one group is proven only when its bytes are read; of a longer one,
   * the number of groups is proven here and the exact length when the last group is read.
   */
  public static CheckResult<Outboard> open(Hash root, long lengthBytes, byte[] stored) {
    if (lengthBytes < 0 || lengthBytes > LENGTH_BYTES_MAX) {
      return CheckResult.bad(new Blake3Fault.LengthRefused(lengthBytes, LENGTH_BYTES_MAX));
    }
    long expected = storedBytes(lengthBytes);
    if (stored.length != expected) {
      return CheckResult.bad(
          stored.length < expected
              ? new Blake3Fault.Truncated(stored.length)
              : new Blake3Fault.Trailing(expected));
    }
    if (expected == 0) {
      return CheckResult.good(new Outboard(lengthBytes, root, null));
    }
    Levels levels = levels(stored.clone());
    Hash actual = levels.top().root();
    return actual.equals(root)
        ? CheckResult.good(new Outboard(lengthBytes, root, levels))
        : CheckResult.bad(new Blake3Fault.RootMismatch(root, actual));
  }

  /** From values that were just computed; takes the array over. */
  static Outboard computed(long lengthBytes, byte[] values) {
    Levels levels = levels(values);
    return new Outboard(lengthBytes, levels.top().root(), levels);
  }

  static Outboard ofOneGroup(long lengthBytes, Hash root) {
    return new Outboard(lengthBytes, root, null);
  }

  private static Levels levels(byte[] values) {
    HashKernel kernel = HashKernelChoice.kernel(values.length);
    return Levels.over(Mode.PLAIN, values, values.length / Hash.BYTES, kernel);
  }

  public Hash root() {
    return root;
  }

  public long lengthBytes() {
    return lengthBytes;
  }

  public long groups() {
    return HashTree.groups(lengthBytes);
  }

  /** What to store: nothing for an input of one group. */
  public byte[] stored() {
    return levels == null ? new byte[0] : levels.leaves();
  }

  /** How many bytes group {@code index} has: all have 64 KiB, except perhaps the last. */
  public int groupBytes(long index) {
    Objects.checkIndex(index, groups());
    return (int) Math.min(HashTree.GROUP_BYTES, lengthBytes - index * HashTree.GROUP_BYTES);
  }

  /** Whether these bytes are group {@code index}. */
  public boolean matches(long index, byte[] bytes, int at, int length) {
    Objects.checkFromIndexSize(at, length, bytes.length);
    if (length != groupBytes(index)) {
      return false;
    }
    long first = index * HashTree.GROUP_CHUNKS;
    NodeOutput node = new Blake3Hasher(Mode.PLAIN, first, null).update(bytes, at, length).node();
    return matches(index, node);
  }

  boolean matches(long index, NodeOutput group) {
    if (levels == null) {
      return group.root().equals(root);
    }
    byte[] expected = new byte[Hash.BYTES];
    levels.value((int) index, 1, expected, 0);
    return Arrays.equals(expected, group.chainingValue().bytes());
  }

  /** Writes the chaining value of the node over these groups, which is not the root. */
  void value(long group, long groups, byte[] to, int at) {
    Objects.requireNonNull(levels, "one group has no parents")
        .value((int) group, (int) groups, to, at);
  }
}
