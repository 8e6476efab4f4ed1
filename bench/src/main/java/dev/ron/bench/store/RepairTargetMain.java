package dev.ron.bench.store;

import dev.ron.config.Settings;
import dev.ron.http.server.Limits;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Tree;
import dev.ron.storage.cluster.StorageClusterConfig;
import dev.ron.storage.cluster.StorageClusterService;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One of the two storage nodes of {@link RepairBenchmark}, in a process of its own.
 *
 * <p>It ends when its standard input does, and so with whoever started it.
 *
 * <p>Threading: owned by the main thread.
 */
public final class RepairTargetMain {
  private RepairTargetMain() {}

  /**
   * Serves until standard input ends.
   *
   * @param args settings of the storage, as {@code key=value}
   */
  public static void main(String[] args) throws Exception {
    var table = new HashMap<String, String>();
    for (String arg : args) {
      int equals = arg.indexOf('=');
      table.put("storage." + arg.substring(0, equals), arg.substring(equals + 1));
    }
    Settings settings = Settings.load(table, Map.of(), Optional.empty());
    var config = settings.read("storage", StorageClusterConfig::read);
    settings.check();
    var scope = Scope.of("storage", World.real(Log.silent()));
    Tree tree =
        StorageClusterService.wire(config.value(), scope, Limits.OPEN, List.of(), null, () -> "")
            .supervisor()
            .start(scope);
    System.in.transferTo(OutputStream.nullOutputStream());
    tree.drain();
  }
}
