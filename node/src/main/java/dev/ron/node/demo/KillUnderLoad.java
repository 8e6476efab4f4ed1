package dev.ron.node.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.kernel.World;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * Senders write down what was acknowledged; the node is killed under them; then everything is
 * received and the two lists are compared.
 */
final class KillUnderLoad implements Chapter {
  private static final int SENDERS = 8;
  private static final int KILLS = 3;
  private static final Duration LOAD = Duration.ofMillis(1500);
  private static final String TOPIC = "demo.orders";
  private static final Pattern PAYLOAD = Pattern.compile("\"payload_b64\":\"([^\"]*)\"");
  private static final Pattern SETTLE =
      Pattern.compile("\"msg_id\":\"([^\"]+)\".*?\"receipt\":\"([^\"]+)\"", Pattern.DOTALL);

  private final World world;
  private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
  private final Set<String> attempted = ConcurrentHashMap.newKeySet();

  KillUnderLoad(World world) {
    this.world = world;
  }

  @Override
  public String title() {
    return "Pull the plug on a queue";
  }

  @Override
  public String watch() {
    return "the queue's topic " + TOPIC + " on the dashboard, under Queue";
  }

  @Override
  public ChapterResult play(DemoNode node, Narrator say) throws Exception {
    for (int kill = 1; kill <= KILLS; kill++) {
      int before = acknowledged.size();
      loadUntilKilled(node, kill);
      Duration back = node.start();
      say.line(
          "  kill -9 no. %d after %d acknowledged sends; ready again in %d ms",
          kill, acknowledged.size() - before, back.toMillis());
    }
    Set<String> received = receiveAll(node);
    var lost = new HashSet<>(acknowledged);
    lost.removeAll(received);
    var invented = new HashSet<>(received);
    invented.removeAll(attempted);
    String text =
        "%d acknowledged, %d received, %d lost, %d that nobody sent"
            .formatted(acknowledged.size(), received.size(), lost.size(), invented.size());
    return new ChapterResult(text, lost.isEmpty() && invented.isEmpty() && !acknowledged.isEmpty());
  }

  private void loadUntilKilled(DemoNode node, int round) throws InterruptedException {
    Instant end = world.time().now().plus(LOAD);
    List<Thread> senders = new ArrayList<>();
    for (int sender = 0; sender < SENDERS; sender++) {
      String name = round + "-" + sender;
      senders.add(world.threads().start("demo/sender-" + name, () -> sendUntilRefused(node, name)));
    }
    world.time().sleepUntil(end);
    node.kill9();
    for (Thread sender : senders) {
      sender.join();
    }
  }

  /** A send without an answer may have been taken or not: only answered ones are counted. */
  private void sendUntilRefused(DemoNode node, String name) {
    for (int i = 0; ; i++) {
      String key = name + "-" + i;
      attempted.add(key);
      String body =
          "{\"topic\":\"%s\",\"idem_key\":\"%s\",\"payload_b64\":\"%s\"}"
              .formatted(TOPIC, key, Base64.getEncoder().encodeToString(key.getBytes(UTF_8)));
      try {
        HttpResponse<byte[]> answer =
            node.send("POST", "mailbox", "/v1/send", body.getBytes(UTF_8));
        if (answer.statusCode() == 200) {
          acknowledged.add(key);
        }
      } catch (IOException killed) {
        return;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private Set<String> receiveAll(DemoNode node) throws IOException, InterruptedException {
    var received = new HashSet<String>();
    String ask = "{\"topic\":\"%s\",\"visibility_ms\":60000,\"max_messages\":100}".formatted(TOPIC);
    while (true) {
      String got =
          new String(node.send("POST", "mailbox", "/v1/recv", ask.getBytes(UTF_8)).body(), UTF_8);
      List<String> payloads = PAYLOAD.matcher(got).results().map(m -> m.group(1)).toList();
      if (payloads.isEmpty()) {
        return received;
      }
      payloads.forEach(
          payload -> received.add(new String(Base64.getDecoder().decode(payload), UTF_8)));
      String entries =
          String.join(
              ",",
              SETTLE
                  .matcher(got)
                  .results()
                  .map(
                      m ->
                          "{\"msg_id\":\"%s\",\"receipt\":\"%s\"}"
                              .formatted(m.group(1), m.group(2)))
                  .toList());
      node.send("POST", "mailbox", "/v1/ack", ("{\"entries\":[" + entries + "]}").getBytes(UTF_8));
    }
  }
}
