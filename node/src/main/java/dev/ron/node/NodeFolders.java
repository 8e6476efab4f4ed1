package dev.ron.node;

import dev.ron.edge.EdgeConfig;
import dev.ron.mailbox.cluster.MailboxClusterConfig;
import dev.ron.rewarder.RewarderConfig;
import dev.ron.storage.cluster.StorageClusterConfig;
import dev.ron.storage.s3.cluster.StorageS3ClusterConfig;
import dev.ron.storage.tier.TierConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Where a node keeps what is durable, as its configuration says.
 *
 * <p>Threading: immutable.
 *
 * @param disks the directories of objects; buckets and blocks are in {@code s3} below each, the
 *     names below the first
 * @param packs files, or folders of them
 */
public record NodeFolders(
    Path data, Path mailbox, Path rewarder, Path edge, List<Path> disks, List<Path> packs) {
  private static final String STORAGE = "storage";
  private static final String KEYS = "keys";

  public NodeFolders {
    disks = List.copyOf(disks);
    packs = List.copyOf(packs);
  }

  /** A service that does not run in this process is looked for where it would be. */
  public static NodeFolders of(NodeSettings settings) {
    Path data = settings.node().data();
    return new NodeFolders(
        data,
        found(settings, MailboxClusterConfig.class, config -> config.mailbox().data())
            .orElse(data.resolve("mailbox")),
        found(settings, RewarderConfig.class, RewarderConfig::artifacts)
            .orElse(data.resolve("rewarder")),
        found(settings, EdgeConfig.class, EdgeConfig::data).orElse(data.resolve("edge")),
        found(settings, StorageClusterConfig.class, config -> config.storage().dataDirs())
            .orElse(List.of(data.resolve(STORAGE))),
        found(settings, EdgeConfig.class, EdgeConfig::packs).orElse(List.of()));
  }

  /** Folders that are not below the data folder, each with the key that names it. */
  public Map<Path, String> outside() throws IOException {
    var keys = new LinkedHashMap<Path, String>();
    keys.put(mailbox, "mailbox.data");
    keys.put(rewarder, "rewarder.artifacts");
    keys.put(edge, "edge.data");
    disks.forEach(disk -> keys.putIfAbsent(disk, "storage.data_dirs"));
    var outside = new LinkedHashMap<Path, String>();
    Path root = real(data);
    for (Map.Entry<Path, String> each : keys.entrySet()) {
      Path folder = real(each.getKey());
      if (!folder.startsWith(root)) {
        outside.putIfAbsent(folder, each.getValue());
      }
    }
    return outside;
  }

  /** Without links, as far as it is there. */
  private static Path real(Path folder) throws IOException {
    return Files.exists(folder) ? folder.toRealPath() : folder.toAbsolutePath().normalize();
  }

  /** What a node asks for and keeps in none of its folders, in words. */
  public static List<String> elsewhere(NodeSettings settings) {
    Path keys = settings.node().data().resolve(KEYS).toAbsolutePath().normalize();
    Optional<String> cold =
        found(settings, StorageClusterConfig.class, config -> config.storage().tier())
            .flatMap(tier -> tier)
            .map(TierConfig::bucket)
            .map(
                bucket ->
                    "objects that are in the bucket %s at %s alone: keep what it has"
                        .formatted(bucket.bucket(), bucket.endpoint()));
    Optional<String> masters =
        found(settings, StorageS3ClusterConfig.class, config -> config.s3().masterKeys())
            .filter(file -> !file.isEmpty())
            .filter(file -> !Path.of(file).toAbsolutePath().normalize().startsWith(keys))
            .map("the master keys in %s: without them no encrypted object opens"::formatted);
    return Stream.concat(cold.stream(), masters.stream()).toList();
  }

  /** All of them below one folder, for a copy. */
  public static NodeFolders below(Path root, int disks) {
    return new NodeFolders(
        root,
        root.resolve("mailbox"),
        root.resolve("rewarder"),
        root.resolve("edge"),
        IntStream.range(0, disks)
            .mapToObj(i -> root.resolve(i == 0 ? STORAGE : STORAGE + "-" + i))
            .toList(),
        List.of(root.resolve("packs")));
  }

  private static <C, T> Optional<T> found(
      NodeSettings settings, Class<C> kind, Function<C, T> part) {
    return settings.services().stream()
        .map(NodeSettings.Chosen::config)
        .filter(kind::isInstance)
        .map(kind::cast)
        .findFirst()
        .map(part);
  }

  /** Whether a file is of a machine that is one of several, by its place in a backup. */
  public static boolean isOfSeveral(String file) {
    return file.startsWith("mailbox/group-") || file.startsWith("storage/s3/names-shared/");
  }

  /** Whether the configuration makes the node one of several that keep objects. */
  public static boolean isOfSeveral(NodeSettings settings) {
    return found(settings, StorageClusterConfig.class, StorageClusterConfig::several).orElse(false);
  }

  /** Whether nothing is in a folder, or it is not there. */
  public static boolean isEmpty(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return Files.notExists(folder);
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.findAny().isEmpty();
    }
  }

  public Path keys() {
    return data.resolve(KEYS);
  }

  public Path usage() {
    return data.resolve("usage");
  }

  /** Rows and log of all buckets. */
  public Path names() {
    return disks.getFirst().resolve("s3").resolve("names");
  }

  /** Rows of all buckets, and the part in their log, of a machine that is one of several. */
  public Path sharedNames() {
    return disks.getFirst().resolve("s3").resolve("names-shared");
  }

  /** The mailbox's groups on a machine that is one of several, each with its journal. */
  public List<Path> mailboxGroups() throws IOException {
    if (!Files.isDirectory(mailbox)) {
      return List.of();
    }
    try (Stream<Path> below = Files.list(mailbox)) {
      return below
          .filter(each -> String.valueOf(each.getFileName()).startsWith("group-"))
          .sorted()
          .toList();
    }
  }
}
