package dev.ron.mailbox;

import dev.ron.capability.Verifier;
import dev.ron.config.value.HostPort;
import dev.ron.http.server.Limits;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.log.LogLine;
import dev.ron.kernel.supervise.Tree;
import dev.ron.mailbox.cluster.MailboxClusterConfig;
import dev.ron.mailbox.cluster.MailboxClusterService;
import dev.ron.mailbox.queue.Queues;
import dev.ron.testkit.FreePorts;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Machines of a cluster in this process, for what does not need one to be killed.
 *
 * <p>Threading: started and stopped by the test; asked from any thread.
 */
final class Members extends Machines {
  final Map<String, String> peers = new LinkedHashMap<>();
  final List<String> said = new CopyOnWriteArrayList<>();
  private final Path folder;
  private final Map<String, Integer> doors = new LinkedHashMap<>();
  private final Map<String, Tree> trees = new LinkedHashMap<>();
  private final Map<String, Queues> queues = new LinkedHashMap<>();

  Members(Path folder) throws Exception {
    this.folder = folder;
    for (String name : NAMES) {
      name(name);
    }
  }

  /** Gives a machine its ports. */
  void name(String name) throws Exception {
    peers.put(name, "127.0.0.1:" + FreePorts.one());
    doors.put(name, FreePorts.one());
  }

  int peerPort(String name) {
    return HostPort.parse(String.valueOf(peers.get(name))).port();
  }

  private String peersTable() {
    return table(peers);
  }

  /** Where clients are sent, as a setting. */
  String doorsTable() {
    return table(
        doors.entrySet().stream()
            .collect(
                Collectors.toMap(
                    Map.Entry::getKey, each -> "http://127.0.0.1:" + each.getValue())));
  }

  private static String table(Map<String, String> texts) {
    return texts.entrySet().stream()
        .map(each -> "%s = \"%s\"".formatted(each.getKey(), each.getValue()))
        .collect(Collectors.joining(", ", "{ ", " }"));
  }

  @Override
  int port(String name) {
    return Objects.requireNonNull(doors.get(name), name);
  }

  void start(String name, String... more) throws Exception {
    start(name, null, more);
  }

  /**
   * @param verifier null checks no capability
   */
  void start(String name, @Nullable Verifier verifier, String... more) throws Exception {
    var log = new Log("", LogLine.Level.INFO, Instant::now, line -> said.add(name + " " + line));
    var scope = Scope.of("mailbox", World.real(log));
    Map<String, String> settings = new HashMap<>();
    settings.put("cluster.engine", "ratis");
    settings.put("cluster.node", name);
    settings.put("cluster.peers", peersTable());
    settings.put("cluster.election", "500ms");
    settings.put("cluster.log_segment", "64KiB");
    settings.put("cluster.log_entries", "100");
    settings.put("payload_bytes", "64KiB");
    settings.put("shard_count", "3");
    settings.put("bind", "127.0.0.1:" + port(name));
    settings.putAll(Rig.table(more));
    MailboxClusterConfig config =
        Rig.config(folder.resolve(name), settings, MailboxClusterConfig::read);
    MailboxService.Wired wired =
        MailboxClusterService.wire(config, scope, Limits.OPEN, List.of(), verifier, Map::of);
    queues.put(name, wired.queues());
    trees.put(name, wired.supervisor().start(scope));
  }

  Queues queues(String name) {
    return Objects.requireNonNull(queues.get(name), name);
  }

  /** All at once: each waits up to a second for its log. */
  void stop(String... names) throws InterruptedException {
    List<Thread> closing = new ArrayList<>();
    for (String name : names) {
      Tree tree = Objects.requireNonNull(trees.remove(name), name);
      closing.add(Thread.ofVirtual().start(() -> drain(tree)));
    }
    for (Thread each : closing) {
      each.join();
    }
  }

  /** What the machines logged, for when something is wrong. */
  String told() {
    return said.stream().map(String::strip).collect(Collectors.joining("\n", "\n", ""));
  }

  @Override
  public void close() {
    try {
      stop(trees.keySet().toArray(String[]::new));
    } catch (InterruptedException stop) {
      throw new AssertionError("interrupted while closing", stop);
    }
    super.close();
  }

  private static void drain(Tree tree) {
    try {
      tree.drain();
    } catch (InterruptedException stop) {
      throw new AssertionError("interrupted while draining", stop);
    }
  }
}
