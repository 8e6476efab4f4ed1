package dev.ron.bench.http;

import dev.ron.config.Settings;
import dev.ron.edge.EdgeConfig;
import dev.ron.edge.EdgeService;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Tree;
import java.io.OutputStream;
import java.util.Map;
import java.util.Optional;

/**
 * The edge in a process of its own, offline, with the packs of one folder.
 *
 * <p>It ends when its standard input does, and so with whoever started it.
 *
 * <p>Threading: owned by the main thread.
 */
public final class TileTargetMain {
  private TileTargetMain() {}

  /**
   * Serves until standard input ends.
   *
   * @param args the port, the folder of packs, an empty folder
   */
  public static void main(String[] args) throws Exception {
    Settings settings =
        Settings.load(
            Map.of(
                "edge.bind", "127.0.0.1:" + args[0],
                "edge.packs", "[\"" + args[1] + "\"]",
                "edge.data", args[2]),
            Map.of(),
            Optional.empty());
    var config = settings.read("edge", EdgeConfig::read);
    settings.check();
    var scope = Scope.of("edge", World.real(Log.silent()));
    EdgeService.Wired wired = EdgeService.wire(config.value(), scope, true, null);
    Tree tree = wired.supervisor().start(scope);
    System.in.transferTo(OutputStream.nullOutputStream());
    tree.drain();
  }
}
