package dev.ron.storage.s3;

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
import dev.ron.kernel.registry.RegistryTable;
import dev.ron.kernel.supervise.Tree;
import dev.ron.raft.GroupMachines;
import dev.ron.storage.cluster.StorageClusterConfig;
import dev.ron.storage.s3.cluster.AgreedRecords;
import dev.ron.storage.s3.cluster.StorageS3ClusterConfig;
import dev.ron.storage.s3.cluster.StorageS3ClusterService;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;

/**
 * One machine of an S3 door on several, with the keys of {@link DoorRig}.
 *
 * <p>Threading: owned by the test; requests may be made from any thread.
 */
final class DoorMachine implements AutoCloseable {
  private final Scope scope;
  private final Tree tree;
  private final int port;
  private final AgreedRecords records;

  /**
   * @param machines those that the log is to have; none for those of the settings
   * @param pairs settings of the storage as {@code key=value}
   */
  DoorMachine(Log log, Path folder, GroupMachines machines, String... pairs) throws Exception {
    scope = Scope.of("s3", World.real(log));
    var flags = new HashMap<String, String>();
    flags.put("storage.data_dirs", folder.toString());
    flags.put("storage.free_min", "0B");
    for (String pair : pairs) {
      int equals = pair.indexOf('=');
      flags.put("storage." + pair.substring(0, equals), pair.substring(equals + 1));
    }
    Settings settings = Settings.load(flags, Map.of(), Optional.empty());
    var storage = settings.read("storage", StorageClusterConfig::read);
    var config =
        settings.read(
            "storage",
            section -> StorageS3ClusterConfig.read(section.section("s3"), "127.0.0.1:0", ""));
    settings.check();
    StorageS3ClusterService.Wired wired =
        StorageS3ClusterService.wire(
            config.value(),
            storage.value(),
            scope,
            Limits.OPEN,
            List.of(),
            new Verifier(new Trust(DoorRig.RING, Revocations.NONE)),
            DoorMachine::peerToken,
            machines);
    tree = wired.supervisor().start(scope);
    port = wired.door().port();
    records = wired.records();
  }

  private static String peerToken() {
    return new TokenMint(DoorRig.RING, new SplittableRandom(9))
        .mint(List.of(new Caveat.Operation(Set.of("peer"))))
        .token();
  }

  int port() {
    return port;
  }

  AgreedRecords records() {
    return records;
  }

  /** Every task and channel of this machine. */
  String registry() {
    return RegistryTable.markdown(scope.registry());
  }

  /** How many blocks can be read on this machine. */
  long blocks() {
    return scope
        .metrics()
        .text()
        .lines()
        .filter(line -> line.startsWith("content_objects{") || line.startsWith("content_objects "))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  @Override
  public void close() {
    try {
      tree.drain();
    } catch (InterruptedException stop) {
      throw new AssertionError("interrupted while draining", stop);
    }
  }

  /** In a process of its own, which says its port and waits to be killed. */
  public static void main(String[] args) throws Exception {
    var machine =
        new DoorMachine(
            Log.silent(), Path.of(args[0]), Map::of, Arrays.copyOfRange(args, 1, args.length));
    System.out.println(machine.port());
    new CountDownLatch(1).await();
  }
}
