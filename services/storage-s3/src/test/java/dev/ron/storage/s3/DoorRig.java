package dev.ron.storage.s3;

import dev.ron.capability.KeyPair;
import dev.ron.capability.KeyRing;
import dev.ron.capability.Revocations;
import dev.ron.capability.TokenMint;
import dev.ron.capability.Trust;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.Caveat;
import dev.ron.config.Settings;
import dev.ron.http.server.Limits;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.DrainReport;
import dev.ron.kernel.supervise.Tree;
import dev.ron.kernel.time.SystemTime;
import dev.ron.storage.StorageConfig;
import dev.ron.testkit.UnitLedger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;

/**
 * A whole S3 door on a free port. Its keys come from a fixed seed, so that one process can sign for
 * the door of another.
 *
 * <p>Threading: owned by the test; requests may be made from any thread.
 */
final class DoorRig implements AutoCloseable {
  static final KeyRing RING = KeyRing.generate(new SplittableRandom(7));
  static final KeyPair PAIR =
      KeyPair.of(
          new TokenMint(RING, new SplittableRandom(8)).mint(List.of(new Caveat.Tenant("main"))));

  private final UnitLedger ledger = new UnitLedger();
  private final Scope scope = Scope.of("s3", World.real(Log.silent())).metered(ledger);
  private final Tree tree;
  private final int port;

  /**
   * @param pairs settings of the storage as {@code key=value}
   */
  DoorRig(Path folder, String... pairs) throws Exception {
    var flags = new HashMap<String, String>();
    flags.put("storage.data_dirs", folder.toString());
    flags.put("storage.free_min", "0B");
    for (String pair : pairs) {
      int equals = pair.indexOf('=');
      flags.put("storage." + pair.substring(0, equals), pair.substring(equals + 1));
    }
    Settings settings = Settings.load(flags, Map.of(), Optional.empty());
    var storage = settings.read("storage", StorageConfig::read);
    var config =
        settings.read(
            "storage", section -> StorageS3Config.read(section.section("s3"), "127.0.0.1:0"));
    settings.check();
    StorageS3Service.Wired wired =
        StorageS3Service.wire(
            config.value(),
            storage.value(),
            scope,
            Limits.OPEN,
            List.of(),
            new Verifier(new Trust(RING, Revocations.NONE)));
    tree = wired.supervisor().start(scope);
    port = wired.door().port();
  }

  UnitLedger ledger() {
    return ledger;
  }

  int port() {
    return port;
  }

  /** How many blocks can be read. */
  long blocks() {
    return metric("content_objects");
  }

  /** The sum of a metric over its labels. */
  long metric(String name) {
    return scope
        .metrics()
        .text()
        .lines()
        .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  static void eventually(String what, Callable<Boolean> holds) throws Exception {
    var time = new SystemTime();
    for (int look = 0; look < 3000; look++) {
      if (holds.call()) {
        return;
      }
      time.sleepUntil(time.now().plus(Duration.ofMillis(20)));
    }
    throw new AssertionError("never: " + what);
  }

  DrainReport drain() throws InterruptedException {
    return tree.drain();
  }

  @Override
  public void close() {
    try {
      tree.drain();
    } catch (InterruptedException stop) {
      throw new AssertionError("interrupted while draining", stop);
    }
  }
}
