package dev.ron.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A folder for one run, deleted with all that is in it on {@code close} or when this JVM exits.
 *
 * <p>Threading: immutable.
 */
public final class TempFolder implements AutoCloseable {
  private static final String PREFIX = "ron-bench-";

  /** File systems whose flush does nothing: a durable rate measured there is no durable rate. */
  private static final Set<String> MEMORY = Set.of("tmpfs", "ramfs", "devtmpfs");

  private final Path path;
  private final ExitGuard guard;

  private TempFolder(Path path) {
    this.path = path;
    this.guard = ExitGuard.of(() -> delete(path));
  }

  public static TempFolder create() throws IOException {
    return new TempFolder(Files.createTempDirectory(PREFIX));
  }

  /** In the first of the temporary and the current folder that lies on a disk. */
  public static TempFolder onDisk() throws IOException {
    List<Path> candidates =
        List.of(
            Path.of(System.getProperty("java.io.tmpdir", "/tmp")), Path.of("").toAbsolutePath());
    for (Path candidate : candidates) {
      if (!MEMORY.contains(Files.getFileStore(candidate).type())) {
        return new TempFolder(Files.createTempDirectory(candidate, PREFIX));
      }
    }
    throw new IOException("no disk to measure: all of " + candidates + " lie in memory");
  }

  /** Where reading a file costs no disk; an ordinary temporary folder if the machine has none. */
  public static TempFolder inMemory() throws IOException {
    Path shared = Path.of("/dev/shm");
    if (Files.isWritable(shared) && MEMORY.contains(Files.getFileStore(shared).type())) {
      return new TempFolder(Files.createTempDirectory(shared, PREFIX));
    }
    return create();
  }

  public Path path() {
    return path;
  }

  @Override
  public void close() throws IOException {
    delete(path);
    guard.release();
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> inside = Files.walk(folder)) {
      for (Path one : inside.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(one);
      }
    }
  }
}
