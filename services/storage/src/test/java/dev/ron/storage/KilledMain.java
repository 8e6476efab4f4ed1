package dev.ron.storage;

import dev.ron.http.server.Limits;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * A storage in a process of its own, which says its port and waits to be killed; a folder, and what
 * else is to be set.
 */
final class KilledMain {
  private KilledMain() {}

  public static void main(String[] args) throws Exception {
    var scope = Scope.of("storage", World.real(Log.silent()));
    Path folder = Path.of(args[0]);
    var lines =
        new ArrayList<>(
            List.of(
                Rig.dirs(folder.resolve("a"), folder.resolve("b")),
                "durability.replication=2",
                "durability.plan_period=200ms",
                "durability.delete_grace=0s"));
    lines.addAll(Arrays.asList(args).subList(1, args.length));
    Map<String, String> settings = Rig.table(folder, lines.toArray(String[]::new));
    StorageService.Wired wired =
        StorageService.wire(Rig.config(settings, StorageConfig::read), scope, Limits.OPEN, null);
    wired.supervisor().start(scope);
    System.out.println(wired.door().port());
    new CountDownLatch(1).await();
  }
}
