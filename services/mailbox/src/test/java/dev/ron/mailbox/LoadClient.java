package dev.ron.mailbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Sends, receives and acknowledges until the mailbox is gone, and writes down what it was told.
 *
 * <p>Threading: owned by its thread; the ledger is shared.
 */
final class LoadClient implements Runnable {
  private static final Pattern RECEIVED =
      Pattern.compile("\"msg_id\":\"(\\w+)\".*?\"receipt\":\"(\\w+)\"");

  private static final Pattern RESULT = Pattern.compile("\\{\"(msg_id|code)\":[^}]*}");
  private static final int BATCH = 20;

  private final HttpClient http;
  private final int port;
  private final String name;
  private final Ledger ledger;
  private final RandomGenerator random;
  private int number;

  LoadClient(HttpClient http, int port, String name, Ledger ledger, RandomGenerator random) {
    this.http = http;
    this.port = port;
    this.name = name;
    this.ledger = ledger;
    this.random = random;
  }

  @Override
  public void run() {
    try {
      while (true) {
        switch (random.nextInt(10)) {
          case 0 -> sendBatch();
          case 1, 2, 3, 4 -> send();
          default -> receive(topic());
        }
      }
    } catch (IOException | InterruptedException _) {
      // the mailbox was killed; what was under way is unknown and stays out of the ledger
    }
  }

  private String topic() {
    return "t" + random.nextInt(4);
  }

  private void send() throws IOException, InterruptedException {
    String key = key();
    HttpResponse<String> answer = send(http, port, key);
    if (answer.statusCode() == 200) {
      ledger.sent(Rig.field(answer.body(), "msg_id"), key);
    } else {
      ledger.refusals.merge(answer.statusCode() + " " + answer.body(), 1, Integer::sum);
    }
  }

  /** All there is to know of a message is in its key, so that it can be sent again. */
  private String key() {
    return "%s-%d-%s-%d".formatted(name, number++, topic(), random.nextInt(2000));
  }

  /** Enough at once that there is a backlog. */
  private void sendBatch() throws IOException, InterruptedException {
    List<String> keys = Stream.generate(this::key).limit(BATCH).toList();
    String messages =
        keys.stream()
            .map(
                key ->
                    "{\"topic\":\"%s\",\"idem_key\":\"%s\",\"payload_b64\":\"%s\"}"
                        .formatted(
                            key.split("-", -1)[3],
                            key,
                            Base64.getEncoder()
                                .encodeToString(new byte[Integer.parseInt(key.split("-", -1)[4])])))
            .collect(Collectors.joining(",", "{\"messages\":[", "]}"));
    HttpResponse<String> answer =
        post(http, port, "/v1/send/batch", "application/json", messages.getBytes(UTF_8));
    List<String> results = RESULT.matcher(answer.body()).results().map(MatchResult::group).toList();
    for (int i = 0; i < results.size(); i++) {
      if (results.get(i).contains("msg_id")) {
        ledger.sent(Rig.field(results.get(i), "msg_id"), keys.get(i));
      } else {
        ledger.refusals.merge(results.get(i), 1, Integer::sum);
      }
    }
  }

  private static HttpResponse<String> send(HttpClient http, int port, String key)
      throws IOException, InterruptedException {
    String[] parts = key.split("-", -1);
    String path = "/v1/send?topic=%s&idem_key=%s".formatted(parts[3], key);
    byte[] payload = new byte[Integer.parseInt(parts[4])];
    return post(http, port, path, "application/octet-stream", payload);
  }

  /** A key that was acknowledged before the kill is known after it, and so is its id. */
  static void sendAgain(HttpClient http, int port, Ledger ledger, String prefix)
      throws IOException, InterruptedException {
    List<Map.Entry<String, String>> some =
        ledger.sent.entrySet().stream()
            .filter(each -> each.getValue().startsWith(prefix))
            .limit(20)
            .toList();
    for (Map.Entry<String, String> each : some) {
      String answer = send(http, port, each.getValue()).body();
      if (!answer.equals("{\"msg_id\":\"%s\",\"duplicate\":true}".formatted(each.getKey()))) {
        ledger.contradictions.add("%s was sent again: %s".formatted(each, answer));
      }
    }
  }

  private void receive(String topic) throws IOException, InterruptedException {
    Set<String> ackedBefore = Set.copyOf(ledger.acked);
    String request = "{\"topic\":\"%s\",\"max_messages\":5}".formatted(topic);
    long asked = System.nanoTime();
    HttpResponse<String> answer =
        post(http, port, "/v1/recv", "application/json", request.getBytes(UTF_8));
    long answered = System.nanoTime();
    ledger.order.saw(
        topic,
        RECEIVED.matcher(answer.body()).results().map(each -> each.group(1)).toList(),
        asked,
        answered);
    Matcher received = RECEIVED.matcher(answer.body());
    while (received.find()) {
      String id = received.group(1);
      if (ackedBefore.contains(id)) {
        ledger.contradictions.add(id + " was delivered after its ack");
      }
      if (random.nextInt(4) > 0) {
        ledger.ackAsked.add(id);
        byte[] receipt = "{\"receipt\":\"%s\"}".formatted(received.group(2)).getBytes(UTF_8);
        if (post(http, port, "/v1/ack/" + id, "application/json", receipt).statusCode() == 200) {
          ledger.acked.add(id);
        }
      }
    }
  }

  /** Everything that is in the mailbox; takes it all in flight. */
  static Set<String> everything(HttpClient http, int port)
      throws IOException, InterruptedException {
    var left = new HashSet<String>();
    for (int topic = 0; topic < 4; topic++) {
      int before = -1;
      while (left.size() > before) {
        before = left.size();
        String request =
            "{\"topic\":\"t%d\",\"max_messages\":100,\"visibility_ms\":600000}".formatted(topic);
        HttpResponse<String> answer =
            post(http, port, "/v1/recv", "application/json", request.getBytes(UTF_8));
        if (answer.statusCode() != 200) {
          throw new AssertionError("not all could be seen: " + answer.body());
        }
        Matcher received = RECEIVED.matcher(answer.body());
        while (received.find()) {
          left.add(received.group(1));
        }
      }
    }
    HttpRequest dead =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/dlq?limit=1000"))
            .build();
    Matcher listed =
        Pattern.compile("\"msg_id\":\"(\\w+)\"")
            .matcher(http.send(dead, HttpResponse.BodyHandlers.ofString()).body());
    while (listed.find()) {
      left.add(listed.group(1));
    }
    return left;
  }

  private static HttpResponse<String> post(
      HttpClient http, int port, String path, String type, byte[] body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Duration.ofSeconds(20))
            .header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }
}
