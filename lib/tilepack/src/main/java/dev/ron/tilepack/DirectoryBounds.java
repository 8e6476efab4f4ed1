package dev.ron.tilepack;

/**
 * What the entries of a directory may point at.
 *
 * <p>Threading: immutable.
 *
 * @param firstId the least tile the directory may speak of
 * @param endId one more than the greatest
 * @param leafBytes how long the section of leaf directories is
 */
record DirectoryBounds(long firstId, long endId, long leafBytes, long tileBytes) {
  /** The same for a leaf that stands for the tiles from {@code first} to before {@code end}. */
  DirectoryBounds within(long first, long end) {
    return new DirectoryBounds(first, end, leafBytes, tileBytes);
  }
}
