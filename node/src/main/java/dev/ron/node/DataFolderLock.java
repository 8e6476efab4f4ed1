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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps a second node out of the folders of a node for as long as that runs: each would take what
 * the other has just written to a journal for a torn end, and cut it.
 *
 * <p>The system lets the lock go with the process, however that ends. The file stays and names the
 * process that had it last.
 *
 * <p>Threading: owned by the main thread.
 */
public final class DataFolderLock implements AutoCloseable {
  private static final String FILE = "lock";

  /** In a folder with other files of a service; a backup leaves out what has this ending. */
  private static final String FILE_OUTSIDE = "node.lock";

  private final List<FileChannel> files = new ArrayList<>();

  private DataFolderLock() {}

  /**
   * Before anything in the folder is opened.
   *
   * @throws IOException if another process has it, with that process and what to do
   */
  public static DataFolderLock take(Path data) throws IOException {
    var held = new DataFolderLock();
    Path file = data.resolve(FILE);
    held.add(
        open(file), file, "a node runs on " + data, "start with --data FOLDER and --base-port N");
    return held;
  }

  /** Like the other, with the folders that the configuration puts elsewhere. */
  public static DataFolderLock take(NodeFolders folders) throws IOException {
    DataFolderLock held = take(folders.data());
    try {
      for (Map.Entry<Path, String> each : folders.outside().entrySet()) {
        Path folder = each.getKey();
        Optional<FileChannel> file = openOutside(folder);
        if (file.isPresent()) {
          held.add(
              file.get(),
              folder.resolve(FILE_OUTSIDE),
              "a node uses " + folder,
              "name another folder by --set " + each.getValue() + "=FOLDER");
        }
      }
      return held;
    } catch (IOException | RuntimeException failed) {
      held.close();
      throw failed;
    }
  }

  /**
   * Empty for a folder that cannot be written to: its service says so, and a storage goes on
   * without a disk that is gone.
   */
  private static Optional<FileChannel> openOutside(Path folder) {
    try {
      if (!Files.exists(folder)) {
        Files.createDirectories(folder, DataFolder.OWNER_ONLY);
      }
      return Optional.of(open(folder.resolve(FILE_OUTSIDE)));
    } catch (IOException unusable) {
      return Optional.empty();
    }
  }

  private static FileChannel open(Path path) throws IOException {
    return FileChannel.open(
        path,
        Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
  }

  /**
   * @param use what another process does with the folder, if it has it
   * @param otherwise what to do then
   */
  private void add(FileChannel file, Path path, String use, String otherwise) throws IOException {
    files.add(file);
    try {
      if (!lock(file)) {
        throw new IOException(
            "%s already, process %s: stop it first, or %s"
                .formatted(use, Files.readString(path, US_ASCII).strip(), otherwise));
      }
      nameOwner(file);
    } catch (IOException | RuntimeException failed) {
      close();
      throw failed;
    }
  }

  /** Only for the words of a refusal: a disk that is full does not keep its own node out. */
  private static void nameOwner(FileChannel file) {
    try {
      file.truncate(0);
      file.write(ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(US_ASCII)));
    } catch (IOException unsaid) {
      // the lock holds all the same
    }
  }

  /** The folders of a node that another process holds. */
  public static List<Path> held(NodeFolders folders) throws IOException {
    List<Path> held = new ArrayList<>();
    if (isHeld(folders.data())) {
      held.add(folders.data());
    }
    for (Path each : folders.outside().keySet()) {
      if (isLocked(each.resolve(FILE_OUTSIDE))) {
        held.add(each);
      }
    }
    return held;
  }

  /** Whether a node runs on the data folder; asked by another process. */
  public static boolean isHeld(Path data) throws IOException {
    return isLocked(data.resolve(FILE));
  }

  private static boolean isLocked(Path path) throws IOException {
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
    for (FileChannel file : files) {
      file.close();
    }
  }
}
