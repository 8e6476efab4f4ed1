package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.time.SystemTime;
import dev.ron.testkit.ChildJvm;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * SIGKILL at random moments under load: what is served afterwards is whole, and nothing that was
 * made worthless comes back.
 */
final class KillTest {
  private static final int KEYS = 20;

  @TempDir private Path folder;

  /** The upstream's truth: the version of each path, raised by POST. */
  private final Map<String, Integer> versions = new ConcurrentHashMap<>();

  /** The newest version that somebody was told of by the answer to a POST. */
  private final Map<String, Integer> told = new ConcurrentHashMap<>();

  @Test
  void whatComesBackIsWholeAndNotOlderThanWasTold() throws Exception {
    kill(2, Long.getLong("ron.seed", 1));
  }

  @Test
  @Tag("long")
  void andAfterFiftyKills() throws Exception {
    kill(50, Long.getLong("ron.seed", 2));
  }

  private void kill(int rounds, long seed) throws Exception {
    var random = new SplittableRandom(seed);
    int hits = 0;
    try (var origin = new FakeOrigin(this::answer);
        HttpClient http = HttpClient.newHttpClient()) {
      for (int round = 0; round <= rounds; round++) {
        try (ChildJvm edge = ChildJvm.start(EdgeMain.class, folder.toString(), origin.url())) {
          int port = Integer.parseInt(edge.line());
          for (int key = 0; round > 0 && key < KEYS; key++) {
            hits += check(http, port, "/" + key, seed) ? 1 : 0;
          }
          Thread load = Thread.ofVirtual().start(() -> load(http, port, random.split()));
          var time = new SystemTime();
          time.sleepUntil(time.now().plus(Duration.ofMillis(100 + random.nextInt(500))));
          edge.kill9();
          load.join();
        }
      }
    }
    assertThat(hits).as("restarts kept something, seed %d", seed).isPositive();
  }

  /** Bodies from small to beyond one group, each telling its version to the last byte. */
  private void answer(int number, String head, java.io.OutputStream out) throws Exception {
    String[] line = head.split(" ", 3);
    int version =
        line[0].equals("POST")
            ? versions.merge(line[1], 1, Integer::sum)
            : versions.getOrDefault(line[1], 0);
    out.write(FakeOrigin.bytes(200, "Cache-Control: max-age=600", body(line[1], version)));
  }

  private static String body(String path, int version) {
    String unit = path + " " + version + ";";
    return unit.repeat(1 + path.hashCode() % 7 * 3000);
  }

  private void load(HttpClient http, int port, RandomGenerator random) {
    try {
      while (true) {
        String path = "/" + random.nextInt(KEYS);
        boolean post = random.nextInt(10) == 0;
        HttpResponse<String> answer = ask(http, port, post ? "POST" : "GET", path);
        if (post && answer.statusCode() == 200) {
          told.merge(path, version(answer.body()), Math::max);
        }
      }
    } catch (java.io.IOException | InterruptedException killed) {
      // the end of this round
    }
  }

  private boolean check(HttpClient http, int port, String path, long seed) throws Exception {
    HttpResponse<String> answer = ask(http, port, "GET", path);
    assertThat(answer.statusCode()).isEqualTo(200);
    int version = version(answer.body());
    assertThat(answer.body()).as("seed %d", seed).isEqualTo(body(path, version));
    assertThat(version).as("seed %d", seed).isGreaterThanOrEqualTo(told.getOrDefault(path, 0));
    return answer.headers().firstValue("Cache-Status").orElse("").contains("; hit");
  }

  private static int version(String body) {
    return Integer.parseInt(body.substring(body.indexOf(' ') + 1, body.indexOf(';')));
  }

  private static HttpResponse<String> ask(HttpClient http, int port, String method, String path)
      throws java.io.IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
