package dev.ron.node.backup;

import dev.ron.capability.signature.SignatureKind;
import dev.ron.kernel.Scope;
import dev.ron.node.DataFolderLock;
import dev.ron.node.NodeFolders;
import dev.ron.node.NodeSettings;
import dev.ron.node.cli.CommandClient;
import dev.ron.node.cluster.ClusterEntry;
import dev.ron.node.fsck.Anomaly;
import dev.ron.node.fsck.CheckTarget;
import dev.ron.node.fsck.NodeCheck;
import dev.ron.node.profile.TextTable;
import dev.ron.node.up.ConfigOptions;
import dev.ron.rewarder.sign.Attestor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Backs a node up while it runs, on its own machine.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(
    name = "backup",
    description = {
      "Back up everything durable of a node, running or not, to a folder or a bucket.",
      "What is there from an earlier backup is not sent again. Keys go along under a passphrase."
    },
    subcommands = {BackupCommand.ListAll.class, BackupCommand.Verify.class})
public final class BackupCommand implements Callable<Integer> {
  private static final int EXIT_DAMAGE = 1;
  private static final int CHECKS_MAX = 3;

  @Mixin private final ConfigOptions options = new ConfigOptions();
  @Mixin private final RepositoryOptions repositories = new RepositoryOptions();

  @Parameters(
      arity = "0..1",
      defaultValue = "",
      paramLabel = "TO",
      description = "A folder, or s3://bucket/prefix.")
  private String to = "";

  @Option(
      names = "--damaged",
      description = "Back up what there is, although some of it is damaged.")
  private boolean damaged;

  @Option(
      names = "--reread",
      description =
          "Also read what is there from earlier backups, and send again what is not right.")
  private boolean reread;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (to.isEmpty()) {
      throw new IllegalArgumentException("name a folder, or s3://bucket/prefix, to back up to");
    }
    Scope scope = CommandClient.scope();
    NodeSettings settings = options.load();
    NodeFolders folders = NodeFolders.of(settings);
    requireAlone(settings, folders);
    var passphrase = repositories.passphrase(System.getenv());
    try (BackupRepository repository = repositories.open(to);
        Cut cut = Cut.of(scope.disk(), folders)) {
      List<String> damage = damage(cut, settings, !DataFolderLock.held(folders).isEmpty());
      if (!damage.isEmpty() && !damaged) {
        damage.forEach(System.out::println);
        System.out.println(
            "NOT BACKED UP: mend this first, or back up what there is with --damaged");
        return EXIT_DAMAGE;
      }
      Attestor signer = Attestor.open(scope.disk(), folders.keys(), List.of(SignatureKind.ED25519));
      var writer = new BackupWriter(scope, repository, signer, reread);
      BackupManifest made =
          writer.write(cut, options.file(), passphrase, NodeFolders.elsewhere(settings), damage);
      if (writer.mended() > 0) {
        System.out.printf("%d pieces were there and not right, and are now%n", writer.mended());
      }
      made.leftOut().forEach(what -> System.out.println("left out: " + what));
      System.out.printf(
          "%s  %d files, %d bytes, %d of them new%n",
          made.name(), made.files(), made.size(), writer.sent());
      return 0;
    }
  }

  /**
   * What machines agreed on is in each of their logs up to another entry: backups of running ones
   * are of several moments, and a machine that is ahead of the others' log keeps what they lack.
   */
  private static void requireAlone(NodeSettings settings, NodeFolders folders) throws IOException {
    boolean several =
        NodeFolders.isOfSeveral(settings)
            || Files.exists(folders.data().resolve(ClusterEntry.MEMBER))
            || Files.exists(folders.sharedNames())
            || !folders.mailboxGroups().isEmpty();
    if (several && !DataFolderLock.held(folders).isEmpty()) {
      throw new IllegalArgumentException(
          folders.data()
              + " is of a machine of a cluster, and it runs: stop all machines of it, back up each, and"
              + " start them again");
    }
  }

  /** Some files of the cut still grow: what is found wrong counts if it is still wrong later. */
  private static List<String> damage(Cut cut, NodeSettings settings, boolean running)
      throws IOException, InterruptedException {
    List<String> found = List.of();
    for (int i = 0; i < CHECKS_MAX && (i == 0 || !found.isEmpty()); i++) {
      Path scratch = Files.createDirectory(cut.folders().data().resolve("scratch-" + i));
      found =
          NodeCheck.run(CommandClient.scope(), CheckTarget.of(settings, cut.folders()), scratch)
              .findings()
              .stream()
              .filter(Anomaly::damage)
              .filter(finding -> !(running && finding.mayBeUnderWay()))
              .map(Anomaly::toString)
              .toList();
    }
    return found;
  }

  /** {@code ron backup list}. */
  @Command(
      name = "list",
      description = {
        "List the backups of a repository, oldest first.",
        "Exits with 0 if all of them can be read."
      })
  static final class ListAll implements Callable<Integer> {
    @Mixin private final RepositoryOptions repositories = new RepositoryOptions();

    @Parameters(paramLabel = "FROM", description = "A folder, or s3://bucket/prefix.")
    private String from = "";

    @Override
    public Integer call() throws IOException, InterruptedException {
      try (BackupRepository repository = repositories.open(from)) {
        var reader = new BackupReader(repository);
        var rows = new ArrayList<List<String>>();
        var unreadable = new ArrayList<String>();
        for (String name : reader.names()) {
          try {
            rows.add(row(reader.manifest(name)));
          } catch (IOException wrong) {
            unreadable.add(String.valueOf(wrong.getMessage()));
          }
        }
        System.out.println(
            TextTable.of(List.of("BACKUP", "NODE", "FILES", "BYTES", "DAMAGE"), rows, false)
                .stripTrailing());
        unreadable.forEach(System.err::println);
        return unreadable.isEmpty() ? 0 : EXIT_DAMAGE;
      }
    }

    private static List<String> row(BackupManifest each) {
      return List.of(
          each.name(),
          each.node(),
          Long.toString(each.files()),
          Long.toString(each.size()),
          each.damage().isEmpty() ? "no" : Integer.toString(each.damage().size()));
    }
  }

  /** {@code ron backup verify}. */
  @Command(
      name = "verify",
      description = "Read a backup to its last byte. Exits with 0 if it is whole.")
  static final class Verify implements Callable<Integer> {
    @Mixin private final RepositoryOptions repositories = new RepositoryOptions();

    @Parameters(index = "0", paramLabel = "FROM", description = "A folder, or s3://bucket/prefix.")
    private String from = "";

    @Parameters(
        index = "1",
        arity = "0..1",
        defaultValue = "",
        paramLabel = "BACKUP",
        description = "The newest if not given.")
    private String name = "";

    @Override
    public Integer call() throws IOException, InterruptedException {
      try (BackupRepository repository = repositories.open(from)) {
        var reader = new BackupReader(repository);
        BackupManifest manifest = reader.chosen(name, "", Instant.MAX, System.err::println);
        List<String> wrong = reader.verify(reader.table(manifest));
        wrong.forEach(what -> System.out.println("DAMAGE " + what));
        System.out.printf(
            "%s of node %s: %d files, %d bytes, %s%n",
            manifest.name(),
            manifest.node(),
            manifest.files(),
            manifest.size(),
            wrong.isEmpty() ? "whole" : "DAMAGED");
        return wrong.isEmpty() ? 0 : EXIT_DAMAGE;
      }
    }
  }
}
