package dev.ron.node;

import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.log.LogLine;
import dev.ron.kernel.time.SystemTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** A node in this process, on ports the system chose, for tests of commands. */
public record RunningNode(NodeProcess node, NodeKeys keys) implements AutoCloseable {
  /**
   * @param more settings besides folder and ports
   */
  public static RunningNode start(Path data, Map<String, String> more) throws Exception {
    return startSoon(data, more).awaitReady();
  }

  /** One that may not be ready for long: a machine that has yet to be taken in. */
  public static RunningNode startSoon(Path data, Map<String, String> more) throws Exception {
    var flags = new HashMap<>(Map.of("node.data", data.toString(), "node.base_port", "0"));
    flags.putAll(more);
    return start(data, () -> NodeSettings.load(flags, Map.of(), Optional.empty()));
  }

  /** With a configuration file, which a reload reads again. */
  public static RunningNode start(Path data, Map<String, String> more, Path file) throws Exception {
    var flags = new HashMap<>(Map.of("node.data", data.toString(), "node.base_port", "0"));
    flags.putAll(more);
    return start(data, () -> NodeSettings.load(flags, Map.of(), Optional.of(file))).awaitReady();
  }

  private static RunningNode start(Path data, Supplier<NodeSettings> source) throws Exception {
    NodeKeys keys = NodeKeys.openOrMake(data);
    var recent = new RecentLog();
    var log = new Log("ron", LogLine.Level.INFO, new SystemTime()::wall, recent);
    NodeProcess node =
        NodeProcess.start(
            source.get(), keys, World.real(log), new NodeProcess.Operator(source, recent));
    return new RunningNode(node, keys);
  }

  /** As {@code ron up} does: a door may be open before what stands behind it was checked. */
  private RunningNode awaitReady() throws InterruptedException {
    var time = new SystemTime();
    Instant end = time.now().plus(Duration.ofSeconds(60));
    while (!node.ready()) {
      if (time.now().isAfter(end)) {
        close();
        throw new AssertionError("the node was not ready within a minute");
      }
      time.sleepUntil(time.now().plus(Duration.ofMillis(20)));
    }
    return this;
  }

  /** Where a service answers, or the admin door. */
  public String url(String service) {
    if (service.equals("admin")) {
      return admin();
    }
    return node.urls().entrySet().stream()
        .filter(one -> one.getKey().service().equals(service))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElseThrow();
  }

  String admin() {
    return node.adminUrl();
  }

  @Override
  public void close() {
    try {
      node.drain();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while the node drained", e);
    }
  }
}
