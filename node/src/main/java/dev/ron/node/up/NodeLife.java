package dev.ron.node.up;

import dev.ron.config.ConfigFault;
import dev.ron.kernel.World;
import dev.ron.kernel.supervise.DrainReport;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import dev.ron.kernel.time.Time;
import dev.ron.node.NodeFolders;
import dev.ron.node.NodeKeys;
import dev.ron.node.NodeMachines;
import dev.ron.node.NodeProcess;
import dev.ron.node.NodeReload;
import dev.ron.node.NodeSettings;
import dev.ron.node.RecentLog;
import dev.ron.node.cluster.ClusterProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A node from its start to its end. If it belongs to a cluster, its services wait until it is their
 * turn, and start again once: when a node that ran alone becomes one of several.
 *
 * <p>Threading: {@link #run} is the main thread's; {@link #end} and {@link #reload} come from
 * signals.
 */
final class NodeLife {
  private static final Duration READY_WITHIN = Duration.ofSeconds(10);

  /** Among several, readiness needs a leader, and that needs the others. */
  private static final Duration SHARED_READY_WITHIN = Duration.ofMinutes(2);

  private static final Duration READY_POLL = Duration.ofMillis(5);
  private static final Duration LOOK = Duration.ofMillis(250);

  /** For the lists of the others; a machine that hangs holds up no start. */
  private static final Duration ASKED_WITHIN = Duration.ofSeconds(5);

  private final Function<Map<String, String>, NodeSettings> settings;
  private final NodeKeys keys;
  private final World world;
  private final RecentLog recent;
  private final Gate stop;
  private final AtomicReference<@Nullable NodeProcess> current = new AtomicReference<>();
  private Optional<ClusterProcess> cluster = Optional.empty();
  private String trouble = "";

  /**
   * @param settings reads them, with values that follow from the cluster
   */
  NodeLife(
      Function<Map<String, String>, NodeSettings> settings,
      NodeKeys keys,
      World world,
      RecentLog recent) {
    this.settings = settings;
    this.keys = keys;
    this.world = world;
    this.recent = recent;
    this.stop = new Gate(world.time());
  }

  /** The first time drains; a second one waits for requests no longer. */
  void end() {
    NodeProcess node = current.get();
    if (stop.isOpen() && node != null) {
      node.hasten();
    }
    stop.open();
  }

  Optional<NodeReload.Outcome> reload() throws InterruptedException {
    NodeProcess node = current.get();
    return node == null
        ? Optional.empty()
        : Optional.ofNullable(node.reload().await(Deadline.NEVER));
  }

  /** What is told to people and programs once a node is up. */
  @FunctionalInterface
  interface Announcement {
    /**
     * @param again whether it was up before
     */
    void make(NodeProcess node, boolean again) throws Exception;

    /** Told again and again until all is ready, or is waited for no longer. */
    default void meanwhile(NodeProcess node) {}
  }

  /**
   * Runs until {@link #end}.
   *
   * @param words tells how far a cluster is
   */
  DrainReport run(Path data, Announcement announcement, Consumer<String> words) throws Exception {
    cluster = ClusterProcess.start(data, world);
    try {
      awaitLists();
      DrainReport report = DrainReport.tasks(0, 0);
      for (boolean again = false; awaitTurn(words); again = true) {
        Part part = part();
        NodeProcess node = start();
        cluster.ifPresent(each -> each.running(part.shared(), node::ready, this::hindrance));
        awaitReady(node, part.shared(), announcement);
        announcement.make(node, again);
        stay(data, part, node);
        report = node.drain();
        current.set(null);
      }
      Optional<String> dismissal = dismissal();
      if (dismissal.isPresent()) {
        throw new IOException(
            "%s. What it has is still in %s; a machine that joins begins with another folder"
                .formatted(dismissal.get(), data));
      }
      return report;
    } finally {
      if (cluster.isPresent()) {
        cluster.get().drain();
      }
    }
  }

  private NodeProcess start() throws Exception {
    NodeSettings now = settings.apply(derived());
    var operator = new NodeProcess.Operator(() -> settings.apply(derived()), recent);
    NodeMachines machines = cluster.<NodeMachines>map(each -> each).orElse(NodeMachines.NONE);
    NodeProcess node = NodeProcess.start(now, keys, world, operator, machines);
    current.set(node);
    return node;
  }

  private Map<String, String> derived() {
    return cluster
        .map(each -> each.settings(settings.apply(Map.of()).node().services()))
        .orElse(Map.of());
  }

  /** False if there is no turn any more. */
  private boolean awaitTurn(Consumer<String> words) throws InterruptedException {
    String told = "";
    while (!stop.isOpen()
        && dismissal().isEmpty()
        && cluster.isPresent()
        && cluster.get().waits()) {
      String now = cluster.get().progress();
      if (!now.equals(told)) {
        words.accept(now);
        told = now;
      }
      rest();
    }
    return !stop.isOpen() && dismissal().isEmpty();
  }

  /** Why the services are to end for good; empty while they may run. */
  private Optional<String> dismissal() {
    return cluster.flatMap(ClusterProcess::dismissal);
  }

  /**
   * Services may open their doors while they still check what they have; a program that waits for
   * the ready file waits for that too. One that does not become ready is shown as such, with its
   * reason.
   */
  private void awaitReady(NodeProcess node, boolean shared, Announcement announcement)
      throws InterruptedException {
    Time time = world.time();
    Instant end = time.now().plus(shared ? SHARED_READY_WITHIN : READY_WITHIN);
    while (!node.ready() && time.now().isBefore(end) && !stop.isOpen()) {
      announcement.meanwhile(node);
      time.sleepUntil(time.now().plus(READY_POLL));
    }
  }

  /**
   * What the services run as. The rewarder runs where the list is kept, so that clients meet one
   * ledger.
   */
  private record Part(boolean shared, boolean keepsTheList) {}

  private Part part() {
    return cluster
        .map(each -> new Part(each.isShared(), each.isShared() && each.keepsTheList()))
        .orElse(new Part(false, false));
  }

  /** Before the services start: another machine may keep the list by now, or the cluster formed. */
  private void awaitLists() throws InterruptedException {
    Instant end = world.time().now().plus(ASKED_WITHIN);
    while (cluster.isPresent()
        && !cluster.get().hasAsked()
        && world.time().now().isBefore(end)
        && !stop.isOpen()) {
      world.time().sleepUntil(world.time().now().plus(READY_POLL));
    }
  }

  /** Until the end, or until the services are to run as something else. */
  private void stay(Path data, Part part, NodeProcess node) throws Exception {
    long version = cluster.map(each -> each.roster().version()).orElse(0L);
    while (!stop.isOpen()) {
      rest();
      if (cluster.isEmpty()) {
        cluster = begun(data);
        cluster.ifPresent(each -> each.running(part.shared(), node::ready, this::hindrance));
      } else if (dismissal().isPresent() || !part().equals(part)) {
        return;
      } else if (cluster.get().roster().version() != version) {
        version = cluster.get().roster().version();
        node.reload();
      }
    }
  }

  /** A node that runs goes on, whatever is wrong with its cluster. */
  private Optional<ClusterProcess> begun(Path data) {
    try {
      return ClusterProcess.start(data, world);
    } catch (Exception failed) {
      if (!failed.toString().equals(trouble)) {
        trouble = failed.toString();
        world.log().warn("cluster-not-begun", "why", failed);
      }
      return Optional.empty();
    }
  }

  /** Why this node cannot be one of several; looked at while it can still be mended. */
  private Optional<String> hindrance() {
    try {
      Path shards = NodeFolders.of(settings.apply(Map.of())).mailbox().resolve("shards");
      if (Files.exists(shards) && Files.readAllLines(shards).size() > 1) {
        return Optional.of(
            "mailbox.shard_count was changed, and topics still move to other shards");
      }
      var _ =
          settings.apply(
              cluster
                  .map(each -> each.sharedSettings(settings.apply(Map.of()).node().services()))
                  .orElse(Map.of()));
      return Optional.empty();
    } catch (ConfigFault | IllegalArgumentException | IOException unsound) {
      return Optional.of(String.valueOf(unsound.getMessage()));
    }
  }

  private void rest() throws InterruptedException {
    stop.await(Deadline.in(LOOK, world.time()));
  }

  /** How far its cluster is; empty for a node that belongs to none. */
  String progress() {
    return cluster.map(ClusterProcess::progress).orElse("");
  }

  /** Ends at once what was only to be seen starting. */
  void rehearse() {
    stop.open();
  }
}
