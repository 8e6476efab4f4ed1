package dev.ron.node.up;

import dev.ron.config.source.Flags;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.DrainReport;
import dev.ron.kernel.time.SystemTime;
import dev.ron.node.DataFolder;
import dev.ron.node.DataFolderLock;
import dev.ron.node.NodeConfig;
import dev.ron.node.NodeFolders;
import dev.ron.node.NodeKeys;
import dev.ron.node.NodeLog;
import dev.ron.node.NodeProcess;
import dev.ron.node.NodeSettings;
import dev.ron.node.RecentLog;
import dev.ron.node.cluster.ClusterEntry;
import dev.ron.node.profile.Terminal;
import dev.ron.node.profile.UserProfile;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Starts the node and stays until it is told to drain.
 *
 * <p>Threading: owned by the thread that runs the command.
 */
@Command(name = "up", description = "Start every service in one process.")
public final class UpCommand implements Callable<Integer> {
  /** Values that a command such as {@code ron mailbox} sets; none for {@code ron up}. */
  private final Flags settled;

  UpCommand() {
    this(Flags.NONE);
  }

  private UpCommand(Flags settled) {
    this.settled = settled;
  }

  /** Starts one service alone. */
  public static UpCommand alone(NodeConfig.Service service) {
    return new UpCommand(
        Flags.derived(Map.of("node.services", service.word()), "ron " + service.word()));
  }

  @Mixin private final ConfigOptions options = new ConfigOptions();

  @Option(names = "--ready-file", description = "Written once everything is ready.")
  private @Nullable Path readyFile;

  @Option(names = "--rehearse", hidden = true, description = "Start, drain and end.")
  private boolean rehearse;

  @Option(
      names = "--join",
      paramLabel = "TOKEN",
      description = "Join the cluster that printed this invitation, then start.")
  private @Nullable String join;

  @Option(
      names = "--replace",
      paramLabel = "NODE",
      defaultValue = "",
      description = "With --join: take the place of a machine that is gone for good.")
  private String replace = "";

  @Option(
      names = "--node",
      defaultValue = "",
      description = "With --join: this machine's name; the next letter if not given.")
  private String machine = "";

  @Option(
      names = "--machines",
      defaultValue = "1",
      description = "Start a cluster of so many nodes on loopback, to see one: 1, or 3 to 5.")
  private int machines = 1;

  @Option(
      names = "--address",
      defaultValue = "",
      description = "With --join: where the other machines reach this one.")
  private String address = "";

  @Override
  public Integer call() throws Exception {
    requireJoin();
    NodeSettings settings = read(settled);
    var recent = RecentLog.since(new SystemTime().wall());
    Log log = NodeLog.to(System.err, settings.node().log(), recent);
    Path data = settings.node().data();
    DataFolder.make(data).ifPresent(why -> log.warn("data-folder", "path", data, "why", why));
    if (machines != 1) {
      if (machines < 3 || machines > 5) {
        throw new IllegalArgumentException("--machines %d: 1, or 3 to 5".formatted(machines));
      }
      new LoopbackMachines(data, settings.node().basePort(), options.words()).run(machines);
      return 0;
    }
    try (var _ = DataFolderLock.take(NodeFolders.of(settings))) {
      return run(settings, data, log, recent);
    }
  }

  /** Else the node would start as what it is, and its user believe that it took a place. */
  private void requireJoin() {
    Map<String, String> with = new LinkedHashMap<>();
    with.put("--replace", replace);
    with.put("--node", machine);
    with.put("--address", address);
    with.values().removeIf(String::isEmpty);
    if (join == null && !with.isEmpty()) {
      throw new IllegalArgumentException(
          "%s says something of a machine that joins: it needs --join TOKEN, and `ron cluster invite`"
                  .formatted(String.join(" ", with.keySet()))
              + " on the machine with the authority prints one");
    }
  }

  private int run(NodeSettings settings, Path data, Log log, RecentLog recent) throws Exception {
    if (join != null) {
      var entry =
          new ClusterEntry(NodeFolders.of(settings), settings.node().basePort(), new SystemTime());
      System.out.println(entry.join(join, machine, address, replace));
    }
    NodeKeys keys = NodeKeys.openOrMake(data);
    // Before a door opens: a script that was told ready reads the file next.
    keys.adminToken();
    var life = new NodeLife(this::load, keys, World.real(log), recent);
    Signals.on("TERM", life::end);
    Signals.on("INT", life::end);
    Signals.on("HUP", () -> reload(life));
    DrainReport report =
        life.run(
            data,
            new NodeLife.Announcement() {
              private final boolean watched = Terminal.out();
              private StartTable table = new StartTable(System.out);

              @Override
              public void meanwhile(NodeProcess node) {
                if (watched) {
                  table.ready(node);
                }
              }

              @Override
              public void make(NodeProcess node, boolean again) throws Exception {
                table.end(node, sinceJvmStart());
                table = new StartTable(System.out);
                announce(node, keys, again);
                if (rehearse) {
                  life.rehearse();
                }
              }
            },
            System.out::println);
    System.out.println("drained: " + report);
    return 0;
  }

  /** With what follows from the cluster; a flag on the command line wins over it. */
  private NodeSettings load(Map<String, String> derived) {
    return read(Flags.derived(derived, "the cluster").under(settled));
  }

  private NodeSettings read(Flags flags) {
    return rehearse ? options.loadRehearsal(flags) : options.load(flags);
  }

  /** Output that is not a terminal is a log, where every reader could see the token. */
  private void announce(NodeProcess node, NodeKeys keys, boolean again) throws Exception {
    String token = keys.adminToken();
    System.out.printf("dashboard %s/%n", node.adminUrl());
    boolean first = keys.fresh() && !again;
    if (first && !Terminal.out()) {
      System.out.printf("%nadmin capability: in %s%n", keys.adminFile());
    } else if (first) {
      System.out.printf("%nadmin capability, shown this once:%n%s%n", token);
      System.out.printf("dashboard with it: %s/#cap=%s%n", node.adminUrl(), token);
    }
    if (Terminal.out() && !rehearse) {
      profile(node, token);
      if (first) {
        System.out.print(StartTable.next(services(node)));
      }
    }
    if (readyFile != null) {
      Map<String, String> urls = new LinkedHashMap<>();
      node.urls().forEach((scope, url) -> urls.put(scope.service(), url));
      ReadyFile.write(readyFile, urls, node.adminUrl(), token);
    }
  }

  private static Set<String> services(NodeProcess node) {
    return node.urls().keySet().stream().map(Scope::service).collect(Collectors.toSet());
  }

  /** So that commands in the next terminal know where the node is, and may ask it. */
  private static void profile(NodeProcess node, String token) {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("RON_CAP", token);
    values.put("RON_URL_ADMIN", node.adminUrl());
    node.urls()
        .forEach(
            (scope, url) -> values.put("RON_URL_" + scope.service().toUpperCase(Locale.ROOT), url));
    Path file = UserProfile.file(System.getenv());
    try {
      UserProfile.write(file, values);
      System.out.printf("commands of yours find it by %s%n", file);
    } catch (IOException | UnsupportedOperationException unwritten) {
      System.out.printf("no profile was written to %s: %s%n", file, unwritten.getMessage());
    }
  }

  private static void reload(NodeLife life) {
    try {
      life.reload().ifPresent(outcome -> System.out.print(outcome.report()));
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  private static Duration sinceJvmStart() {
    return Duration.between(
        Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime()),
        new SystemTime().wall());
  }
}
