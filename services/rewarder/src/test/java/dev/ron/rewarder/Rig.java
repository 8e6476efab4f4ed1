package dev.ron.rewarder;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.capability.Verifier;
import dev.ron.config.Settings;
import dev.ron.http.server.Limits;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Tree;
import dev.ron.rewarder.core.Calculus;
import dev.ron.rewarder.epoch.EpochLog;
import dev.ron.rewarder.epoch.RunSteps;
import dev.ron.testkit.UnitLedger;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A whole rewarder on a free port, a folder of sealed inputs, and a client.
 *
 * <p>Threading: owned by the test; requests may be made from any thread.
 */
final class Rig implements AutoCloseable {
  static final String POLICY =
      """
      {"id":"p","version":1,"weights_ppm":{"bytes_served":700000,"uptime":300000},\
      "rounding":"floor","min_payout_minor":"0","actor_cap_minor":null,"pool_cap_minor":null,\
      "on_bad_line":"refuse","signatures":[]}\
      """;

  final UnitLedger ledger = new UnitLedger();
  final Scope scope;
  final RewarderService.Wired wired;
  final Tree tree;
  private final Path inputs;
  private final HttpClient client = HttpClient.newHttpClient();

  Rig(
      Path folder,
      Map<String, String> settings,
      Verifier verifier,
      Calculus calculus,
      RunSteps steps)
      throws Exception {
    this(folder, settings, verifier, calculus, steps, new RealDisk(), EpochLog.ALONE);
  }

  Rig(
      Path folder,
      Map<String, String> settings,
      Verifier verifier,
      Calculus calculus,
      RunSteps steps,
      Disk disk,
      EpochLog log)
      throws Exception {
    inputs = folder.resolve("inputs");
    Files.createDirectories(inputs);
    World real = World.real(Log.silent());
    var world =
        new World(real.time(), real.chance(), real.secrets(), disk, real.threads(), real.log());
    scope = Scope.of("rewarder", world).metered(ledger);
    wired =
        RewarderService.wire(
            config(folder, settings),
            scope,
            Limits.OPEN,
            verifier,
            NodeCapabilities.NONE,
            log,
            calculus,
            steps);
    tree = wired.supervisor().start(scope);
  }

  static Rig open(Path folder, String... settings) throws Exception {
    return new Rig(folder, table(settings), null, Calculus.EXACT, RunSteps.IGNORED);
  }

  static Rig open(Path folder, Disk disk) throws Exception {
    return new Rig(folder, Map.of(), null, Calculus.EXACT, RunSteps.IGNORED, disk, EpochLog.ALONE);
  }

  /** One machine of several. */
  static Rig shared(Path folder, EpochLog log, RunSteps steps, String... settings)
      throws Exception {
    return new Rig(folder, table(settings), null, Calculus.EXACT, steps, new RealDisk(), log);
  }

  static Rig open(Path folder, RunSteps steps, String... settings) throws Exception {
    return new Rig(folder, table(settings), null, Calculus.EXACT, steps);
  }

  static RewarderConfig config(Path folder, Map<String, String> settings) {
    var flags = new HashMap<String, String>();
    flags.put("rewarder.bind", "127.0.0.1:0");
    flags.put("rewarder.artifacts", folder.resolve("rewarder").toString());
    flags.put("rewarder.inputs", "files");
    flags.put("rewarder.inputs_folder", folder.resolve("inputs").toString());
    flags.put("rewarder.require_signed_policy", "false");
    settings.forEach((key, value) -> flags.put("rewarder." + key, value));
    Settings all = Settings.load(flags, Map.of(), Optional.empty());
    var draft = all.read("rewarder", RewarderConfig::read);
    all.check();
    return draft.value();
  }

  /** What holds without a restart; the rest stays as it was. */
  void reload(String... settings) {
    wired.reload().accept(config(Path.of("elsewhere"), table(settings)));
  }

  static Map<String, String> table(String... pairs) {
    var table = new HashMap<String, String>();
    for (String pair : pairs) {
      table.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
    }
    return table;
  }

