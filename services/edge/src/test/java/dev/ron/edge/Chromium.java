package dev.ron.edge;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A real browser without a window that can reach this machine and nothing else.
 *
 * <p>Spoken to by the DevTools protocol: one socket, numbered calls, events in between.
 *
 * <p>Threading: calls from the test's thread; events come on the socket's.
 */
final class Chromium implements AutoCloseable, WebSocket.Listener {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final int PATIENCE_SECONDS = 60;

  final List<String> complaints = new CopyOnWriteArrayList<>();
  final List<String> requested = new CopyOnWriteArrayList<>();
  private final Process process;
  private final HttpClient client = HttpClient.newHttpClient();
  private final Map<Integer, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();
  private final AtomicInteger calls = new AtomicInteger();
  private final StringBuilder partly = new StringBuilder();
  private final WebSocket socket;

  /** Where the browser is, if it is installed. */
  static Optional<Path> installed() {
    return List.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
        .stream()
        .map(Path::of)
        .filter(Files::isExecutable)
        .findFirst();
  }

  Chromium(Path program, Path profile, int width, int height) throws Exception {
    process =
        new ProcessBuilder(
                program.toString(),
                "--headless=new",
                "--no-sandbox",
                "--no-first-run",
                "--disable-background-networking",
                "--use-gl=angle",
                "--use-angle=swiftshader",
                "--enable-unsafe-swiftshader",
                "--hide-scrollbars",
                "--user-data-dir=" + profile,
                "--remote-debugging-port=0",
                "--window-size=" + width + "," + height,
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
                "about:blank")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    String listening = listening(process.errorReader());
    socket =
        client
            .newWebSocketBuilder()
            .buildAsync(URI.create(page(listening)), this)
            .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    call("Page.enable", "{}");
    call("Runtime.enable", "{}");
    call("Log.enable", "{}");
    call("Network.enable", "{}");
  }

  private static String listening(BufferedReader errors) throws IOException {
    String mark = "DevTools listening on ";
    for (String line = errors.readLine(); line != null; line = errors.readLine()) {
      if (line.startsWith(mark)) {
        return line.substring(mark.length());
      }
    }
    throw new IOException("the browser ended before it listened");
  }

  private String page(String browser) throws Exception {
    URI list = URI.create("http://127.0.0.1:" + URI.create(browser).getPort() + "/json");
    String json =
        client
            .send(HttpRequest.newBuilder(list).build(), HttpResponse.BodyHandlers.ofString())
            .body();
    for (JsonNode target : MAPPER.readTree(json)) {
      if (target.path("type").asString().equals("page")) {
        return target.path("webSocketDebuggerUrl").asString();
      }
    }
    throw new IOException("the browser has no page: " + json);
  }

  JsonNode call(String method, String params) throws Exception {
    int id = calls.incrementAndGet();
    var answer = new CompletableFuture<JsonNode>();
    waiting.put(id, answer);
    socket
        .sendText("{\"id\":%d,\"method\":\"%s\",\"params\":%s}".formatted(id, method, params), true)
        .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    return answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  void open(URI uri) throws Exception {
    call("Page.navigate", "{\"url\":\"" + uri + "\"}");
  }

  String evaluate(String script) throws Exception {
    String params = MAPPER.writeValueAsString(Map.of("expression", script, "awaitPromise", true));
    return call("Runtime.evaluate", params).path("result").path("value").asString("");
  }

  /** A PNG of what is seen. */
  byte[] screenshot() throws Exception {
    JsonNode shot = call("Page.captureScreenshot", "{\"format\":\"png\"}");
    return Base64.getDecoder().decode(shot.path("data").asString());
  }

  @Override
  public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
    partly.append(text);
    if (last) {
      JsonNode message = MAPPER.readTree(partly.toString());
      partly.setLength(0);
      CompletableFuture<JsonNode> answer = waiting.remove(message.path("id").asInt(0));
      if (answer != null) {
        answer.complete(message.path("result"));
      } else {
        event(message.path("method").asString(""), message.path("params"));
      }
    }
    from.request(1);
    return null;
  }

  private void event(String name, JsonNode params) {
    switch (name) {
      case "Network.requestWillBeSent" ->
          requested.add(params.path("request").path("url").asString());
      case "Network.loadingFailed", "Runtime.exceptionThrown" -> complaints.add(params.toString());
      case "Runtime.consoleAPICalled" -> {
        if (params.path("type").asString().matches("error|warning|assert")) {
          complaints.add(params.toString());
        }
      }
      case "Log.entryAdded" -> {
        if (params.path("entry").path("level").asString().matches("error|warning")) {
          complaints.add(params.toString());
        }
      }
      default -> {}
    }
  }

  @Override
  public void close() {
    socket.abort();
    client.close();
    var children = new ArrayList<>(process.descendants().toList());
    process.destroyForcibly();
    children.forEach(ProcessHandle::destroyForcibly);
    process.onExit().join();
  }
}
