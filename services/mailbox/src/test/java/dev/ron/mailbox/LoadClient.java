package dev.ron.mailbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sends, receives and acknowledges until the mailbox is gone, and writes down what it was told.
 *
 * <p>Threading: owned by its thread; the ledger is shared.
 */
final class LoadClient implements Runnable {
  private static final Pattern RECEIVED =
      Pattern.compile("\"msg_id\":\"(\\w+)\".*?\"receipt\":\"(\\w+)\"");

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
        if (random.nextInt(5) < 3) {
          send();
        } else {
          receive("{\"topic\":\"%s\",\"max_messages\":5}".formatted(topic()));
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
    String key = name + "-" + number++;
    String path = "/v1/send?topic=%s&idem_key=%s".formatted(topic(), key);
    byte[] payload = new byte[random.nextInt(2000)];
    HttpResponse<String> answer = post(http, port, path, "application/octet-stream", payload);
    if (answer.statusCode() == 200) {
      ledger.sent(Rig.field(answer.body(), "msg_id"), key);
    } else {
      ledger.refusals.merge(answer.statusCode() + " " + answer.body(), 1, Integer::sum);
    }
  }

  private void receive(String wish) throws IOException, InterruptedException {
    Set<String> ackedBefore = Set.copyOf(ledger.acked);
    HttpResponse<String> answer =
        post(http, port, "/v1/recv", "application/json", wish.getBytes(UTF_8));
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
        String wish =
            "{\"topic\":\"t%d\",\"max_messages\":100,\"visibility_ms\":600000}".formatted(topic);
        HttpResponse<String> answer =
            post(http, port, "/v1/recv", "application/json", wish.getBytes(UTF_8));
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
