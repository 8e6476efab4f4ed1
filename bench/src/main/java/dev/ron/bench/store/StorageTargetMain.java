package dev.ron.bench.store;

import dev.ron.config.Settings;
import dev.ron.http.server.Limits;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Tree;
import dev.ron.storage.StorageConfig;
import dev.ron.storage.StorageService;
import java.io.OutputStream;
import java.util.Map;
import java.util.Optional;

/**
 * Our storage in a process of its own, with what {@link StorageBenchmark} asks for behind it: one
 * directory, every read verified, every write flushed, only the rate cap lifted.
 *
 * <p>It ends when its standard input does, and so with whoever started it.
 *
 * <p>Threading: owned by the main thread.
 */
public final class StorageTargetMain {
  private StorageTargetMain() {}

  /**
   * Serves until standard input ends.
   *
   * @param args the port and the data directory
   */
  public static void main(String[] args) throws Exception {
    Settings settings =
        Settings.load(
            Map.of("storage.bind", "127.0.0.1:" + args[0], "storage.data_dirs", args[1]),
            Map.of(),
            Optional.empty());
    var config = settings.read("storage", StorageConfig::read);
    settings.check();
    var scope = Scope.of("storage", World.real(Log.silent()));
    Tree tree =
        StorageService.wire(config.value(), scope, Limits.OPEN, null).supervisor().start(scope);
    System.in.transferTo(OutputStream.nullOutputStream());
    tree.drain();
  }
}
