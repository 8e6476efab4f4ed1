package dev.ron.storage;

import dev.ron.capability.Verifier;
import dev.ron.http.server.Limits;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.kernel.tenant.TenantTable;
import dev.ron.storage.cluster.StorageClusterConfig;
import dev.ron.storage.cluster.StorageClusterService;
import dev.ron.testkit.FreePorts;
import dev.ron.testkit.UnitLedger;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Several storages in this process that know each other.
 *
 * <p>Threading: owned by the test.
 */
final class ClusterRig implements AutoCloseable {
  final Map<String, Rig> nodes = new TreeMap<>();
  final Map<String, Integer> ports = new TreeMap<>();
  private final Map<String, Consumer<StorageClusterConfig>> reloads = new TreeMap<>();

  /** What all nodes charge. */
  final UnitLedger ledger = new UnitLedger();

  volatile TenantTable tenants = TenantTable.NONE;
  private final Path folder;
  private final String[] settings;
  private final @Nullable Verifier verifier;

  /** Nodes a, b, c ..., and settings of all of them as {@code key=value}. */
  ClusterRig(Path folder, int count, String... settings) throws Exception {
    this(folder, count, null, settings);
  }

  ClusterRig(Path folder, int count, @Nullable Verifier verifier, String... settings)
      throws Exception {
    this.folder = folder;
    this.settings = settings;
    this.verifier = verifier;
    List<Integer> free = FreePorts.several(count);
    for (int i = 0; i < count; i++) {
      ports.put(String.valueOf((char) ('a' + i)), free.get(i));
    }
    for (String name : ports.keySet()) {
      start(name);
    }
    awaitAll();
  }

  /** Until all nodes hear each other, and know whose objects are. */
  void awaitAll() throws InterruptedException {
    Rig.eventually(
        "the nodes hear each other",
        () -> nodes.values().stream().noneMatch(rig -> repair(rig).contains("\"away\",")));
    Rig.eventually(
        "the nodes have copied references",
        () -> nodes.values().stream().noneMatch(ClusterRig::isCopying));
  }

  private static boolean isCopying(Rig rig) {
    try {
      return Rig.words(rig.get("/readyz")).contains("references");
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static String repair(Rig rig) {
    try {
      String words = Rig.words(rig.get("/repair"));
      return words.contains("\"presence\":\"away\"") ? "\"away\"," : words;
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** The table of peers, as a setting. */
  static String peers(Map<String, Integer> ports) {
    var words = new ArrayList<String>();
    ports.forEach((name, port) -> words.add(name + "=http://127.0.0.1:" + port));
    return "cluster.peers=" + String.join(",", words);
  }

  Rig start(String name, String... more) throws Exception {
    World world = Rig.on(new RealDisk());
    var scope = Scope.of("storage", world).metered(ledger).shared(() -> tenants);
    StorageClusterService.Wired wired = wire(table(name, more), scope, verifier, () -> "");
    var rig = new Rig(scope, wired.supervisor(), wired.door());
    nodes.put(name, rig);
    reloads.put(name, wired.reload());
    return rig;
  }

  private static StorageClusterService.Wired wire(
      Map<String, String> settings,
      Scope scope,
      @Nullable Verifier verifier,
      Supplier<String> peerToken)
      throws IOException {
    StorageClusterConfig config = Rig.config(settings, StorageClusterConfig::read);
    return StorageClusterService.wire(config, scope, Limits.OPEN, List.of(), verifier, peerToken);
  }

  /** A node by itself, told of the others by its settings. */
  static Rig node(
      Map<String, String> settings,
      World world,
      @Nullable Verifier verifier,
      Supplier<String> peerToken)
      throws Exception {
    var scope = Scope.of("storage", world);
    StorageClusterService.Wired wired = wire(settings, scope, verifier, peerToken);
    return new Rig(scope, wired.supervisor(), wired.door());
  }

  static Rig node(Map<String, String> settings) throws Exception {
    return node(settings, Rig.on(new RealDisk()), null, () -> "");
  }

  /** A node that no other knew, which starts; the others are told of it by {@link #reload}. */
  void join(String name) throws Exception {
    ports.put(name, FreePorts.one());
    start(name);
  }

  /** Every node reads its settings again. */
  void reload(String... more) {
    nodes.keySet().forEach(name -> reloadOn(name, more));
  }

  void reloadOn(String name, String... more) {
    reloads.get(name).accept(Rig.config(table(name, more), StorageClusterConfig::read));
  }

  private Map<String, String> table(String name, String... more) {
    var table = Rig.table(folder.resolve(name), settings);
    table.putAll(
        Rig.table(
            folder.resolve(name),
            "bind=127.0.0.1:" + ports.get(name),
            "cluster.node=" + name,
            peers(ports)));
    for (String each : more) {
      table.put(each.substring(0, each.indexOf('=')), each.substring(each.indexOf('=') + 1));
    }
    return table;
  }

  void stop(String name) {
    Rig rig = nodes.remove(name);
    if (rig != null) {
      rig.close();
    }
  }

  Rig node(String name) {
    return nodes.get(name);
  }

  /** Nodes with a whole copy of their own. */
  List<String> holders(byte[] object) {
    var holders = new ArrayList<String>();
    nodes.forEach(
        (name, rig) -> {
          try {
            if (rig.get("/peer/stat/" + Rig.address(object)).statusCode() == 200) {
              holders.add(name);
            }
          } catch (IOException e) {
            throw new AssertionError(e);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
          }
        });
    return holders;
  }

  @Override
  public void close() {
    List.copyOf(nodes.keySet()).forEach(this::stop);
  }
}
