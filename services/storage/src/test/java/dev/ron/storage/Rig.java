package dev.ron.storage;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.capability.Verifier;
import dev.ron.config.Section;
import dev.ron.config.Settings;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.Limits;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.DrainReport;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Tree;
import dev.ron.kernel.time.SystemTime;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A whole storage on a free port, and a client that speaks to it.
 *
 * <p>Threading: owned by the test; requests may be made from any thread.
 */
public final class Rig implements AutoCloseable {
  final Scope scope;
  final Tree tree;
  private final HttpServer door;
  final HttpClient client = HttpClient.newHttpClient();

  Rig(Map<String, String> settings, Disk disk, Verifier verifier) throws Exception {
    this(settings, on(disk), verifier);
  }

  Rig(Map<String, String> settings, World world, Verifier verifier) throws Exception {
    this(settings, Scope.of("storage", world), verifier);
  }

  Rig(Map<String, String> settings, Scope scope, Verifier verifier) throws Exception {
    this(settings, scope, Limits.OPEN, verifier);
  }

  private Rig(Map<String, String> settings, Scope scope, Limits limits, Verifier verifier)
      throws Exception {
    this.scope = scope;
    StorageService.Wired wired =
        StorageService.wire(config(settings, StorageConfig::read), scope, limits, verifier);
    door = wired.door();
    tree = wired.supervisor().start(scope);
  }

  /** A storage that was wired otherwise: a node of a cluster. */
  Rig(Scope scope, Supervisor supervisor, HttpServer door) throws Exception {
    this.scope = scope;
    this.door = door;
    this.tree = supervisor.start(scope);
  }

  static World on(Disk disk) {
    World real = World.real(Log.silent());
    return new World(real.time(), real.chance(), real.secrets(), disk, real.threads(), real.log());
  }

  /** One directory, and settings as {@code key=value}. */
  static Rig open(Path folder, String... settings) throws Exception {
    return new Rig(table(folder, settings), new RealDisk(), null);
  }

  /** With the rate of its settings, which the others lift. */
  static Rig hardened(Path folder, String... settings) throws Exception {
    Scope scope = Scope.of("storage", World.real(Log.silent()));
    return new Rig(table(folder, settings), scope, Limits.HARDENED, null);
  }

  static Rig on(Disk disk, Path folder, String... settings) throws Exception {
    return new Rig(table(folder, settings), disk, null);
  }

  public static Map<String, String> table(Path folder, String... pairs) {
    var table = new HashMap<String, String>();
    table.put("data_dirs", folder.toString());
    table.put("free_min", "0B");
    for (String pair : pairs) {
      table.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
    }
    return table;
  }

  static String dirs(Path... folders) {
    return "data_dirs="
        + Arrays.stream(folders).map(Path::toString).collect(Collectors.joining(","));
  }

  public static <T> T config(Map<String, String> settings, Function<Section, T> reader) {
    var flags = new HashMap<String, String>();
    flags.put("storage.bind", "127.0.0.1:0");
    settings.forEach((key, value) -> flags.put("storage." + key, value));
    Settings all = Settings.load(flags, Map.of(), Optional.empty());
    var draft = all.read("storage", reader);
    all.check();
    return draft.value();
  }

  int port() {
    return door.port();
  }

  URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port() + path);
  }

  HttpResponse<byte[]> send(String method, String path, byte[] body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path))
            .timeout(Duration.ofSeconds(60))
            .method(method, HttpRequest.BodyPublishers.ofByteArray(body));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  /** Waits for the server's word before the body is sent, so that a refusal is always heard. */
  HttpResponse<byte[]> sendIfWanted(String method, String path, byte[] body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri(path))
            .version(HttpClient.Version.HTTP_1_1)
            .timeout(Duration.ofSeconds(60))
            .expectContinue(true)
            .method(method, HttpRequest.BodyPublishers.ofByteArray(body))
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofByteArray());
  }

  HttpResponse<byte[]> get(String path, String... headers)
      throws IOException, InterruptedException {
    return send("GET", path, new byte[0], headers);
  }

  HttpResponse<byte[]> put(byte[] object, String... headers)
      throws IOException, InterruptedException {
    return send("PUT", "/o/" + address(object), object, headers);
  }

  /** Status, a space, and the body as text. */
  static String words(HttpResponse<byte[]> answer) {
    return answer.statusCode()
        + " "
        + new String(answer.body(), java.nio.charset.StandardCharsets.UTF_8);
  }

  String metric(String line) {
    return scope
        .metrics()
        .text()
        .lines()
        .filter(each -> each.startsWith(line))
        .map(each -> each.substring(each.lastIndexOf(' ') + 1))
        .findFirst()
        .orElse("none");
  }

  double metricValue(String line) {
    String text = metric(line);
    return text.equals("none") ? 0 : Double.parseDouble(text);
  }

  static Address address(byte[] object) {
    return new Address(Blake3.hash(object));
  }

  /** The same bytes for the same seed. */
  static byte[] bytes(long seed, int length) {
    byte[] bytes = new byte[length];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }

  static String field(String json, String name) {
    Matcher found = Pattern.compile("\"" + name + "\":(\"([^\"]*)\"|[^,}\\]]+)").matcher(json);
    if (!found.find()) {
      throw new AssertionError("no " + name + " in " + json);
    }
    return found.group(2) == null ? found.group(1) : found.group(2);
  }

  /** Looks again and again until it holds. */
  public static void eventually(String what, BooleanSupplier holds) throws InterruptedException {
    eventually(() -> what, holds);
  }

  /** The same, with words that are looked for when it is too late. */
  public static void eventually(Supplier<String> what, BooleanSupplier holds)
      throws InterruptedException {
    var time = new SystemTime();
    for (int look = 0; look < 3000; look++) {
      if (holds.getAsBoolean()) {
        return;
      }
      time.sleepUntil(time.now().plus(Duration.ofMillis(20)));
    }
    throw new AssertionError("never: " + what.get());
  }

  DrainReport drain() throws InterruptedException {
    return tree.drain();
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
