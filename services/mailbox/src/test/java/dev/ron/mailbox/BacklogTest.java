package dev.ron.mailbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.time.SystemTime;
import dev.ron.testkit.ChildJvm;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A backlog several times larger than the heap: taken in, killed, opened again, handed out.
 *
 * <p>{@code -Dron.backlog=5000000} is the size of the promise; rates are printed, not asserted.
 */
@Tag("long")
final class BacklogTest {
  private static final int BACKLOG = Integer.getInteger("ron.backlog", 300_000);
  private static final int BATCH = 100;
  private static final int CLIENTS = 8;
  private static final int TOPICS = 6;

  /** Of processor time: how long that takes is the machine's. */
  private static final Duration RESTART_LIMIT = Duration.ofSeconds(10);

  private static final Pattern RECEIVED =
      Pattern.compile(
          "\"msg_id\":\"(\\w+)\",\"topic\":\"t(\\d)\",\"ts\":\\d+,\"idem_key\":\"(\\d+)\".*?\"receipt\":\"(\\w+)\"");

  private final SystemTime time = new SystemTime();
  private final String payload = payload();
  private final AtomicInteger handled = new AtomicInteger();

  @TempDir private Path folder;

  private static String payload() {
    byte[] bytes = new byte[1024];
    new SplittableRandom(1).nextBytes(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }

  @Test
  void aBacklogLargerThanMemoryKeepsItsRatesAndOpensInTime() throws Exception {
    int part = Math.max(20_000, BACKLOG / 50);
    double sendFirst;
    double sendLast;
    double handledFirst;
    try (ChildJvm child = start();
        HttpClient http = HttpClient.newHttpClient()) {
      int port = Integer.parseInt(child.line());
      send(http, port, 0, part);
      drain(http, port, part);
      sendFirst = send(http, port, part, part);
      handledFirst = drain(http, port, part);
      say("small backlog: sends %.0f/s, receive+ack %.0f/s".formatted(sendFirst, handledFirst));
      double all = send(http, port, 2 * part, BACKLOG);
      say("filling to %d: sends %.0f/s".formatted(BACKLOG, all));
      sendLast = send(http, port, 2 * part + BACKLOG, part);
      say(
          "at %d: sends %.0f/s, %.2f of the first"
              .formatted(BACKLOG, sendLast, sendLast / sendFirst));
      double rate = drain(http, port, part);
      say(
          "at %d: receive+ack %.0f/s, %.2f of the first"
              .formatted(BACKLOG, rate, rate / handledFirst));
      say(memory(child.pid()));
      child.kill9();
    }
    Instant begun = time.now();
    try (ChildJvm child = start();
        HttpClient http = HttpClient.newHttpClient()) {
      int port = Integer.parseInt(child.line());
      Duration restart = Duration.between(begun, time.now());
      Duration cpu =
          ProcessHandle.of(child.pid()).orElseThrow().info().totalCpuDuration().orElseThrow();
      say(
          "ready %d ms after the start, %d ms of CPU"
              .formatted(restart.toMillis(), cpu.toMillis()));
      double rate = drain(http, port, part);
      say("after it: receive+ack %.0f/s, %.2f of the first".formatted(rate, rate / handledFirst));
      say(memory(child.pid()));
      assertThat(cpu).isLessThan(RESTART_LIMIT);
      assertThat(depth(http, port)).isEqualTo(3 * part + BACKLOG - handled.get());
      child.kill9();
    }
  }

  private ChildJvm start() throws IOException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    String heap = BACKLOG > 500_000 ? "-Xmx512m" : "-Xmx96m";
    command.addAll(
        List.of(
            heap,
            "-XX:+UseSerialGC",
            "-XX:+UseCompactObjectHeaders",
            "-XX:+ExitOnOutOfMemoryError"));
    command.addAll(List.of("--add-modules", "jdk.incubator.vector"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(BacklogMain.class.getName());
    command.add(folder.toString());
    return ChildJvm.start(command);
  }

  private static void say(String words) {
    System.out.println("backlog: " + words);
  }

  private static String memory(long pid) throws IOException {
    return java.nio.file.Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
        .filter(line -> line.startsWith("VmRSS") || line.startsWith("VmHWM"))
        .reduce("", (a, b) -> a + " " + b.replaceAll("\\s+", " "));
  }

  /** Sends in batches over several connections; messages a second. */
  private double send(HttpClient http, int port, int from, int count) throws Exception {
    var next = new AtomicInteger(from);
    return timed(
        count,
        () -> {
          int at;
          while ((at = next.getAndAdd(BATCH)) < from + count) {
            var body = new StringBuilder("{\"messages\":[");
            for (int i = at; i < Math.min(at + BATCH, from + count); i++) {
              body.append(i == at ? "" : ",")
                  .append("{\"topic\":\"t")
                  .append(i % TOPICS)
                  .append("\",\"idem_key\":\"")
                  .append(i)
                  .append("\",\"payload_b64\":\"")
                  .append(payload)
                  .append("\"}");
            }
            String answer = post(http, port, "/v1/send/batch", body.append("]}").toString());
            assertThat(answer).doesNotContain("\"code\"");
          }
        });
  }

  /** Receives and acknowledges in batches over several connections; messages a second. */
  private double drain(HttpClient http, int port, int count) throws Exception {
    var left = new AtomicInteger(count);
    return timed(
        count,
        () -> {
          int turn = 0;
          while (left.get() > 0) {
            int most = Math.min(BATCH, left.get());
            String request =
                "{\"topic\":\"t%d\",\"max_messages\":%d,\"visibility_ms\":60000}"
                    .formatted(turn++ % TOPICS, Math.max(1, most));
            Matcher each = RECEIVED.matcher(post(http, port, "/v1/recv", request));
            var entries = new ArrayList<String>();
            while (each.find()) {
              assertThat(Integer.parseInt(each.group(3)) % TOPICS)
                  .isEqualTo(Integer.parseInt(each.group(2)));
              entries.add(
                  "{\"msg_id\":\"%s\",\"receipt\":\"%s\"}".formatted(each.group(1), each.group(4)));
            }
            if (!entries.isEmpty()) {
              String acks = "{\"entries\":[" + String.join(",", entries) + "]}";
              assertThat(post(http, port, "/v1/ack", acks)).doesNotContain("\"code\"");
              left.addAndGet(-entries.size());
              handled.addAndGet(entries.size());
            }
          }
        });
  }

  private interface Work {
    void run() throws Exception;
  }

  private double timed(int count, Work work) throws Exception {
    Instant begun = time.now();
    var threads = new ArrayList<Thread>();
    var failed = new java.util.concurrent.ConcurrentLinkedQueue<Throwable>();
    for (int i = 0; i < CLIENTS; i++) {
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      work.run();
                    } catch (Exception | AssertionError e) {
                      failed.add(e);
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failed).isEmpty();
    return count / (Duration.between(begun, time.now()).toNanos() / 1e9);
  }

  private int depth(HttpClient http, int port) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/topics")).build();
    Matcher each =
        Pattern.compile("\"depth\":(\\d+)")
            .matcher(http.send(request, HttpResponse.BodyHandlers.ofString()).body());
    int depth = 0;
    while (each.find()) {
      depth += Integer.parseInt(each.group(1));
    }
    return depth;
  }

  private static String post(HttpClient http, int port, String path, String json)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Duration.ofSeconds(60))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(json.getBytes(UTF_8)))
            .build();
    HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }
}
