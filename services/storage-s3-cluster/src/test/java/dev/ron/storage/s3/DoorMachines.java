package dev.ron.storage.s3;

import dev.ron.kernel.log.Log;
import dev.ron.kernel.log.LogLine;
import dev.ron.testkit.ChildJvm;
import dev.ron.testkit.FreePorts;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * Three machines with one S3 door, in this process or each in its own.
 *
 * <p>Threading: requests from any thread, the rest is the test's.
 */
final class DoorMachines implements AutoCloseable {
  static final List<String> NAMES = List.of("a", "b", "c");

  private static final List<String> SMALL =
      List.of(
          "-Xmx256m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "--enable-native-access=ALL-UNNAMED");

  final List<String> said = new CopyOnWriteArrayList<>();
  private final Path folder;
  private final List<String> settings;
  private final Map<String, DoorMachine> here = new ConcurrentHashMap<>();
  private final Map<String, ChildJvm> children = new ConcurrentHashMap<>();
  private final Map<String, Integer> ports = new ConcurrentHashMap<>();
  private final Map<String, String> names = new TreeMap<>();
  private volatile Map<String, String> wanted = Map.of();
  private final HttpClient http = HttpClient.newHttpClient();

  /**
   * @param more settings of the storage as {@code key=value}
   */
  DoorMachines(Path folder, String... more) throws IOException {
    this.folder = folder;
    List<Integer> free = FreePorts.several(9);
    var nodes = new TreeMap<String, String>();
    var blocks = new TreeMap<String, String>();
    for (int i = 0; i < NAMES.size(); i++) {
      nodes.put(NAMES.get(i), "http://127.0.0.1:" + free.get(3 * i));
      names.put(NAMES.get(i), "127.0.0.1:" + free.get(3 * i + 1));
      blocks.put(NAMES.get(i), "http://127.0.0.1:" + free.get(3 * i + 2));
    }
    this.settings =
        new ArrayList<>(
            List.of(
                "cluster.peers=" + table(nodes),
                "s3.cluster.names=" + table(names),
                "s3.cluster.blocks=" + table(blocks),
                "s3.cluster.election=500ms",
                "durability.replication=3",
                "durability.plan_period=1s",
                "durability.delete_grace=0s"));
    settings.addAll(List.of(more));
  }

  private static String table(Map<String, String> values) {
    return values.entrySet().stream()
        .map(each -> each.getKey() + "=" + each.getValue())
        .collect(Collectors.joining(","));
  }

  private String[] settings(String name, String... more) {
    var all = new ArrayList<>(settings);
    all.add("cluster.node=" + name);
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  Path folder(String name) {
    return folder.resolve(name);
  }

  /**
   * @param more settings of this one alone, as {@code key=value}
   */
  void start(String name, String... more) throws Exception {
    var log = new Log("", LogLine.Level.INFO, Instant::now, line -> said.add(name + " " + line));
    var machine = new DoorMachine(log, folder(name), () -> wanted, settings(name, more));
    here.put(name, machine);
    ports.put(name, machine.port());
  }

  void stop(String name) {
    here.remove(name).close();
  }

  /** Has the log kept by the others alone, as the list of a cluster without this machine would. */
  void letGo(String name) {
    var left = new TreeMap<>(names);
    left.remove(name);
    wanted = left;
  }

  DoorMachine machine(String name) {
    return here.get(name);
  }

  /** In processes of their own, all at once. */
  void fork(List<String> names) throws IOException {
    for (String name : names) {
      var args = new ArrayList<>(List.of(folder(name).toString()));
      args.addAll(List.of(settings(name)));
      children.put(name, ChildJvm.start(SMALL, DoorMachine.class, args.toArray(String[]::new)));
    }
    for (String name : names) {
      String line = children.get(name).line();
      if (line == null) {
        throw new AssertionError(name + " did not start");
      }
      ports.put(name, Integer.parseInt(line));
    }
  }

  void kill9(String name) throws InterruptedException {
    ChildJvm child = children.remove(name);
    child.kill9();
    child.close();
  }

  DoorClient client(String name) {
    return new DoorClient(http, ports.get(name));
  }

  /** Until a change is taken at this machine, which makes a bucket. */
  void awaitBucket(String name, String bucket) throws Exception {
    long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
    while (System.nanoTime() < limit) {
      if (client(name).put("/" + bucket, new byte[0]) == 200) {
        return;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
    throw new AssertionError("no bucket could be made at " + name);
  }

  @Override
  public void close() {
    List.copyOf(here.keySet()).forEach(this::stop);
    children.values().forEach(ChildJvm::close);
    http.close();
  }
}
