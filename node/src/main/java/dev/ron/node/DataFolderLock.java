package dev.ron.node;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Keeps a second node out of a data folder for as long as the first runs: each would take what the
 * other has just written to a journal for a torn end, and cut it.
 *
 * <p>The system lets the lock go with the process, however that ends. The file stays and names the
 * process that had it last.
 *
 * <p>Threading: owned by the main thread.
 */
public final class DataFolderLock implements AutoCloseable {
  private static final String FILE = "lock";

  private final FileChannel file;

  private DataFolderLock(FileChannel file) {
    this.file = file;
  }

  /**
   * Before anything in the folder is opened.
   *
   * @throws IOException if another process has it, with that process and what to do
   */
  public static DataFolderLock take(Path data) throws IOException {
    FileChannel file =
        FileChannel.open(
            data.resolve(FILE),
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try {
      if (!lock(file)) {
        throw new IOException(
            ("a node runs on %s already, process %s: stop it first,"
                    + " or start with --data FOLDER and --base-port N")
                .formatted(data, Files.readString(data.resolve(FILE), US_ASCII).strip()));
      }
      file.truncate(0);
      file.write(ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(US_ASCII)));
      return new DataFolderLock(file);
    } catch (IOException | RuntimeException failed) {
      file.close();
      throw failed;
    }
  }

  /** Whether a node runs on the folder; asked by another process. */
  public static boolean isHeld(Path data) throws IOException {
    Path path = data.resolve(FILE);
    if (!Files.exists(path)) {
      return false;
    }
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
      return !lock(file);
    }
  }

  @SuppressWarnings("resource") // a lock ends with its file
  private static boolean lock(FileChannel file) throws IOException {
    try {
      FileLock held = file.tryLock();
      return held != null;
    } catch (OverlappingFileLockException inThisProcess) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
