package dev.ron.node.cluster;

import dev.ron.capability.SecretFile;
import dev.ron.http.tls.Pem;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.time.SystemTime;
import dev.ron.node.NodeFolders;
import dev.ron.node.NodeKeys;
import dev.ron.node.NodeSettings;
import dev.ron.node.up.ConfigOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The commands of {@code ron cluster} that work on a node's folder, whether it runs or not.
 *
 * <p>Threading: each is owned by the thread that runs it.
 */
public final class IdentityCommands {
  private IdentityCommands() {}

  /** The node's folder and ports, as {@code ron up} would read them here. */
  static final class NodeOptions {
    @Mixin private final ConfigOptions options = new ConfigOptions();

    ClusterEntry entry() {
      NodeSettings settings = options.load();
      return new ClusterEntry(
          NodeFolders.of(settings), settings.node().basePort(), new SystemTime());
    }

    ClusterFolder folder() throws IOException {
      var folder = ClusterFolder.of(options.load().node().data());
      ClusterEntry.requireMember(folder);
      return folder;
    }
  }

  /** The node goes on alone until enough others have joined. */
  @Command(name = "init", description = "Make this node the first machine of a cluster.")
  public static final class Init implements Callable<Integer> {
    @Mixin private final NodeOptions node = new NodeOptions();

    @Option(names = "--name", defaultValue = "ron", description = "The cluster's. Default: ron")
    private String name = "ron";

    @Option(names = "--node", defaultValue = "a", description = "This machine's. Default: a")
    private String machine = "a";

    @Option(
        names = "--address",
        defaultValue = "",
        description = "Host or address at which the others reach this one; asked of the system.")
    private String address = "";

    @Option(names = "--new", description = "Begin with a node that has never run.")
    private boolean fresh;

    @Override
    public Integer call() throws IOException {
      ClusterEntry entry = node.entry();
      if (!fresh && Files.notExists(NodeKeys.ring(entry.data()))) {
        // In the wrong folder it would make keys that no node ever opens, and say that all is well.
        throw new IOException(
            ("no node has run with %s. Type this where the node is started, or name its"
                    + " configuration by --config or its folder by --data; --new begins a node there")
                .formatted(entry.data()));
      }
      String host = address.isEmpty() ? ownAddress() : address;
      ClusterRoster made = entry.init(name, machine, host);
      System.out.printf(
          "machine %s of cluster %s, at %s, base port %d, in %s%n",
          machine, made.cluster(), host, entry.basePort(), entry.data());
      System.out.println(
          "keep the authority's key: ron cluster authority export --out authority.pem");
      System.out.println("invite a machine: ron cluster invite");
      return 0;
    }

    private static String ownAddress() throws IOException {
      List<String> all =
          NetworkInterface.networkInterfaces()
              .flatMap(NetworkInterface::inetAddresses)
              .filter(each -> !each.isLoopbackAddress() && !each.isLinkLocalAddress())
              .map(InetAddress::getHostAddress)
              .filter(each -> !each.contains(":"))
              .toList();
      if (all.size() != 1) {
        throw new IOException(
            "this machine has the addresses %s: say by --address which the others reach"
                .formatted(all));
      }
      return all.getFirst();
    }
  }

  /** For one machine, once. */
  @Command(name = "invite", description = "Print an invitation: for one machine, for ten minutes.")
  public static final class Invite implements Callable<Integer> {
    @Mixin private final NodeOptions node = new NodeOptions();

    @Option(
        names = "--replace",
        paramLabel = "NODE",
        defaultValue = "",
        description = "For the place of a machine that is gone for good.")
    private String replaces = "";

    @Override
    public Integer call() throws IOException {
      System.out.println(node.entry().invite(replaces));
      return 0;
    }
  }

  /** What signs the machines' certificates. */
  @Command(
      name = "authority",
      description = "The key that signs the machines' certificates.",
      subcommands = {Export.class, Import.class})
  public static final class Authority {}

  /** For safekeeping: without it no machine can join once this one is lost. */
  @Command(name = "export", description = "Write the authority's certificate and key to a file.")
  static final class Export implements Callable<Integer> {
    @Mixin private final NodeOptions node = new NodeOptions();

    @Option(names = "--out", required = true, description = "The file; it must not exist.")
    private Path out = Path.of("authority.pem");

