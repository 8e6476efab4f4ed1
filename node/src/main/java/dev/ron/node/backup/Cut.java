package dev.ron.node.backup;

import dev.ron.kernel.disk.Disk;
import dev.ron.node.DataFolder;
import dev.ron.node.NodeFolders;
import dev.ron.node.fsck.FsckCommand;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * All durable files of a node at one moment, while it goes on writing.
 *
 * <p>Each store is cut by itself, in an order that keeps references whole: names before the blocks
 * they name, epochs and seals before the objects they point to. What is referred to is there before
 * the reference is, and is deleted only a grace after it.
 *
 * <p>Threading: owned by one thread.
 */
final class Cut implements AutoCloseable {
  private static final String FOLDER = ".cut";
  private static final String LOCK = ".cut.lock";
  private static final Set<String> PASSING = Set.of("LOCK", "LOG", "probe", "drafts", "spool");
  private static final List<String> DRAFTS =
      List.of(".part", ".tmp", ".new", ".gone", ".lock", ".dbtmp");

  private final Disk disk;
  private final NodeFolders node;
  private final NodeFolders copies;
  private final List<CutFile> files = new ArrayList<>();
  private final Set<Path> staged = new TreeSet<>();
  private final FileChannel lockFile;

  /** Where the pack of a name is served from. */
  private final Map<String, Path> packs = new HashMap<>();

  private final Set<String> packNames = new HashSet<>();

  private Cut(Disk disk, NodeFolders node, FileChannel lockFile) {
    this.disk = disk;
    this.node = node;
    this.lockFile = lockFile;
    this.copies =
        new NodeFolders(
            node.data().resolve(FOLDER),
            copy(node.mailbox()),
            copy(node.rewarder()),
            node.data().resolve(FOLDER).resolve("edge"),
            node.disks().stream().map(this::copy).toList(),
            node.packs());
  }

  /** What a backup that was killed left is cleared first. */
  static Cut of(Disk disk, NodeFolders node) throws IOException {
    if (!Files.isDirectory(node.data())) {
      throw new IllegalArgumentException(node.data() + " is no data folder; name it by --data");
    }
    FileChannel lockFile =
        FileChannel.open(
            node.data().resolve(LOCK),
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    boolean taken = false;
    try {
      lock(lockFile, node);
      var cut = new Cut(disk, node, lockFile);
      cut.clear();
      taken = true;
      try {
        cut.take();
      } catch (IOException | RuntimeException failed) {
        cut.close();
        throw failed;
      }
      return cut;
    } finally {
      if (!taken) {
        lockFile.close();
      }
    }
  }

  private static void lock(FileChannel file, NodeFolders node) throws IOException {
    FileLock lock;
    try {
      lock = file.tryLock();
    } catch (OverlappingFileLockException _) {
      lock = null;
    }
    if (lock == null) {
      throw new IllegalArgumentException("another backup of " + node.data() + " is running");
    }
  }

  /**
   * Hard links stay on their disk, so a folder outside of the data folder has copies of its own.
   */
  private Path copy(Path folder) {
    return folder.startsWith(node.data())
        ? node.data().resolve(FOLDER).resolve(node.data().relativize(folder))
        : folder.resolve(FOLDER);
  }

  private void take() throws IOException {
    Path first = node.disks().getFirst();
    unit("storage/s3/names", node.names(), copies.names(), _ -> true);
    unit("rewarder", node.rewarder(), copies.rewarder(), below -> !below.startsWith("keys"));
    unit("usage", node.usage(), copies.usage(), _ -> true);
    unit("mailbox", node.mailbox(), copies.mailbox(), _ -> true);
    for (int i = 0; i < node.disks().size(); i++) {
      Path from = node.disks().get(i);
      String name = i == 0 ? "storage" : "storage-" + i;
      Path to = copies.disks().get(i);
      unit(
          name + "/s3",
          from.resolve("s3"),
          to.resolve("s3"),
          below -> !(from.equals(first) && below.startsWith("names")));
      unit(
          name,
          from,
          to,
          below -> !below.startsWith("s3"),
          below -> below.startsWith("references"));
    }
    for (Path place : node.packs()) {
      packs(place);
    }
    Path version = node.data().resolve(DataFolder.VERSION_FILE);
    if (Files.exists(version)) {
      files.add(new CutFile(DataFolder.VERSION_FILE, version, Files.size(version)));
    }
    // Secrets are a part of the cut, so that it can be checked; whether they leave is decided
    // later.
    unit("keys", node.keys(), copies.keys(), _ -> true);
    unit(
        "rewarder/keys",
        node.rewarder().resolve("keys"),
        copies.rewarder().resolve("keys"),
        _ -> true);
  }

  private void unit(String name, Path from, Path to, Predicate<Path> wanted) throws IOException {
    unit(name, from, to, wanted, _ -> false);
  }

  private void unit(String name, Path from, Path to, Predicate<Path> wanted, Predicate<Path> steady)
      throws IOException {
    Predicate<Path> lasting = below -> lasts(below) && wanted.test(below);
    files.addAll(new CutUnit(disk, name, from, to, lasting, steady).take());
  }

  private static boolean lasts(Path below) {
    for (Path step : below) {
      String word = step.toString();
      if (PASSING.contains(word) || word.startsWith("LOG.old") || word.startsWith(FOLDER)) {
        return false;
      }
    }
    String name = String.valueOf(below.getFileName());
    return DRAFTS.stream().noneMatch(name::endsWith);
  }

  /**
   * A pack is renamed into its folder when it is whole, and not changed. Of two with one name the
   * first is served, so that one is taken, and what lies beside it.
   */
  private void packs(Path place) throws IOException {
    if (!Files.exists(place)) {
      return;
    }
    try (Stream<Path> all = Files.walk(place, 1)) {
      for (Path pack : all.filter(Files::isRegularFile).sorted().toList()) {
        String name = String.valueOf(pack.getFileName());
        Path folder = Objects.requireNonNull(pack.toAbsolutePath().getParent());
        // A file that says what the pack beside it is goes with that.
        String served = name.replaceFirst("\\.b3$", "");
        boolean first = packs.computeIfAbsent(served, _ -> folder).equals(folder);
        if (!name.startsWith(".") && first && packNames.add(name)) {
          files.add(new CutFile("packs/" + name, pack, Files.size(pack)));
        }
      }
    }
  }

  /** In the order they were taken. */
  List<CutFile> files() {
    return files;
  }

  /** The same folders as they were then. */
  NodeFolders folders() {
    return copies;
  }

  private void clear() throws IOException {
    staged.add(copies.data());
    for (Path folder :
        Stream.concat(Stream.of(node.mailbox(), node.rewarder()), node.disks().stream()).toList()) {
      staged.add(folder.startsWith(node.data()) ? copies.data() : copy(folder));
    }
    for (Path folder : staged) {
      FsckCommand.delete(folder);
    }
  }

  @Override
  public void close() throws IOException {
    try (lockFile) {
      for (Path folder : staged) {
        FsckCommand.delete(folder);
      }
    }
  }
}
