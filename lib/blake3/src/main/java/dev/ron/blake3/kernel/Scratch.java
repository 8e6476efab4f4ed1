package dev.ron.blake3.kernel;

import dev.ron.blake3.Hash;
import dev.ron.blake3.HashTree;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The working memory of one bulk hash: lent for the length of a call, so that thousands of idle
 * hashers hold none of it and no call allocates it.
 *
 * <p>Threading: owned by the thread that took it, until it gives it back. The pool is thread-safe:
 * a slot is emptied and filled by single atomic exchanges, so no scratch is ever lent twice.
 */
public final class Scratch {
  /** The largest run of chunks a kernel is handed at once: 1 MiB, the size of an upload part. */
  public static final int CHUNKS_MAX = 1024;

  /** Enough rows for sixteen lanes, see {@code VectorLanes}. */
  private static final int ROWS = 43 * 16;

  private static final int SLOTS =
      Integer.highestOneBit(2 * Runtime.getRuntime().availableProcessors());
  private static final AtomicReferenceArray<@Nullable Scratch> POOL =
      new AtomicReferenceArray<>(SLOTS);

  final int[] rows = new int[ROWS];
  final int[] block = new int[CompressionFunction.BLOCK_WORDS];
  final int[] value = new int[CompressionFunction.CV_WORDS];

  /** Chaining values while a run of chunks is reduced level by level. */
  public final byte[] values = new byte[CHUNKS_MAX * Hash.BYTES];

  /** Where bytes outside the heap are copied before they are hashed, a group at a time. */
  public final byte[] copy = new byte[HashTree.GROUP_BYTES];

  /** The C library's hasher; only made where that library is used. */
  private long[] struct = {};

  private Scratch() {}

  long[] struct(int longs) {
    if (struct.length != longs) {
      struct = new long[longs];
    }
    return struct;
  }

  public static Scratch take() {
    Scratch pooled = POOL.getAndSet(slot(), null);
    return pooled != null ? pooled : new Scratch();
  }

  /** Gives it back; dropped if the slot has been filled meanwhile. */
  public void give() {
    POOL.set(slot(), this);
  }

  private static int slot() {
    return (int) Thread.currentThread().threadId() & (SLOTS - 1);
  }
}
