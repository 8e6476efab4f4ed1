package dev.ron.mailbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.capability.Verifier;
import dev.ron.config.Section;
import dev.ron.config.Settings;
import dev.ron.http.server.Limits;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Tree;
import dev.ron.testkit.UnitLedger;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A whole mailbox on a free port, and a client that speaks to it.
 *
 * <p>Threading: owned by the test; requests may be made from any thread.
 */
public final class Rig implements AutoCloseable {
  final UnitLedger ledger = new UnitLedger();
  final Scope scope;
  final MailboxService.Wired wired;
  final Tree tree;
  private final HttpClient client = HttpClient.newHttpClient();

  Rig(Path folder, Map<String, String> settings, Verifier verifier) throws Exception {
    this(World.real(Log.silent()), folder, settings, verifier);
  }

  Rig(World world, Path folder, Map<String, String> settings, Verifier verifier) throws Exception {
    scope = Scope.of("mailbox", world).metered(ledger);
    wired = MailboxService.wire(config(folder, settings), scope, Limits.OPEN, verifier);
    tree = wired.supervisor().start(scope);
  }

  static Rig open(Path folder, String... settings) throws Exception {
    return new Rig(folder, table(settings), null);
  }

  static MailboxConfig config(Path folder, Map<String, String> settings) {
    return config(folder, settings, MailboxConfig::read);
  }

  public static <C> C config(Path folder, Map<String, String> settings, Function<Section, C> read) {
    var flags = new HashMap<String, String>();
    flags.put("mailbox.bind", "127.0.0.1:0");
    flags.put("mailbox.data", folder.toString());
    settings.forEach((key, value) -> flags.put("mailbox." + key, value));
    Settings all = Settings.load(flags, Map.of(), Optional.empty());
    var draft = all.read("mailbox", read);
    all.check();
    return draft.value();
  }

  public static Map<String, String> table(String... pairs) {
    var table = new HashMap<String, String>();
    for (String pair : pairs) {
      table.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
    }
    return table;
  }

  /** Status, a space, and the body. */
  String post(String path, String json) throws IOException, InterruptedException {
    return words(exchange(path, "application/json", json.getBytes(UTF_8), ""));
  }

  HttpResponse<String> exchange(String path, String type, byte[] body, String token)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path))
            .header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  /** Any request, with a capability; an empty body is none. */
  String ask(String method, String path, String json, String token)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri(path))
            .timeout(Duration.ofSeconds(20))
            .header("Content-Type", "application/json")
            .header("Authorization", "Bearer " + token)
            .method(method, HttpRequest.BodyPublishers.ofString(json))
            .build();
    return words(client.send(request, HttpResponse.BodyHandlers.ofString()));
  }

  /** The first line of an answer that goes on. */
  String firstLine(String path, String json, String token)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri(path))
            .header("Content-Type", "application/json")
            .header("Authorization", "Bearer " + token)
            .POST(HttpRequest.BodyPublishers.ofString(json))
            .build();
    HttpResponse<InputStream> answer =
        client.send(request, HttpResponse.BodyHandlers.ofInputStream());
    try (InputStream body = answer.body()) {
      return answer.statusCode()
          + " "
          + new BufferedReader(new InputStreamReader(body, UTF_8)).readLine();
    }
  }

  String hashed(String path, byte[] body, String hash) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri(path))
            .header("X-Payload-Hash", hash)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build();
    return words(client.send(request, HttpResponse.BodyHandlers.ofString()));
  }

  String get(String path) throws IOException, InterruptedException {
    return words(
        client.send(
            HttpRequest.newBuilder(uri(path)).build(), HttpResponse.BodyHandlers.ofString()));
  }

  String get(String path, String token) throws IOException, InterruptedException {
    return words(
        client.send(
            HttpRequest.newBuilder(uri(path)).header("Authorization", "Bearer " + token).build(),
            HttpResponse.BodyHandlers.ofString()));
  }

  String delete(String path) throws IOException, InterruptedException {
    return words(
        client.send(
            HttpRequest.newBuilder(uri(path)).DELETE().build(),
            HttpResponse.BodyHandlers.ofString()));
  }

  private static String words(HttpResponse<String> answer) {
    return answer.statusCode() + " " + answer.body();
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + wired.door().port() + path);
  }

  String send(String topic, String key) throws IOException, InterruptedException {
    String payload = Base64.getEncoder().encodeToString(key.getBytes(UTF_8));
    return post(
        "/v1/send",
        "{\"topic\":\"%s\",\"idem_key\":\"%s\",\"payload_b64\":\"%s\"}"
            .formatted(topic, key, payload));
  }

  /**
   * A line of the metrics, as {@code queue_depth{queue="ready",shard="0"}}; 0 if it is not there.
   */
  double metric(String series) {
    return scope
        .metrics()
        .text()
        .lines()
        .filter(line -> line.startsWith(series + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
        .sum();
  }

  /** Waits until something is so, and fails if it does not come to be. */
  static void eventually(String what, BooleanSupplier so) {
    long end = System.nanoTime() + 60_000_000_000L;
    while (!so.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not within a minute: " + what);
      }
      Thread.onSpinWait();
    }
  }

  /** The value of a field of flat JSON, the first one of that name. */
  static String field(String json, String name) {
    Matcher found = Pattern.compile("\"" + name + "\":(\"([^\"]*)\"|[^,}\\]]+)").matcher(json);
    if (!found.find()) {
      throw new AssertionError("no " + name + " in " + json);
    }
    return found.group(2) == null ? found.group(1) : found.group(2);
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
