package dev.ron.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A real Chromium without a window, driven over its DevTools protocol.
 *
 * <p>It ends with {@link #close} at the latest, and with this JVM. Every host but the loopback is
 * made unreachable, so that a page that needs the network fails. What the page complains about and
 * what it asks for is kept for the test to look at.
 *
 * <p>Threading: owned by the test.
 */
public final class Browser implements AutoCloseable {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
  private static final int WAIT_MILLIS = 30_000;
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Process process;
  private final Thread hook;
  private final HttpClient http = HttpClient.newHttpClient();
  private final DevTools page;

  private Browser(Process process, URI devTools) throws Exception {
    this.process = process;
    this.hook = new Thread(() -> end(process));
    Runtime.getRuntime().addShutdownHook(hook);
    String target =
        http.send(
                HttpRequest.newBuilder(devTools.resolve("/json/new?about:blank"))
                    .PUT(HttpRequest.BodyPublishers.noBody())
                    .build(),
                HttpResponse.BodyHandlers.ofString())
            .body();
    page = DevTools.connect(http, JSON.readTree(target).get("webSocketDebuggerUrl").asString());
    page.call("Page.enable", "{}");
    page.call("Runtime.enable", "{}");
    page.call("Log.enable", "{}");
    page.call("Network.enable", "{}");
  }

  /** Where the browser is on this machine, if it is. */
  public static Optional<Path> installed() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
        .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * @param profile an empty folder for what the browser keeps
   */
  public static Browser start(Path program, Path profile, int width, int height) throws Exception {
    var command =
        new ArrayList<>(
            List.of(
                program.toString(),
                "--headless=new",
                "--no-sandbox",
                "--no-first-run",
                "--disable-dev-shm-usage",
                "--use-gl=angle",
                "--use-angle=swiftshader",
                "--enable-unsafe-swiftshader",
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
                "--remote-debugging-port=0",
                "--window-size=" + width + "," + height,
                "--user-data-dir=" + profile));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      return new Browser(process, devTools(process.inputReader(StandardCharsets.UTF_8)));
    } catch (Exception failure) {
      end(process);
      throw failure;
    }
  }

  private static URI devTools(BufferedReader said) throws IOException {
    var lines = new ArrayList<String>();
    for (String line = said.readLine(); line != null; line = said.readLine()) {
      lines.add(line);
      if (line.startsWith("DevTools listening on ws://")) {
        return URI.create("http://" + line.substring("DevTools listening on ws://".length()));
      }
    }
    throw new IOException("the browser ended before it listened: " + lines);
  }

  /** Goes to an address and waits until the page has loaded. */
  public void open(String url) {
    page.call("Page.navigate", "{\"url\":" + JSON.writeValueAsString(url) + "}");
    await("document.readyState === 'complete' && location.href !== 'about:blank'");
  }

  /** What an expression of the page comes to; a promise is waited for. */
  public JsonNode evaluate(String expression) {
    JsonNode answer =
        page.call(
            "Runtime.evaluate",
            "{\"awaitPromise\":true,\"returnByValue\":true,\"userGesture\":true,\"expression\":"
                + JSON.writeValueAsString(expression)
                + "}");
    if (answer.has("exceptionDetails")) {
      throw new AssertionError(expression + ": " + answer.get("exceptionDetails"));
    }
    return answer.get("result").path("value");
  }

  /** Waits in the page until a condition holds there; the failure shows the page's text. */
  public void await(String condition) {
    String within =
        """
        new Promise(resolve => {
          const end = Date.now() + %d;
          const look = () => {
            let holds = false;
            try { holds = Boolean(%s); } catch { holds = false; }
            if (holds) resolve(""); else if (Date.now() > end) resolve(document.body.innerText || "an empty page");
            else setTimeout(look, 40);
          };
          look();
        })"""
            .formatted(WAIT_MILLIS, condition);
    String text = evaluate(within).asString();
    if (!text.isEmpty()) {
      throw new AssertionError(
          "never came true: " + condition + "\non the page:\n" + text + "\n" + complaints());
    }
  }

  /** Waits for the element and clicks it. */
  public void click(String selector) {
    String element = "document.querySelector(" + JSON.writeValueAsString(selector) + ")";
    await(element + " && !" + element + ".disabled");
    evaluate(element + ".click()");
  }

  /** Waits for the field and fills it as a person would. */
  public void fill(String selector, String text) {
    String element = "document.querySelector(" + JSON.writeValueAsString(selector) + ")";
    await(element);
    evaluate(
        "{const field = %s; field.value = %s; field.dispatchEvent(new Event('input', {bubbles: true}))}"
            .formatted(element, JSON.writeValueAsString(text)));
  }

  /** Shows the page as a phone of that size does, with a dark or a light colour scheme. */
  public void beAPhone(int width, int height, boolean dark) {
    page.call(
        "Emulation.setDeviceMetricsOverride",
        "{\"width\":%d,\"height\":%d,\"deviceScaleFactor\":2,\"mobile\":true}"
            .formatted(width, height));
    page.call(
        "Emulation.setEmulatedMedia",
        "{\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\"%s\"}]}"
            .formatted(dark ? "dark" : "light"));
  }

  /** Presses Enter where the focus is. */
  public void pressEnter() {
    for (String type : new String[] {"keyDown", "keyUp"}) {
      page.call(
          "Input.dispatchKeyEvent",
          "{\"type\":\"%s\",\"key\":\"Enter\",\"code\":\"Enter\",\"text\":\"\\r\",\"windowsVirtualKeyCode\":13}"
              .formatted(type));
    }
  }

  /** Errors and warnings of the console, failed requests, exceptions. */
  public List<String> complaints() {
    return page.complaints();
  }

  /** Every URL the page asked for. */
  public List<String> requests() {
    return page.requests();
  }

  /** Keeps a picture of what is seen. */
  public byte[] screenshot(Path file) throws IOException {
    JsonNode taken = page.call("Page.captureScreenshot", "{\"format\":\"png\"}");
    byte[] png = Base64.getDecoder().decode(taken.get("data").asString());
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.write(file, png);
    return png;
  }

  @Override
  public void close() {
    page.close();
    http.shutdownNow();
    Runtime.getRuntime().removeShutdownHook(hook);
    end(process);
    process.onExit().join();
  }

  private static void end(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
