package dev.ron.node.backup;

import java.util.List;

/**
 * A file of a backup: its pieces, one behind the other, each under its address.
 *
 * <p>Threading: immutable.
 *
 * @param pieces addresses in hexadecimal digits; all but the last have {@link
 *     BackupRepository#PIECE_BYTES}
 */
record BackupFile(String name, long size, List<String> pieces) {
  BackupFile {
    pieces = List.copyOf(pieces);
  }

  /** How long a piece must be. */
  long pieceBytes(int index) {
    return Math.min(
        BackupRepository.PIECE_BYTES, size - (long) index * BackupRepository.PIECE_BYTES);
  }
}
