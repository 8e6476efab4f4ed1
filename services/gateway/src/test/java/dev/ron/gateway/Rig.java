package dev.ron.gateway;

import dev.ron.capability.Verifier;
import dev.ron.config.Settings;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.DrainReport;
import dev.ron.kernel.supervise.Tree;
import dev.ron.kernel.time.VirtualTime;
import dev.ron.testkit.RawClient;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * A whole gateway on a free port.
 *
 * <p>Threading: owned by the test; requests may be made from any thread.
 */
final class Rig implements AutoCloseable {
  final Scope scope;
  final GatewayService.Wired wired;
  final Tree tree;

  private Rig(GatewayConfig config, Verifier verifier) throws Exception {
    this(config, verifier, World.real(Log.silent()));
  }

  private Rig(GatewayConfig config, Verifier verifier, World world) throws Exception {
    scope = Scope.of("gateway", world);
    wired = GatewayService.wire(config, scope, false, verifier);
    tree = wired.supervisor().start(scope);
  }

  /** Settings as {@code key=value}; routes are TOML, as in {@link #route}. */
  static Rig open(String... settings) throws Exception {
    return new Rig(config(settings), null);
  }

  static Rig guarded(Verifier verifier, String... settings) throws Exception {
    return new Rig(config(settings), verifier);
  }

  /** Its time stands still: a rate is a number of requests, however slow the machine is. */
  static Rig standing(Verifier verifier, String... settings) throws Exception {
    return new Rig(config(settings), verifier, world(new VirtualTime()));
  }

  /** The real world but for its time. */
  static World world(VirtualTime time) {
    World real = World.real(Log.silent());
    return new World(time, real.chance(), real.secrets(), real.disk(), real.threads(), real.log());
  }

  static GatewayConfig config(String... settings) {
    var flags = new HashMap<String, String>();
    flags.put("gateway.bind", "127.0.0.1:0");
    flags.put("gateway.limits.rps", "0");
    flags.put("gateway.danger_ok", "true");
    flags.put("gateway.hosts", "*");
    for (String pair : settings) {
      int at = pair.indexOf('=');
      flags.put("gateway." + pair.substring(0, at), pair.substring(at + 1));
    }
    Settings all = Settings.load(flags, Map.of(), Optional.empty());
    var draft = all.read("gateway", GatewayConfig::read);
    all.check();
    return draft.value();
  }

  /** One route for everything, to these ports, with further keys as TOML. */
  static String route(String more, int... ports) {
    return "routes=[" + table("/", more, ports) + "]";
  }

  static String table(String prefix, String more, int... ports) {
    var upstreams = new StringBuilder();
    for (int port : ports) {
      upstreams.append(upstreams.isEmpty() ? "" : ",").append("\"http://127.0.0.1:").append(port);
      upstreams.append('"');
    }
    return "{prefix=\"%s\",auth=\"none\",upstreams=[%s]%s}"
        .formatted(prefix, upstreams, more.isEmpty() ? "" : "," + more);
  }

  int port() {
    return wired.door().port();
  }

  RawClient connect() throws Exception {
    return new RawClient(port());
  }

  /** One request on its own connection. */
  String ask(String request) throws Exception {
    try (var client = connect()) {
      return client.send(request).answer();
    }
  }

  String get(String path, String... headers) throws Exception {
    return ask("GET " + path + " HTTP/1.1\r\nHost: gate\r\n" + lines(headers) + "\r\n");
  }

  static String lines(String... headers) {
    return headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n";
  }

  double metric(String line) {
    return metric(scope, line);
  }

  static double metric(Scope scope, String line) {
    return scope
        .metrics()
        .text()
        .lines()
        .filter(text -> text.startsWith(line + " "))
        .mapToDouble(text -> Double.parseDouble(text.substring(line.length() + 1)))
        .findFirst()
        .orElse(0);
  }

  /** Nothing is inside, waits, or holds a place. */
  boolean isQuiet() {
    return scope.metrics().text().lines().noneMatch(Rig::busy) && scope.readiness().ready();
  }

  private static boolean busy(String line) {
    boolean counts =
        line.startsWith("gateway_drr_queue_depth{") || line.startsWith("inflight_requests{");
    return counts && !line.endsWith(" 0.0") && !line.contains("/healthz");
  }

  /** Looks again and again, for a bounded time. */
  static boolean soon(BooleanSupplier holds) throws InterruptedException {
    return soon(10_000, holds);
  }

  static boolean soon(long millis, BooleanSupplier holds) throws InterruptedException {
    long end = System.nanoTime() + millis * 1_000_000;
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() > end) {
        return false;
      }
      pause(5);
    }
    return true;
  }

  static void pause(long millis) throws InterruptedException {
    var _ =
        new java.util.concurrent.CountDownLatch(1)
            .await(millis, java.util.concurrent.TimeUnit.MILLISECONDS);
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
