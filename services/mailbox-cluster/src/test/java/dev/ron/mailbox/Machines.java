package dev.ron.mailbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.kernel.time.SystemTime;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A cluster as its clients see it: machines that are asked by name.
 *
 * <p>Threading: thread-safe.
 */
abstract class Machines implements AutoCloseable {
  static final List<String> NAMES = List.of("a", "b", "c");
  static final Duration LIMIT = Duration.ofSeconds(60);

  final SystemTime time = new SystemTime();
  final HttpClient http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

  /** Where clients reach a machine. */
  abstract int port(String name);

  URI uri(String name, String path) {
    return URI.create("http://127.0.0.1:" + port(name) + path);
  }

  HttpResponse<String> look(String name, String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri(name, path)).timeout(Duration.ofSeconds(10)).build();
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  /** Status, a space, and the body. */
  String get(String name, String path) throws IOException, InterruptedException {
    HttpResponse<String> answer = look(name, path);
    return answer.statusCode() + " " + answer.body();
  }

  HttpResponse<String> post(String name, String path, String type, byte[] body)
      throws IOException, InterruptedException {
    return post(name, path, type, body, Duration.ofSeconds(20));
  }

  HttpResponse<String> post(String name, String path, String type, byte[] body, Duration patience)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri(name, path))
            .timeout(patience)
            .header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<String> json(String name, String path, String form)
      throws IOException, InterruptedException {
    return post(name, path, "application/json", form.getBytes(UTF_8), LIMIT);
  }

  /** Asks until the answer is another than 503. */
  HttpResponse<String> persistently(String name, String path, String form) throws Exception {
    HttpResponse<String> answer = json(name, path, form);
    for (Instant limit = time.now().plus(LIMIT);
        answer.statusCode() == 503 && time.now().isBefore(limit);
        answer = json(name, path, form)) {
      pause(20);
    }
    return answer;
  }

  /** Sends until it is taken; answers the id. */
  String send(String name, String topic, String key) throws Exception {
    String form =
        "{\"topic\":\"%s\",\"idem_key\":\"%s\",\"payload_b64\":\"aGk=\"}".formatted(topic, key);
    HttpResponse<String> sent = persistently(name, "/v1/send", form);
    if (sent.statusCode() != 200) {
      throw new AssertionError(sent.statusCode() + " " + sent.body() + states());
    }
    return Rig.field(sent.body(), "msg_id");
  }

  void pause(int millis) throws InterruptedException {
    time.sleepUntil(time.now().plusMillis(millis));
  }

  void await(String what, Callable<Boolean> met) throws Exception {
    Instant limit = time.now().plus(LIMIT);
    while (!met.call()) {
      if (time.now().isAfter(limit)) {
        throw new AssertionError("never: " + what + states());
      }
      pause(10);
    }
  }

  /** Waits until a machine says that it is ready. */
  void awaitReady(String name) throws Exception {
    await(name + " is ready", () -> answers(name, "/readyz").startsWith("200"));
  }

  /** Empty if it does not. */
  private String answers(String name, String path) throws InterruptedException {
    try {
      return get(name, path);
    } catch (IOException gone) {
      return "";
    }
  }

  void awaitAllReady() throws Exception {
    for (String name : NAMES) {
      awaitReady(name);
    }
  }

  /** Who leads a group and says so itself; empty if none does now. */
  String leaderNow(int group, List<String> names) throws InterruptedException {
    for (String name : names) {
      Pattern leads = Pattern.compile("\\{\"group\":" + group + ",[^{]*?\"leads\":true");
      if (leads.matcher(answers(name, "/v1/cluster")).find()) {
        return name;
      }
    }
    return "";
  }

  String leader(int group) throws Exception {
    await("somebody leads group " + group, () -> !leaderNow(group, NAMES).isEmpty());
    String leader = leaderNow(group, NAMES);
    return leader.isEmpty() ? leader(group) : leader;
  }

  /** Another machine than one. */
  static String other(String name) {
    return NAMES.stream().filter(each -> !each.equals(name)).findFirst().orElseThrow();
  }

  /** Whom a machine takes for the leader of each group, in order; "none" where it knows none. */
  List<String> leaders(String name) throws IOException, InterruptedException {
    Matcher found =
        Pattern.compile("\"shards\":\\[[\\d,]*\\],(?:\"leader\":\"(\\w+)\",)?")
            .matcher(get(name, "/v1/cluster"));
    return found.results().map(each -> Objects.requireNonNullElse(each.group(1), "none")).toList();
  }

  /** What each machine says of the groups, for when something is wrong. */
  String states() throws InterruptedException {
    var all = new StringBuilder();
    for (String name : NAMES) {
      all.append('\n').append(answers(name, "/v1/cluster"));
    }
    return all.toString();
  }

  @Override
  public void close() {
    http.close();
  }
}
