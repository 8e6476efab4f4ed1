package dev.ron.ordered.rocks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.rocksdb.NativeLibraryLoader;
import org.rocksdb.RocksDB;

/**
 * Loads RocksDB's native library once in a process, before any of its objects is made.
 *
 * <p>The jar unpacks 15 MB to be loaded. Left to itself it does so under a new name in the folder
 * for temporary files, where each killed process leaves one behind, and which may forbid programs.
 * So it is unpacked beside the store, and removed as soon as it is loaded.
 *
 * <p>Threading: thread-safe; RocksDB's loader lets one thread load and the others wait.
 */
final class RocksLibrary {
  private static volatile boolean loaded;

  private RocksLibrary() {}

  /**
   * @param folder of a store that no other thread is opening
   */
  static void load(Path folder) throws IOException {
    if (!loaded) {
      unpack(folder.resolve("native"));
      RocksDB.loadLibrary();
      loaded = true;
    }
  }

  private static void unpack(Path folder) throws IOException {
    Files.createDirectories(folder);
    NativeLibraryLoader.getInstance().loadLibrary(folder.toString());
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(folder);
  }
}
