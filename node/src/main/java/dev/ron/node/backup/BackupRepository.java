package dev.ron.node.backup;

import java.io.IOException;
import java.util.SortedMap;

/**
 * A place for backups: names with their bytes, each put whole or not at all.
 *
 * <pre>
 * pieces/ab/abcd...     up to 4 MiB of a file, under the BLAKE3 address of its bytes
 * backups/NAME.json     what one backup is; written last, so one that has its name is complete
 * </pre>
 *
 * <p>Threading: owned by one thread.
 */
interface BackupRepository extends AutoCloseable {
  int PIECE_BYTES = 4 << 20;

  /** Names that begin with a prefix, and how many bytes each has. */
  SortedMap<String, Long> list(String prefix) throws IOException, InterruptedException;

  /** Durable when this returns. */
  void put(String name, byte[] bytes) throws IOException, InterruptedException;

  /**
   * @throws IOException also if there is no such name, or more than {@code bytesMax}
   */
  byte[] get(String name, int bytesMax) throws IOException, InterruptedException;

  /** Where a piece lies. */
  static String piece(String hex) {
    return "pieces/" + hex.substring(0, 2) + "/" + hex;
  }

  @Override
  void close();
}
