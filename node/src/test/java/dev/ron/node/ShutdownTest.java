package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.SystemTime;
import dev.ron.kernel.time.Time;
import dev.ron.testkit.ChildJvm;
import dev.ron.testkit.RawClient;
import dev.ron.testkit.SeedRow;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real process under SIGTERM while clients wait: no task is aborted, nothing is lost. */
@Timeout(180)
class ShutdownTest {
  /** More than the sockets of both sides hold. */
  private static final int LARGE = 24 << 20;

  private static final List<String> LAZY_FLUSH =
      List.of("--set", "mailbox.flush=interval", "--set", "mailbox.flush_interval=1m");
  private static final List<String> LARGE_OBJECTS =
      List.of("--set", "storage.put_bytes=32MiB", "--set", "danger_ok=true");

  private static final Time TIME = new SystemTime();

  @TempDir private Path data;
  private ChildJvm node;
  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void closeEverything() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
    if (node != null) {
      node.close();
    }
  }

  @Test
  void aLongPollIsAnsweredAndWhatWasAcknowledgedIsThereAfterwards() throws Exception {
    start("mailbox", LAZY_FLUSH);
    sendFive();
    RawClient poll = request("mailbox", post("/v1/recv", "{\"topic\":\"idle\",\"wait_ms\":50000}"));
    awaitInside("mailbox", "/v1/recv");
    node.terminate();
    assertThat(poll.answer())
        .as("as at the end of its wait")
        .startsWith("HTTP/1.1 200 ")
        .contains("Connection: close")
        .endsWith("{\"messages\":[]}");
    assertThat(drained())
        .endsWith(" 0 aborted, 1 requests answered, 0 requests cut, 1 waits told, 0 items dropped");
    assertThat(orderly()).isTrue();
    fiveAreThere();
  }

  @Test
  void aStreamEndsAndWhatWasAcknowledgedIsThereAfterwards() throws Exception {
    start("mailbox", LAZY_FLUSH);
    sendFive();
    RawClient stream = request("mailbox", post("/v1/recv/stream", "{\"topic\":\"idle\"}"));
    awaitInside("mailbox", "/v1/recv/stream");
    node.terminate();
    assertThat(stream.answer()).as("a whole body, to its last chunk").startsWith("HTTP/1.1 200 ");
    assertThat(drained()).contains(" 0 aborted, 1 requests answered, 0 requests cut");
    assertThat(orderly()).isTrue();
    fiveAreThere();
  }

  @Test
  void aReaderThatStandsStillIsCutAndTheStoreClosesInOrder() throws Exception {
    start("storage", LARGE_OBJECTS);
    stalledReader();
    node.terminate();
    awaitReadyz("storage");
    assertThat(drained()).contains(" 0 aborted, 0 requests answered, 1 requests cut");
    assertThat(orderly()).isTrue();
  }

  @Test
  void aRequestToAnUpstreamThatHangsIsToldAndTheDoorAnswersUntilThen() throws Exception {
    start("gateway", hangingRoute());
    RawClient held = request("gateway", "GET /hang HTTP/1.1\r\nHost: localhost\r\n\r\n");
    awaitInside("gateway", "/{path...}");
    node.terminate();
    awaitReadyz("gateway");
    assertThat(ask("gateway", "GET /hang HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        .startsWith("HTTP/1.1 503 ")
        .contains("Retry-After: ", "Connection: close", "\"code\":\"draining\"");
    assertThat(held.answer()).startsWith("HTTP/1.1 503 ").contains("\"code\":\"draining\"");
    assertThat(drained()).contains(" 0 aborted, 0 requests answered, 1 requests cut");
    assertThat(orderly()).isTrue();
  }

  @Test
  void allOfThemAtOnceLoseNothing() throws Exception {
    var settings = new ArrayList<>(LAZY_FLUSH);
    settings.addAll(LARGE_OBJECTS);
    settings.addAll(hangingRoute());
    start("gateway,edge,mailbox,storage,rewarder", settings);
    sendFive();
    RawClient poll = request("mailbox", post("/v1/recv", "{\"topic\":\"idle\",\"wait_ms\":50000}"));
    RawClient stream = request("mailbox", post("/v1/recv/stream", "{\"topic\":\"idle\"}"));
    RawClient held = request("gateway", "GET /hang HTTP/1.1\r\nHost: localhost\r\n\r\n");
    stalledReader();
    awaitInside("mailbox", "/v1/recv");
    awaitInside("mailbox", "/v1/recv/stream");
    awaitInside("gateway", "/{path...}");
    node.terminate();
    assertThat(poll.answer()).startsWith("HTTP/1.1 200 ");
    assertThat(stream.answer()).startsWith("HTTP/1.1 200 ");
    awaitReadyz("gateway");
    assertThat(held.answer()).startsWith("HTTP/1.1 503 ");
    // A stream that looks at its shard at this moment ends by itself, so it need not be told.
    assertThat(drained())
        .containsPattern(" 0 aborted, 2 requests answered, 2 requests cut, [12] waits told");
    assertThat(orderly()).isTrue();
    node.close();
    start("mailbox", LAZY_FLUSH);
    fiveAreThere();
  }

  @Test
  @SeedRow({"E49", "G45", "R45"})
  void aSecondSignalWaitsForNoRequestAndLosesNothing() throws Exception {
    var settings = new ArrayList<>(LAZY_FLUSH);
    settings.addAll(hangingRoute());
    start("gateway,mailbox", settings);
    sendFive();
    RawClient held = request("gateway", "GET /hang HTTP/1.1\r\nHost: localhost\r\n\r\n");
    awaitInside("gateway", "/{path...}");
    node.signal("INT");
    awaitReadyz("gateway");
    node.terminate();
    assertThat(held.answer()).startsWith("HTTP/1.1 503 ");
    assertThat(drained()).contains(" 0 aborted, 0 requests answered, 1 requests cut");
    assertThat(orderly()).isTrue();
    node.close();
    start("mailbox", LAZY_FLUSH);
    fiveAreThere();
  }

  // ---- what clients do

  /** Topics of several shards, so that several writers have something that is not flushed. */
  private void sendFive() throws Exception {
    for (int i = 0; i < 5; i++) {
      String form =
          "{\"topic\":\"orders%d\",\"idem_key\":\"k\",\"payload_b64\":\"aGk=\"}".formatted(i);
      assertThat(ask("mailbox", post("/v1/send", form))).startsWith("HTTP/1.1 200 ");
    }
  }

  private void fiveAreThere() throws Exception {
    if (!Files.exists(data.resolve("ready"))) {
      node.close();
      start("mailbox", LAZY_FLUSH);
    }
    for (int i = 0; i < 5; i++) {
      assertThat(ask("mailbox", post("/v1/recv", "{\"topic\":\"orders%d\"}".formatted(i))))
          .contains("\"payload_b64\":\"aGk=\"");
    }
  }

  private void stalledReader() throws Exception {
    String body = "x".repeat(LARGE);
    String put =
        "POST /o HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(capability(), LARGE, body);
    String stored = ask("storage", put);
    Matcher address = Pattern.compile("\"address\":\"([^\"]+)\"").matcher(stored);
    assertThat(address.find()).as(stored).isTrue();
    var stalled = new Socket();
    open.add(stalled);
    stalled.setReceiveBufferSize(4096);
    stalled.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port("storage")));
    String get =
        "GET /o/%s HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n"
            .formatted(address.group(1), capability());
    stalled.getOutputStream().write(get.getBytes(StandardCharsets.US_ASCII));
    assertThat(stalled.getInputStream().read()).as("it has begun").isEqualTo('H');
    awaitInside("storage", "/o/{address}");
  }

  /** An upstream that takes connections and says nothing. */
  private List<String> hangingRoute() throws IOException {
    var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    open.add(silent);
    Path file =
        Files.writeString(
            data.resolve("ron.toml"),
            "[[gateway.routes]]\nprefix = \"/hang\"\nauth = \"none\"\nupstreams = [\"http://127.0.0.1:%d\"]\n"
                .formatted(silent.getLocalPort()));
    return List.of("--config", file.toString());
  }

  private String post(String path, String form) throws IOException {
    return RawClient.http(
        "POST " + path + " HTTP/1.1",
        "Host: localhost",
        "Authorization: Bearer " + capability(),
        "Content-Type: application/json",
        "Content-Length: " + form.length(),
        "",
        form);
  }

  private RawClient request(String service, String text) throws IOException {
    var client = new RawClient(port(service));
    open.add(client);
    return client.send(text);
  }

  private String ask(String service, String text) throws IOException {
    try (var client = new RawClient(port(service))) {
      return client.send(text).answer();
    }
  }

  /** The request's handler is at work. */
  private void awaitInside(String service, String route) throws IOException {
    String one = "inflight_requests{route=\"%s\"} 1".formatted(route);
    String metrics =
        RawClient.http(
            "GET /metrics HTTP/1.1",
            "Host: localhost",
            "Authorization: Bearer " + capability(),
            "",
            "");
    eventually(() -> ask(service, metrics).contains(one));
  }

  /** The drain has begun, and the service's own port says so. */
  private void awaitReadyz(String service) throws IOException {
    String readyz = "GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n";
    eventually(() -> ask(service, readyz).contains("draining"));
    assertThat(ask(service, readyz)).startsWith("HTTP/1.1 503 ");
  }

  private interface Look {
    boolean holds() throws IOException;
  }

  private static void eventually(Look look) throws IOException {
    var limit = Deadline.in(Duration.ofSeconds(60), TIME);
    while (!look.holds()) {
      assertThat(limit.passed(TIME.now())).as("too late").isFalse();
      LockSupport.parkNanos(2_000_000);
    }
  }

  // ---- the process

  private void start(String services, List<String> settings) throws Exception {
    Path ready = data.resolve("ready");
    var command = new ArrayList<String>();
    command.addAll(List.of("sh", "-c", "exec \"$@\" 2>>" + log(), "sh"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-ea"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Ron.class.getName()));
    command.addAll(List.of("up", "--data", data.resolve("node").toString(), "--base-port", "0"));
    command.addAll(List.of("--ready-file", ready.toString(), "--set", "node.services=" + services));
    command.addAll(settings);
    node = ChildJvm.start(command);
    String line = node.line();
    while (line != null && !line.startsWith("dashboard ")) {
      line = node.line();
    }
    assertThat(line).as(Files.readString(log())).isNotNull();
    eventually(() -> Files.exists(ready));
  }

  private Path log() {
    return data.resolve("log");
  }

  private String drained() throws Exception {
    String line = node.line();
    while (line != null && !line.startsWith("drained: ")) {
      line = node.line();
    }
    assertThat(node.exit(Duration.ofSeconds(60))).isZero();
    Files.delete(data.resolve("ready"));
    return String.valueOf(line);
  }

  /** Nothing was forced or left undone, such as the mark at the end of a journal. */
  private boolean orderly() throws IOException {
    assertThat(Files.readString(log()))
        .doesNotContain("task-aborted", "task-unfinished", "task-failed")
        .doesNotContain("journal-unmarked", "journal-stalled", "drain-stuck", "drain-failed");
    return true;
  }

  private int port(String service) throws IOException {
    return URI.create(field("\"%s\":\\{\"url\":\"([^\"]+)\"".formatted(service))).getPort();
  }

  private String capability() throws IOException {
    return field("\"capability\":\"([^\"]+)\"");
  }

  private String field(String pattern) throws IOException {
    String written = Files.readString(data.resolve("ready"));
    Matcher found = Pattern.compile(pattern).matcher(written);
    assertThat(found.find()).as(written).isTrue();
    return found.group(1);
  }
}
