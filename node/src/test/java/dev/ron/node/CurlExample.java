package dev.ron.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A request as a person would type it, which is what the API's page shows and what the test runs.
 *
 * @param url with the port of a node that was started without settings; {@code $name} stands for
 *     what only an earlier answer tells
 * @param body as JSON or text, with {@code @name@} for the same
 */
record CurlExample(String method, String url, List<String> headers, String body) {
  /** The doors of a node that was started without settings. */
  static final Map<String, String> DOORS =
      Map.of(
          "gateway", "http://127.0.0.1:8080",
          "edge", "http://127.0.0.1:8081",
          "mailbox", "http://127.0.0.1:8082",
          "storage", "http://127.0.0.1:8083",
          "rewarder", "http://127.0.0.1:8084",
          "admin", "http://127.0.0.1:8090");

  private static final Path CURL = Path.of("/usr/bin/curl");
  private static final int SECONDS_MAX = 60;

  /** What came back. */
  record Answer(int status, String type, String body) {}

  static boolean canRun() {
    return Files.isExecutable(CURL);
  }

  /** The body as it is sent. */
  String body(Map<String, String> known) {
    String filled = body;
    for (Map.Entry<String, String> each : known.entrySet()) {
      filled = filled.replace("@" + each.getKey() + "@", each.getValue());
    }
    return filled;
  }

  String text() {
    var text = new StringBuilder("curl");
    boolean implied = method.equals("GET") || (method.equals("POST") && !body.isEmpty());
    if (!implied) {
      text.append(" -X ").append(method);
    }
    text.append(" -H \"Authorization: Bearer $RON_CAP\" \\\n");
    headers.forEach(header -> text.append("  -H '").append(header).append("' \\\n"));
    if (!body.isEmpty()) {
      String quoted = body.replace("'", "'\\''").replaceAll("@([a-z_]+)@", "'\"\\$$1\"'");
      text.append("  -d '").append(quoted).append("' \\\n");
    }
    return text.append("  \"").append(url).append('"').toString();
  }

  /**
   * @param known what earlier answers told, by name
   */
  Answer run(RunningNode node, Path folder, Map<String, String> known) throws Exception {
    String command = command(node);
    Path body = folder.resolve("curl.body");
    Path said = folder.resolve("curl.said");
    Files.deleteIfExists(body);
    var shell =
        new ProcessBuilder(
            "/bin/sh",
            "-c",
            "%s -sS --max-time %d -o '%s' -w '%%{http_code} %%{content_type}'"
                .formatted(command, SECONDS_MAX, body));
    environment(shell, node, known);
    Process running =
        shell
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .start();
    try {
      boolean ended = running.waitFor(SECONDS_MAX + 10, TimeUnit.SECONDS);
      String line = Files.readString(said);
      if (!ended || !line.matches("(?s)[0-9]{3} .*")) {
        throw new AssertionError("no answer to " + command + ": " + line);
      }
      byte[] bytes = Files.exists(body) ? Files.readAllBytes(body) : new byte[0];
      return new Answer(
          Integer.parseInt(line.substring(0, 3)), line.substring(4), new String(bytes, UTF_8));
    } finally {
      running.destroyForcibly();
    }
  }

  /** Of an answer that goes on: its head and the first line of its body, then the client leaves. */
  Answer firstLine(RunningNode node, Map<String, String> known) throws IOException {
    var shell =
        new ProcessBuilder(
            "/bin/sh",
            "-c",
            "exec %s -sS -N -i --max-time %d".formatted(command(node), SECONDS_MAX));
    environment(shell, node, known);
    Process running = shell.redirectErrorStream(true).start();
    try (BufferedReader said = running.inputReader(UTF_8)) {
      String status = Objects.requireNonNullElse(said.readLine(), "");
      if (!status.matches("HTTP/[0-9.]+ [0-9]{3}.*")) {
        throw new AssertionError("no answer to " + text() + ": " + status);
      }
      String type = "none";
      String line = said.readLine();
      for (; line != null && !line.isEmpty(); line = said.readLine()) {
        if (line.toLowerCase(Locale.ROOT).startsWith("content-type:")) {
          type = line.substring(line.indexOf(':') + 1).strip();
        }
      }
      String first = Objects.requireNonNullElse(said.readLine(), "");
      return new Answer(Integer.parseInt(status.split(" ", -1)[1]), type, first);
    } finally {
      running.destroyForcibly();
    }
  }

  private String command(RunningNode node) {
    String command = text();
    for (Map.Entry<String, String> door : DOORS.entrySet()) {
      command = command.replace(door.getValue(), node.url(door.getKey()));
    }
    return command;
  }

  private static void environment(ProcessBuilder shell, RunningNode node, Map<String, String> known)
      throws IOException {
    shell.environment().put("RON_CAP", node.keys().adminToken());
    shell.environment().putAll(known);
  }
}
