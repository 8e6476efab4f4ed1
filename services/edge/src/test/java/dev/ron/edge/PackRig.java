package dev.ron.edge;

import dev.ron.capability.Verifier;
import dev.ron.config.Settings;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.log.LogLine;
import dev.ron.kernel.supervise.Tree;
import dev.ron.kernel.time.SystemTime;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An edge with a folder of packs, and a client that reads bytes.
 *
 * <p>Threading: owned by the test.
 */
final class PackRig implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration LOOK = Duration.ofMillis(10);

  final Path packs;
  final Queue<String> logged = new ConcurrentLinkedQueue<>();
  private final Scope scope;
  private final EdgeService.Wired wired;
  private final Tree tree;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  PackRig(Path folder, @Nullable Verifier verifier) throws Exception {
    packs = Files.createDirectories(folder.resolve("packs"));
    Settings settings =
        Settings.load(
            Map.of(
                "edge.bind",
                "127.0.0.1:0",
                "edge.data",
                folder.resolve("data").toString(),
                "edge.packs",
                "[\"" + packs + "\"]"),
            Map.of(),
            Optional.empty());
    var config = settings.read("edge", EdgeConfig::read);
    settings.check();
    Log log =
        new Log("edge", LogLine.Level.DEBUG, new SystemTime()::wall, l -> logged.add(l.toString()));
    scope = Scope.of("edge", World.real(log));
    wired = EdgeService.wire(config.value(), scope, true, verifier);
    tree = wired.supervisor().start(scope);
  }

  /** As the specification asks for it: written elsewhere, renamed when whole. */
  void put(String name, byte[] pack) throws IOException {
    Path elsewhere = Files.write(packs.resolve(".incoming"), pack);
    Files.move(elsewhere, packs.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }

  URI uri(String path) {
    return URI.create("http://127.0.0.1:" + wired.door().port() + path);
  }

  HttpResponse<byte[]> get(String path, String... fields) throws Exception {
    return send("GET", path, fields);
  }

  HttpResponse<byte[]> send(String method, String path, String... fields) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path)).method(method, HttpRequest.BodyPublishers.noBody());
    if (fields.length > 0) {
      request.headers(fields);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  double metric(String name) {
    return Rig.metric(scope, name);
  }

  String text(String path) throws Exception {
    return new String(get(path).body(), StandardCharsets.UTF_8);
  }

  /** Asks again and again until the answer is as wanted. */
  String await(String path, Predicate<String> wanted) throws Exception {
    var time = new SystemTime();
    var end = time.now().plus(PATIENCE);
    String said = text(path);
    while (!wanted.test(said)) {
      if (time.now().isAfter(end)) {
        throw new AssertionError(path + " stayed " + said);
      }
      time.sleepUntil(time.now().plus(LOOK)); // looks without a pause are over the door's rate
      said = text(path);
    }
    return said;
  }

  void awaitReady() throws Exception {
    await("/readyz", said -> said.contains("\"ready\":true"));
  }

  List<String> pathsLogged() {
    return List.copyOf(logged);
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