  /** Appears whole, and stays so when it is sealed again while a worker reads it. */
  static String seal(Path folder, byte[] bytes) throws IOException {
    String address = new Address(Blake3.hash(bytes)).toString();
    Files.createDirectories(folder);
    Path draft = Files.createTempFile(folder, "draft", "");
    Files.write(draft, bytes);
    Files.move(draft, folder.resolve(address), StandardCopyOption.ATOMIC_MOVE);
    return address;
  }

  String seal(byte[] bytes) throws IOException {
    return seal(inputs, bytes);
  }

  String seal(String text) throws IOException {
    return seal(text.getBytes(UTF_8));
  }

  String ledger(String epoch, String pool) throws IOException {
    return seal(
        "{\"pool_minor\":\"%s\",\"asset\":\"ROC\",\"epoch\":\"%s\"}".formatted(pool, epoch));
  }

  /** Computes with the usual policy and pool, and waits. */
  String compute(String epoch, String accounting) throws IOException, InterruptedException {
    return compute(epoch, seal(accounting), ledger(epoch, "1000000"), seal(POLICY), false);
  }

  String compute(String epoch, String accounting, String ledger, String policy, boolean dry)
      throws IOException, InterruptedException {
    return post(
        "/rewarder/epochs/" + epoch + "/compute", body(accounting, ledger, policy, dry), "wait=60");
  }

  static String body(String accounting, String ledger, String policy, boolean dry) {
    return "{\"accounting\":\"%s\",\"ledger\":\"%s\",\"policy\":\"%s\",\"dry_run\":%s}"
        .formatted(accounting, ledger, policy, dry);
  }

  /** Status, a space, and the body. */
  String post(String path, String json, String prefer) throws IOException, InterruptedException {
    return words(
        client.send(
            HttpRequest.newBuilder(uri(path))
                .header("Content-Type", "application/json")
                .header("Prefer", prefer)
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build(),
            HttpResponse.BodyHandlers.ofString()));
  }

  String get(String path, String... headers) throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(uri(path));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return words(client.send(request.build(), HttpResponse.BodyHandlers.ofString()));
  }

  /** Any request, with a capability. */
  String ask(String method, String path, String json, String token)
      throws IOException, InterruptedException {
    return words(
        client.send(
            HttpRequest.newBuilder(uri(path))
                .timeout(Duration.ofSeconds(90))
                .header("Content-Type", "application/json")
                .header("Prefer", "wait=60")
                .header("Authorization", "Bearer " + token)
                .method(method, HttpRequest.BodyPublishers.ofString(json))
                .build(),
            HttpResponse.BodyHandlers.ofString()));
  }

  private static String words(HttpResponse<String> answer) {
    return answer.statusCode() + " " + answer.body();
  }

  URI uri(String path) {
    return URI.create("http://127.0.0.1:" + wired.door().port() + path);
  }

  /** Polls until the epoch's settlement says so. */
  void awaitSettlement(String epoch, String state) throws IOException, InterruptedException {
    var time = scope.time();
    var giveUp = time.now().plusSeconds(90);
    String last = "";
    while (time.now().isBefore(giveUp)) {
      last = get("/rewarder/epochs/" + epoch + "/settlement");
      if (last.contains("\"state\":\"" + state + "\"")) {
        return;
      }
      time.sleepUntil(time.now().plusMillis(5));
    }
    throw new AssertionError("never " + state + ": " + last);
  }

  /** Polls until the metric has this value. */
  void awaitMetric(String line, String value) throws InterruptedException {
    var time = scope.time();
    var giveUp = time.now().plusSeconds(90);
    while (!metric(line).equals(value)) {
      if (!time.now().isBefore(giveUp)) {
        throw new AssertionError(line + " is " + metric(line) + ", never " + value);
      }
      time.sleepUntil(time.now().plusMillis(5));
    }
  }

  String metric(String line) {
    return scope
        .metrics()
        .text()
        .lines()
        .filter(each -> each.startsWith(line + " "))
        .map(each -> each.substring(line.length() + 1))
        .findFirst()
        .orElse("none");
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
