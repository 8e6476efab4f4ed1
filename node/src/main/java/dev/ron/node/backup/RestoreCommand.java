package dev.ron.node.backup;

import dev.ron.capability.SecretFile;
import dev.ron.capability.signature.SignatureKind;
import dev.ron.kernel.Scope;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.node.NodeFolders;
import dev.ron.node.NodeSettings;
import dev.ron.node.cli.CommandClient;
import dev.ron.node.cluster.ClusterEntry;
import dev.ron.node.fsck.Anomaly;
import dev.ron.node.fsck.CheckTarget;
import dev.ron.node.fsck.FsckCommand;
import dev.ron.node.fsck.NodeCheck;
import dev.ron.node.up.ConfigOptions;
import dev.ron.rewarder.sign.Attestor;
import dev.ron.storage.s3.check.MasterKeyCheck;
import dev.ron.usage.Seal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Makes the folders of a node from a backup.
 *
 * <p>Everything is written beside its place, read again to the last byte as {@code ron fsck} does,
 * and only then gets its name: a restore that is cut leaves no folder that looks like a node's. A
 * folder that is there already may be another disk, or a link to one, and stays: what comes to it
 * is written below it, and no node starts there until all of it is in place.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(
    name = "restore",
    description = {
      "Restore a backup to a data folder that is missing or empty.",
      "Every byte is checked before it says done; a backup that is damaged or not whole is refused."
    })
public final class RestoreCommand implements Callable<Integer> {
  /** The key that signs backups. */
  private static final String SIGNER = "keys/attest." + SignatureKind.ED25519.word();

  @Mixin private final ConfigOptions options = new ConfigOptions();
  @Mixin private final RepositoryOptions repositories = new RepositoryOptions();

  @Parameters(index = "0", paramLabel = "FROM", description = "A folder, or s3://bucket/prefix.")
  private String from = "";

  @Option(names = "--backup", defaultValue = "", description = "Its name; the newest if not given.")
  private String name = "";

  @Option(
      names = "--before",
      description = "The newest that was made by then: 2026-11-18T07:00:00Z")
  private @Nullable Instant before;

  @Option(names = "--node", defaultValue = "", description = "Only a backup by this node.")
  private String node = "";

  @Option(names = "--damaged", description = "Restore a backup that was made of a damaged node.")
  private boolean damaged;

  @Option(
      names = "--all-machines",
      description = "Restore a machine of a cluster, all of whose machines are restored.")
  private boolean allMachines;

  @Override
  public Integer call() throws IOException, InterruptedException {
    NodeSettings settings = options.load();
    NodeFolders folders = NodeFolders.of(settings);
    try (BackupRepository repository = repositories.open(from)) {
      var reader = new BackupReader(repository);
      BackupManifest manifest =
          reader.chosen(
              name, node, Objects.requireNonNullElse(before, Instant.MAX), System.err::println);
      accept(manifest, folders);
      FileTable table = reader.table(manifest);
      List<String> missing = reader.missing(table);
      if (!missing.isEmpty()) {
        missing.forEach(System.err::println);
        throw new IOException(
            "backup %s is not whole: %d pieces are missing"
                .formatted(manifest.name(), missing.size()));
      }
      Map<String, byte[]> secrets = secrets(reader, table);
      requireAlone(manifest, table, secrets.keySet(), settings);
      restore(reader, table, secrets, settings, folders, manifest);
      say(manifest, folders, secrets);
      return 0;
    }
  }

  private void accept(BackupManifest manifest, NodeFolders folders) throws IOException {
    if (!node.isEmpty() && !node.equals(manifest.node())) {
      throw new IllegalArgumentException(
          "backup %s is by node %s".formatted(manifest.name(), manifest.node()));
    }
    if (!manifest.damage().isEmpty() && !damaged) {
      manifest.damage().forEach(System.err::println);
      throw new IllegalArgumentException(
          "backup %s was made of a damaged node; --damaged restores what there is"
              .formatted(manifest.name()));
    }
    if (manifest.disks() != folders.disks().size()) {
      throw new IllegalArgumentException(
          "the node had %d directories of objects, storage.data_dirs names %d"
              .formatted(manifest.disks(), folders.disks().size()));
    }
    for (Path folder : RestorePlaces.of(folders).values()) {
      if (!RestorePlaces.isFree(folder)) {
        throw new IllegalArgumentException(
            folder + " is not empty; a backup is restored to an empty folder alone");
      }
    }
  }

  /**
   * A machine that comes back with an old log has forgotten what it agreed to since, and would vote
   * as if it had not: with one of the others it can decide that something acknowledged never was.
   */
  private void requireAlone(
      BackupManifest manifest, FileTable table, Set<String> secrets, NodeSettings settings) {
    // Who owns which object is voted on too, and no file of the backup is called by it.
    boolean several =
        secrets.contains(ClusterEntry.MEMBER)
            || NodeFolders.isOfSeveral(settings)
            || table.files().stream().anyMatch(file -> NodeFolders.isOfSeveral(file.name()));
    if (several && !allMachines) {
      throw new IllegalArgumentException(
          ("backup %s is of a machine of a cluster, and the others have agreed on more since. If they"
                  + " are there, replace it: `ron cluster invite --replace NODE` there, and `ron up"
                  + " --join TOKEN` here. If all of them are lost, restore each with --all-machines")
              .formatted(manifest.name()));
    }
  }

