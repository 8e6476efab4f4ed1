package dev.ron.storage;

import dev.ron.http.server.Limits;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.storage.cluster.StorageClusterConfig;
import dev.ron.storage.cluster.StorageClusterService;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A node in a process of its own, which says that it listens and waits to be killed. */
final class ClusterMain {
  private ClusterMain() {}

  public static void main(String[] args) throws Exception {
    var scope = Scope.of("storage", World.real(Log.silent()));
    var settings = Rig.table(Path.of(args[0]), Arrays.copyOfRange(args, 1, args.length));
    StorageClusterService.Wired wired =
        StorageClusterService.wire(
            Rig.config(settings, StorageClusterConfig::read),
            scope,
            Limits.OPEN,
            List.of(),
            null,
            () -> "");
    wired.supervisor().start(scope);
    System.out.println(wired.door().port());
    new CountDownLatch(1).await();
  }
}
