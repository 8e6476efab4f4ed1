package dev.ron.node.up;

import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.DrainReport;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import dev.ron.kernel.time.SystemTime;
import dev.ron.kernel.time.Time;
import dev.ron.node.DataFolder;
import dev.ron.node.NodeConfig;
import dev.ron.node.NodeKeys;
import dev.ron.node.NodeLog;
import dev.ron.node.NodeProcess;
import dev.ron.node.NodeReload;
import dev.ron.node.NodeSettings;
import dev.ron.node.RecentLog;
import dev.ron.node.profile.UserProfile;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
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
  private static final Duration READY_WITHIN = Duration.ofSeconds(10);
  private static final Duration READY_POLL = Duration.ofMillis(5);

  /** Values that a command such as {@code ron mailbox} sets; none for {@code ron up}. */
  private final Map<String, String> settled;

  UpCommand() {
    this(Map.of());
  }

  private UpCommand(Map<String, String> settled) {
    this.settled = settled;
  }

  /** Starts one service alone. */
  public static UpCommand alone(NodeConfig.Service service) {
    return new UpCommand(Map.of("node.services", service.word()));
  }

  @Mixin private final ConfigOptions options = new ConfigOptions();

  @Option(names = "--ready-file", description = "Written once everything is ready.")
  private @Nullable Path readyFile;

  @Option(names = "--rehearse", hidden = true, description = "Start, drain and end.")
  private boolean rehearse;

  @Override
  public Integer call() throws Exception {
    NodeSettings settings = options.load(settled);
    var recent = new RecentLog();
    Log log = NodeLog.to(System.err, settings.node().log(), recent);
    Path data = settings.node().data();
    DataFolder.make(data).ifPresent(why -> log.warn("data-folder", "path", data, "why", why));
    NodeKeys keys = NodeKeys.openOrMake(data);
    var operator = new NodeProcess.Operator(() -> options.load(settled), recent);
    NodeProcess node = NodeProcess.start(settings, keys, World.real(log), operator);
    var stop = new Gate(new SystemTime());
    Runnable ended = () -> end(node, stop);
    Signals.on("TERM", ended);
    Signals.on("INT", ended);
    Signals.on("HUP", () -> reload(node));
    awaitReady(node, new SystemTime());
    announce(node, keys);
    if (!rehearse) {
      stop.await(Deadline.NEVER);
    }
    DrainReport report = node.drain();
    System.out.println("drained: " + report);
    return 0;
  }

  /** The first signal drains; a second one waits for requests no longer. */
  private static void end(NodeProcess node, Gate stop) {
    if (stop.isOpen()) {
      node.hasten();
    }
    stop.open();
  }

  /**
   * Services may open their doors while they still check what they have; a program that waits for
   * the ready file waits for that too. One that does not become ready is shown as such, with its
   * reason.
   */
  private static void awaitReady(NodeProcess node, Time time) throws InterruptedException {
    Instant end = time.now().plus(READY_WITHIN);
    while (!node.ready() && time.now().isBefore(end)) {
      time.sleepUntil(time.now().plus(READY_POLL));
    }
  }

  /** Output that is not a terminal is a log, where every reader could see the token. */
  private void announce(NodeProcess node, NodeKeys keys) throws Exception {
    System.out.print(StartTable.of(node, sinceJvmStart()));
    String token = keys.adminToken();
    System.out.printf("dashboard %s/%n", node.adminUrl());
    if (keys.fresh() && !NodeLog.onTerminal()) {
      System.out.printf("%nadmin capability: in %s%n", keys.adminFile());
    } else if (keys.fresh()) {
      System.out.printf("%nadmin capability, shown this once:%n%s%n", token);
      System.out.printf("dashboard with it: %s/#cap=%s%n", node.adminUrl(), token);
    }
    if (NodeLog.onTerminal() && !rehearse) {
      profile(node, token);
    }
    if (readyFile != null) {
      Map<String, String> urls = new LinkedHashMap<>();
      node.urls().forEach((scope, url) -> urls.put(scope.service(), url));
      ReadyFile.write(readyFile, urls, node.adminUrl(), token);
    }
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

  private static void reload(NodeProcess node) {
    try {
      NodeReload.Outcome outcome = node.reload().await(Deadline.NEVER);
      System.out.print(outcome == null ? "" : outcome.report());
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
