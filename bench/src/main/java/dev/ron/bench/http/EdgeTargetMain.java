package dev.ron.bench.http;

import dev.ron.config.Settings;
import dev.ron.edge.EdgeConfig;
import dev.ron.edge.EdgeService;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Tree;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The edge in a process of its own, as a cache before one upstream on this machine.
 *
 * <p>Everything is as a node would have it, except that the rate cap is lifted, as {@link
 * Limits#OPEN} does for benchmarks.
 *
 * <p>It ends when its standard input does, and so with whoever started it.
 *
 * <p>Threading: owned by the main thread.
 */
public final class EdgeTargetMain {
  private EdgeTargetMain() {}

  /**
   * Serves until standard input ends.
   *
   * @param args the port, the upstream's address, an empty folder, how often an upstream is asked,
   *     more lines about the mount
   */
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[2]);
    Path file = folder.resolve("edge.toml");
    Files.writeString(
        file,
        """
        [edge]
        bind = "127.0.0.1:%s"
        data = "%s"
        mode = "live"
        packs = []
        [edge.fill]
        tries = %s
        [[edge.mounts]]
        prefix = "/"
        upstream = "%s"
        allow_http = true
        allow_private = true
        methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "M-SEARCH"]
        %s
        """
            .formatted(args[0], folder.resolve("data"), args[3], args[1], args[4]));
    Settings settings = Settings.load(Map.of(), Map.of(), Optional.of(file));
    var config = settings.read("edge", EdgeConfig::read);
    settings.check();
    var scope = Scope.of("edge", World.real(Log.silent()));
    EdgeService.Wired wired = EdgeService.wire(config.value(), scope, true, null);
    Tree tree = wired.supervisor().start(scope);
    System.in.transferTo(OutputStream.nullOutputStream());
    tree.drain();
  }
}
