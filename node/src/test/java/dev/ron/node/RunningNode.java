package dev.ron.node;

import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A node in this process, on ports the system chose, for tests of commands. */
public record RunningNode(NodeProcess node, NodeKeys keys) implements AutoCloseable {
  /**
   * @param more settings besides folder and ports
   */
  public static RunningNode start(Path data, Map<String, String> more) throws Exception {
    var flags = new HashMap<>(Map.of("node.data", data.toString(), "node.base_port", "0"));
    flags.putAll(more);
    NodeSettings settings = NodeSettings.load(flags, Map.of(), Optional.empty());
    NodeKeys keys = NodeKeys.openOrMake(data);
    return new RunningNode(NodeProcess.start(settings, keys, World.real(Log.silent())), keys);
  }

  public String url(String service) {
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
