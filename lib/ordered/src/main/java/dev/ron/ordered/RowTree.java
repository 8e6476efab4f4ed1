package dev.ron.ordered;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Rows in an immutable search tree: a change answers a new tree that shares most of the old one, so
 * a cursor keeps its rows by keeping its root.
 *
 * <p>It is a treap: each node's rank is drawn once, and no node has a higher rank than the one
 * above it. Its depth is logarithmic whatever order the keys come in, and a range is removed by two
 * splits and a merge.
 *
 * <p>Threading: immutable.
 *
 * @param root null without rows
 */
record RowTree(@Nullable Node root) {
  static final RowTree EMPTY = new RowTree(null);

  /**
   * A row and the rows before and behind it.
   *
   * <p>Threading: immutable.
   */
  static final class Node {
    private final byte[] key;
    private final byte[] value;
    private final int rank;
    private final @Nullable Node left;
    private final @Nullable Node right;
    private final long bytes;
    private final int rows;

    private Node(byte[] key, byte[] value, int rank, @Nullable Node left, @Nullable Node right) {
      this.key = key;
      this.value = value;
      this.rank = rank;
      this.left = left;
      this.right = right;
      this.bytes = ROW_BYTES + key.length + value.length + bytes(left) + bytes(right);
      this.rows = 1 + rows(left) + rows(right);
    }

    byte[] key() {
      return key;
    }

    byte[] value() {
      return value;
    }

    private Node with(@Nullable Node newLeft, @Nullable Node newRight) {
      return new Node(key, value, rank, newLeft, newRight);
    }
  }

  /** A node and the headers of its two arrays. */
  private static final int ROW_BYTES = 88;

  private record Split(@Nullable Node before, @Nullable Node from) {}

  RowTree put(byte[] key, byte[] value, RandomGenerator chance) {
    Split here = split(root, key);
    Split behind = split(here.from, Arrays.copyOf(key, key.length + 1));
    var row = new Node(key, value, chance.nextInt(), null, null);
    return new RowTree(merge(merge(here.before, row), behind.from));
  }

  RowTree without(byte[] from, byte[] to) {
    Split here = split(root, from);
    return new RowTree(merge(here.before, split(here.from, to).from));
  }

  /** The first row at the key or behind it. */
  @Nullable Node atOrAfter(byte[] key) {
    Node best = null;
    for (Node at = root; at != null; ) {
      boolean counts = Arrays.compareUnsigned(at.key, key) >= 0;
      best = counts ? at : best;
      at = counts ? at.left : at.right;
    }
    return best;
  }

  /** The last row before the key. */
  @Nullable Node before(byte[] key) {
    Node best = null;
    for (Node at = root; at != null; ) {
      boolean counts = Arrays.compareUnsigned(at.key, key) < 0;
      best = counts ? at : best;
      at = counts ? at.right : at.left;
    }
    return best;
  }

  long bytes() {
    return bytes(root);
  }

  int rows() {
    return rows(root);
  }

  private static long bytes(@Nullable Node node) {
    return node == null ? 0 : node.bytes;
  }

  private static int rows(@Nullable Node node) {
    return node == null ? 0 : node.rows;
  }

  private static Split split(@Nullable Node node, byte[] key) {
    if (node == null) {
      return new Split(null, null);
    }
    if (Arrays.compareUnsigned(node.key, key) < 0) {
      Split right = split(node.right, key);
      return new Split(node.with(node.left, right.before), right.from);
    }
    Split left = split(node.left, key);
    return new Split(left.before, node.with(left.from, node.right));
  }

  /** All keys of the first before all of the second. */
  private static @Nullable Node merge(@Nullable Node first, @Nullable Node second) {
    if (first == null || second == null) {
      return first == null ? second : first;
    }
    return first.rank >= second.rank
        ? first.with(first.left, merge(first.right, second))
        : second.with(merge(first, second.left), second.right);
  }
}
