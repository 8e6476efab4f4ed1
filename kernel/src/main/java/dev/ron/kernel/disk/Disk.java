package dev.ron.kernel.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The few things durable code does to a file system, behind an interface so that a test can make
 * them fail.
 *
 * <p>What a crash keeps is written here once: bytes of a file after {@link DiskFile#flush}; the
 * existence of a name, or its rename or deletion, after {@link #flushDirectory} of its folder.
 * Everything else may be there, be missing, or be there in part and in any order.
 *
 * <p>Threading: thread-safe.
 */
public interface Disk {
  /** Opens for reading and writing, and creates the file if it is missing. */
  DiskFile open(Path file) throws IOException;

  /** Opens an existing file for reading only. */
  DiskFile openReadOnly(Path file) throws IOException;

  boolean exists(Path path);

  /** The entries of a folder in the order of their names. */
  List<Path> list(Path folder) throws IOException;

  void createFolders(Path folder) throws IOException;

  /** Replaces {@code to} in one step: a reader sees the old file or the new one, whole. */
  void rename(Path from, Path to) throws IOException;

  void delete(Path file) throws IOException;

  /** Makes creations, renames and deletions in a folder survive a crash. */
  void flushDirectory(Path folder) throws IOException;

  /** Bytes that may still be written where {@code path} lives. */
  long freeBytes(Path path) throws IOException;
}
