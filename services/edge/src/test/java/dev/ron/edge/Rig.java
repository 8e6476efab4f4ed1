package dev.ron.edge;

import dev.ron.capability.Verifier;
import dev.ron.config.Settings;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Tree;
import dev.ron.testkit.UnitLedger;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A whole edge on a free port, and a client that speaks to it.
 *
 * <p>Threading: owned by the test; requests may be made from any thread.
 */
public final class Rig implements AutoCloseable {
  /** For a thousand clients at a time, and then some. */
  static final List<String> CROWDED =
      List.of("danger_ok=true", "ingress.max_connections=4096", "ingress.max_inflight=4096");

  final UnitLedger ledger = new UnitLedger();
  public final Scope scope;
  public final EdgeService.Wired wired;
  public final Tree tree;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private Rig(EdgeConfig config) throws Exception {
    this(config, World.real(Log.silent()));
  }

  private Rig(EdgeConfig config, World world) throws Exception {
    this(config, world, null);
  }

  private Rig(EdgeConfig config, World world, @Nullable Verifier verifier) throws Exception {
    scope = Scope.of("edge", world).metered(ledger);
    wired = EdgeService.wire(config, scope, false, verifier);
    tree = wired.supervisor().start(scope);
  }

  /** An edge without mounts. */
  public static Rig open(Path folder, String... settings) throws Exception {
    return new Rig(config(folder, List.of(), settings));
  }

  /** A live edge that mounts an upstream on this machine at the root. */
  public static Rig before(Path folder, String upstream, String... settings) throws Exception {
    return before(folder, upstream, List.of(), settings);
  }

  /** For many clients at a time. */
  static Rig crowded(Path folder, String upstream, String... settings) throws Exception {
    return before(
        folder,
        upstream,
        Stream.concat(CROWDED.stream(), Stream.of(settings)).toArray(String[]::new));
  }

  /** With more lines about the mount. */
  static Rig before(Path folder, String upstream, List<String> mount, String... settings)
      throws Exception {
    return before("/", folder, upstream, mount, settings);
  }

  /** With the upstream mounted below a prefix. */
  static Rig before(
      String prefix, Path folder, String upstream, List<String> more, String... settings)
      throws Exception {
    return new Rig(config(folder, List.of(mount(prefix, upstream, more)), live(settings)));
  }

  /** That checks capabilities, with mounts of one upstream each by their prefix. */
  static Rig checking(Path folder, Verifier verifier, Map<String, List<String>> mounts)
      throws Exception {
    List<String> all =
        mounts.entrySet().stream()
            .map(
                each ->
                    mount(
                        each.getKey(),
                        each.getValue().getFirst(),
                        each.getValue().subList(1, each.getValue().size())))
            .toList();
    return new Rig(config(folder, all, live()), World.real(Log.silent()), verifier);
  }

  /** In a world that a test has changed. */
  static Rig in(World world, Path folder, String upstream, String... settings) throws Exception {
    return new Rig(config(folder, List.of(mount("/", upstream, List.of())), live(settings)), world);
  }

  private static String mount(String prefix, String upstream, List<String> more) {
    return """
    [[edge.mounts]]
    prefix = "%s"
    upstream = "%s"
    allow_http = true
    allow_private = true
    methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"]
    %s
    """
        .formatted(prefix, upstream, String.join("\n", more));
  }

  /** A live edge whose upstream's certificate has to be the one in a file. */
  static Rig trusting(Path folder, String upstream, Path certificate) throws Exception {
    String mount =
        """
        [[edge.mounts]]
        prefix = "/"
        upstream = "%s"
        allow_private = true
        trusted = "%s"
        """
            .formatted(upstream, certificate);
    return new Rig(config(folder, List.of(mount), live()));
  }

  /** A live edge whose upstream's address has to be public. */
  static Rig beforeName(Path folder, String upstream, String... settings) throws Exception {
    String mount =
        """
        [[edge.mounts]]
        prefix = "/"
        upstream = "%s"
        allow_http = true
        """
            .formatted(upstream);
    return new Rig(config(folder, List.of(mount), live(settings)));
  }

  private static String[] live(String... settings) {
    var live = new String[settings.length + 1];
    live[0] = "mode=live";
    System.arraycopy(settings, 0, live, 1, settings.length);
    return live;
  }

  static EdgeConfig config(Path folder, List<String> toml, String... settings) {
    var flags = new HashMap<String, String>();
    flags.put("edge.bind", "127.0.0.1:0");
    flags.put("edge.data", folder.toString());
    flags.put("edge.ingress.rps_limit", "0");
    for (String pair : settings) {
      int equals = pair.indexOf('=');
      flags.put("edge." + pair.substring(0, equals), pair.substring(equals + 1));
    }
    Settings all = Settings.load(flags, Map.of(), toml.isEmpty() ? Optional.empty() : file(toml));
    var draft = all.read("edge", EdgeConfig::read);
    all.check();
    return draft.value();
  }

  /** What holds without a restart; the rest stays as it was. */
  void reload(String... settings) {
    wired.reload().accept(config(Path.of("elsewhere"), List.of(), settings));
  }

  private static Optional<Path> file(List<String> toml) {
    try {
      Path file = Files.createTempFile("edge", ".toml");
      file.toFile().deleteOnExit();
      return Optional.of(Files.writeString(file, String.join("\n", toml)));
    } catch (IOException e) {
      throw new AssertionError("cannot write a configuration", e);
    }
  }

  public URI uri(String path) {
    return URI.create("http://127.0.0.1:" + wired.door().port() + path);
  }

  /** Names and values of request fields in turn. */
  public HttpResponse<String> get(String path, String... fields)
      throws IOException, InterruptedException {
    return send("GET", path, fields);
  }

  public HttpResponse<String> send(String method, String path, String... fields)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path)).method(method, HttpRequest.BodyPublishers.noBody());
    if (fields.length > 0) {
      request.headers(fields);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  /** Waits until no fill is under way, so that what can be stored is. */
  public void awaitIdle() throws InterruptedException {
    var time = scope.time();
    var until = time.now().plusSeconds(20);
    while (metric("edge_inflight") > 0) {
      if (!time.now().isBefore(until)) {
        throw new AssertionError("a fill is still under way after 20 s");
      }
      time.sleepUntil(time.now().plusMillis(5));
    }
  }

  /** The value of a metric by its name and labels; 0 if it was never touched. */
  public double metric(String name) {
    return metric(scope, name);
  }

  static double metric(Scope scope, String name) {
    return scope
        .metrics()
        .text()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .findFirst()
        .orElse(0);
  }

  @Override
  public void close() {
    client.close();
    try {
      tree.drain();
    } catch (InterruptedException stop) {
      throw new AssertionError("interrupted while draining", stop);
    }
  }
}
