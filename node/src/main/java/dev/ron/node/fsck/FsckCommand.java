package dev.ron.node.fsck;

import dev.ron.node.DataFolderLock;
import dev.ron.node.NodeFolders;
import dev.ron.node.NodeSettings;
import dev.ron.node.cli.CommandClient;
import dev.ron.node.up.ConfigOptions;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Looks for damage on the disks of a node that is stopped.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(
    name = "fsck",
    description = {
      "Read everything a stopped node keeps and say what is lost, by name.",
      "Writes nothing there. Exits with 0 only if nothing is damaged."
    })
public final class FsckCommand implements Callable<Integer> {
  private static final int EXIT_DAMAGE = 1;

  @Mixin private final ConfigOptions options = new ConfigOptions();

  @Option(
      names = "--scratch",
      description =
          "Where a copy of the rows of buckets is opened; the system's folder if not given.")
  private @Nullable Path scratch;

  @Override
  public Integer call() throws IOException, InterruptedException {
    NodeSettings settings = options.load();
    NodeFolders folders = NodeFolders.of(settings);
    if (!Files.isDirectory(folders.data())) {
      throw new IllegalArgumentException(folders.data() + " is no data folder; name it by --data");
    }
    Optional<Path> used = inUse(folders);
    if (used.isPresent()) {
      throw new IllegalArgumentException(
          "a node runs on %s: stop it first, or let `ron backup` check what it copies"
              .formatted(used.get()));
    }
    Path copy =
        scratch == null
            ? Files.createTempDirectory("ron-fsck")
            : Files.createTempDirectory(scratch, "ron-fsck");
    try {
      NodeCheck.Report report =
          NodeCheck.run(CommandClient.scope(), CheckTarget.of(settings, folders), copy);
      report.findings().forEach(System.out::println);
      report.counted().forEach(System.out::println);
      System.out.println(report.sound() ? "no damage" : "DAMAGED");
      return report.sound() ? 0 : EXIT_DAMAGE;
    } finally {
      delete(copy);
    }
  }

  /**
   * RocksDB locks a file of its folder for as long as it is open: a build before the folder had a
   * lock.
   */
  private static Optional<Path> inUse(NodeFolders folders) throws IOException {
    List<Path> held = DataFolderLock.held(folders);
    if (held.isEmpty() && (isLocked(folders.names()) || isLocked(folders.sharedNames()))) {
      return Optional.of(folders.data());
    }
    return held.stream().findFirst();
  }

  private static boolean isLocked(Path names) throws IOException {
    Path lock = names.resolve("rows").resolve("LOCK");
    if (!Files.exists(lock)) {
      return false;
    }
    try (FileChannel file = FileChannel.open(lock, StandardOpenOption.WRITE);
        FileLock held = file.tryLock()) {
      return held == null;
    }
  }

  /** Removes a folder with all that is in it. */
  public static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}