  private Map<String, byte[]> secrets(BackupReader reader, FileTable table)
      throws IOException, InterruptedException {
    Optional<BackupFile> box =
        table.files().stream().filter(file -> file.name().equals(BackupWriter.SECRETS)).findFirst();
    Optional<char[]> given = repositories.passphrase(System.getenv());
    if (box.isEmpty()) {
      if (given.isPresent()) {
        // The newest backup may be one that the repository made up: it cannot make the box.
        throw new IllegalArgumentException(
            "this backup has no keys under a passphrase, and one was given; name the backup that has"
                + " them by --backup, or restore this one without a passphrase");
      }
      return Map.of();
    }
    char[] passphrase =
        given.orElseThrow(
            () -> new IllegalArgumentException("its keys need the passphrase they were kept by"));
    return SecretBox.open(reader.bytes(box.get()), passphrase);
  }

  private void restore(
      BackupReader reader,
      FileTable table,
      Map<String, byte[]> secrets,
      NodeSettings settings,
      NodeFolders folders,
      BackupManifest manifest)
      throws IOException, InterruptedException {
    Map<String, Path> targets = RestorePlaces.of(folders);
    Map<String, Path> parts = RestorePlaces.parts(folders);
    for (Path part : parts.values()) {
      FsckCommand.delete(part);
    }
    for (var secret : secrets.entrySet()) {
      BackupReader.secret(RestorePlaces.place(parts, secret.getKey()), secret.getValue());
    }
    if (secrets.containsKey(SIGNER)) {
      requireSignedBy(
          Objects.requireNonNull(RestorePlaces.place(parts, SIGNER).getParent()), manifest);
    }
    reader.write(table, file -> RestorePlaces.place(parts, file));
    if (secrets.isEmpty()) {
      giveUpEncrypted(Objects.requireNonNull(parts.get(RestorePlaces.disk(0))));
    }
    check(parts, settings, folders, manifest, secrets.isEmpty());
    for (Path part : parts.values()) {
      RestorePlaces.flush(part);
    }
    // The data folder last: with it the node is there.
    for (String role : parts.keySet().stream().toList().reversed()) {
      Path part = Objects.requireNonNull(parts.get(role));
      Path target = Objects.requireNonNull(targets.get(role));
      if (Files.exists(part) && !RestorePlaces.isInside(folders.data(), target)) {
        RestorePlaces.move(part, target);
      }
    }
  }

  /**
   * The node whose keys are under the passphrase must have made the rest: a repository can put
   * files of its own beside keys that it cannot open, and sign that as a node that it made up.
   */
  private static void requireSignedBy(Path keys, BackupManifest manifest) throws IOException {
    Attestor signer = Attestor.open(new RealDisk(), keys, List.of(SignatureKind.ED25519));
    String owner = Seal.nodeOf(signer.publicKeys().getFirst());
    if (!owner.equals(manifest.node())) {
      throw new IllegalArgumentException(
          "backup %s has the keys of node %s and was made by node %s"
              .formatted(manifest.name(), owner, manifest.node()));
    }
  }

  /** Without keys no encrypted object opens; a start would refuse that, and is told to go on. */
  private static void giveUpEncrypted(Path storage) throws IOException {
    Path names = storage.resolve("s3").resolve("names");
    if (Files.isDirectory(names)) {
      SecretFile.replace(names.resolve(MasterKeyCheck.IDS), "");
    }
  }

  private void check(
      Map<String, Path> parts,
      NodeSettings settings,
      NodeFolders folders,
      BackupManifest manifest,
      boolean keyless)
      throws IOException, InterruptedException {
    Scope scope = CommandClient.scope();
    Path data = Objects.requireNonNull(parts.get(""));
    var disks = new ArrayList<Path>();
    for (int i = 0; i < folders.disks().size(); i++) {
      disks.add(Objects.requireNonNull(parts.get(RestorePlaces.disk(i))));
    }
    var written =
        new NodeFolders(
            data,
            Objects.requireNonNull(parts.get("mailbox")),
            Objects.requireNonNull(parts.get("rewarder")),
            data.resolve("edge"),
            disks,
            List.of(data.resolve("packs")));
    Path scratch = data.resolve(".scratch");
    Files.createDirectories(scratch);
    List<Anomaly> damage =
        NodeCheck.run(scope, CheckTarget.of(settings, written), scratch).findings().stream()
            .filter(Anomaly::damage)
            .filter(finding -> !(keyless && finding.isAboutKeys()) && !finding.mayBeUnderWay())
            .toList();
    FsckCommand.delete(scratch);
    if (!damage.isEmpty() && manifest.damage().isEmpty()) {
      damage.forEach(System.err::println);
      throw new IOException("what was restored is not sound, and stays in " + data);
    }
    damage.forEach(System.out::println);
  }

  private static void say(
      BackupManifest manifest, NodeFolders folders, Map<String, byte[]> secrets) {
    System.out.printf(
        "restored %s of node %s to %s: %d files, %d bytes, all checked%n",
        manifest.name(), manifest.node(), folders.data(), manifest.files(), manifest.size());
    manifest.leftOut().forEach(what -> System.out.println("left out: " + what));
    if (secrets.containsKey(BackupWriter.CONFIG)) {
      System.out.println("its configuration is in " + folders.data().resolve(BackupWriter.CONFIG));
    }
    Path packs = folders.data().resolve("packs");
    if (Files.exists(packs)) {
      System.out.println("its packs are in %s: name it in edge.packs".formatted(packs));
    }
  }
}
