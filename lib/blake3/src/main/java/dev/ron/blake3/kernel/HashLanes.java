package dev.ron.blake3.kernel;

/** A fixed number of chunks, or of parents, hashed side by side; see {@code VectorLanes}. */
interface HashLanes {
  /** How many are hashed by one call. */
  int count();

  /** How many 32-bit lanes this CPU does best. */
  int widestLanes();

  /**
   * Chaining values of {@link #count()} consecutive whole chunks.
   *
   * @param ahead whether to fetch as many following bytes into the cache meanwhile
   */
  void chunks(
      byte[] in,
      int at,
      int[] key,
      long counter,
      int flags,
      byte[] out,
      int outAt,
      int[] rows,
      boolean ahead);

  /** Chaining values of {@link #count()} consecutive pairs of chaining values. */
  void parents(byte[] in, int at, int[] key, int flags, byte[] out, int outAt, int[] rows);
}