    @Override
    public Integer call() throws IOException {
      var authority = node.folder().authority();
      if (Files.exists(out)) {
        throw new IOException(out + " is there already");
      }
      SecretFile.replace(out, Pem.of(authority.certificate()) + Pem.of(authority.key()));
      System.out.printf("%s: keep it where no machine of the cluster is%n", out);
      return 0;
    }
  }

  /** After the machine that had it was lost. */
  @Command(
      name = "import",
      description = "Make this machine the one with the authority; the other is lost for good.")
  static final class Import implements Callable<Integer> {
    @Mixin private final NodeOptions node = new NodeOptions();

    @Option(names = "--in", required = true, description = "What `export` wrote.")
    private Path in = Path.of("authority.pem");

    @Option(
        names = "--epochs-lost",
        description =
            "Compute epochs here though those of the lost machine are not known: none was paid.")
    private boolean epochsLost;

    @Override
    public Integer call() throws IOException {
      ClusterFolder folder = node.folder();
      SecretFile.requireOwnerOnly(in);
      folder.roster().keptBy(folder.self());
      folder.importAuthority(in);
      String self = folder.self();
      if (epochsLost) {
        folder.keepFounding(Set.of(ClusterProcess.EPOCHS));
      }
      ClusterRoster now = folder.change(roster -> roster.keptBy(self));
      System.out.printf(
          "machine %s of cluster %s has the authority: restart its node%n",
          now.founder(), now.cluster());
      return 0;
    }
  }

  /** Whether the node of a folder belongs to a cluster of this kind. */
  public static boolean isMember(Path data) {
    return ClusterFolder.of(data).exists();
  }

  /** The machine that has the keys of a node's cluster, if that is another one. */
  public static Optional<String> keeper(Path data) throws IOException {
    var folder = ClusterFolder.of(data);
    return folder.exists() && !folder.keepsTheList()
        ? Optional.of(folder.roster().founder())
        : Optional.empty();
  }

  /**
   * Has a machine emptied before it leaves: it leads nothing any more, and where three others stay
   * its copies go to them.
   *
   * @param drains false takes it back
   * @return what is told
   */
  public static String drain(Path data, String machine, boolean drains) throws IOException {
    var folder = ClusterFolder.of(data);
    folder.authority();
    ClusterRoster now = folder.change(roster -> roster.draining(machine, drains));
    if (!drains) {
      return "%s may lead again and takes copies".formatted(machine);
    }
    return now.givesAway(now.machine(machine).orElseThrow())
        ? "%s hands over what it leads and gives its copies to the others; `ron cluster status` and"
                .formatted(machine)
            + " `ron repair status` show how far it is, then `ron cluster leave %s`"
                .formatted(machine)
        : "%s hands over what it leads; its copies stay, because fewer than %d machines would have them"
            .formatted(machine, ClusterRoster.FORMED_FROM);
  }

  /**
   * Lets a machine go: its certificate counts no more, and the others go on without it. One that
   * leads a log hands it over before: else all changes wait until it has stepped down.
   *
   * @return what is told
   */
  public static String leave(Path data, String machine) throws IOException, InterruptedException {
    var folder = ClusterFolder.of(data);
    folder.authority();
    Optional<ClusterMachine> going = folder.roster().machine(machine);
    List<String> leads = going.isEmpty() ? List.of() : leads(folder, machine);
    if (!leads.isEmpty()) {
      throw new IllegalArgumentException(
          "%1$s leads %2$s: `ron cluster drain %1$s` has it hand over. Let it go once `ron cluster status`"
                  .formatted(machine, String.join(", ", leads))
              + " shows that it leads nothing, or stop its node first");
    }
    ClusterRoster left = folder.change(now -> now.letGo(machine));
    return "%s is let go; left are %s".formatted(machine, left.names());
  }

  /**
   * As it says itself, and as the others know: one that is busy may not answer and lead all the
   * same.
   */
  private static List<String> leads(ClusterFolder folder, String machine)
      throws IOException, InterruptedException {
    var scope = Scope.of("cluster", World.real(Log.silent()));
    var leads = new TreeSet<String>();
    try (MachineClient client = MachineClient.certified(scope, folder.tls())) {
      for (ClusterMachine each : folder.roster().machines()) {
        try {
          client
              .get(each.at(ClusterMachine.MACHINES), "/v1/machine", MachineStatus.class)
              .groups()
              .stream()
              .filter(part -> machine.equals(part.leader()))
              .forEach(part -> leads.add(part.label()));
        } catch (IOException away) {
          // the others know of a leader as long as it counts
        }
      }
    }
    return List.copyOf(leads);
  }
}
