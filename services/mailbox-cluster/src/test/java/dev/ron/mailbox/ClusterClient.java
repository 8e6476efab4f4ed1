package dev.ron.mailbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sends, receives and acknowledges at any machine until it is told to stop, and writes down what it
 * was told.
 *
 * <p>Threading: owned by its thread; ledger and tally are shared.
 */
final class ClusterClient implements Runnable {
  static final int TOPICS = 6;
  static final Duration VISIBILITY = Duration.ofMillis(1500);

  /** A machine that is stopped answers nobody; the clients have others to ask. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /** After a refusal; a client that asks at once again takes the machines' time to recover. */
  private static final Duration REST = Duration.ofMillis(30);

  /** The processes' clocks differ by what their anchors were read apart. */
  private static final Duration EARLY_MAX = Duration.ofMillis(25);

  private static final Pattern RECEIVED =
      Pattern.compile("\"msg_id\":\"(\\w+)\".*?\"receipt\":\"(\\w+)\"");

  private final Nodes nodes;
  private final String name;
  private final Ledger ledger;
  private final Tally tally;
  private final RandomGenerator random;
  private int number;
  private boolean refused;

  /** What all clients of a test share besides the ledger. */
  static final class Tally {
    final AtomicBoolean stop = new AtomicBoolean();
    final AtomicInteger unavailable = new AtomicInteger();
    final AtomicInteger broken = new AtomicInteger();
    final AtomicInteger operations = new AtomicInteger();

    /** What a client waits between two steps. */
    final long restNanos;

    /** Since when each topic was refused everywhere. */
    private final Map<String, Instant> refusedSince = new ConcurrentHashMap<>();

    private final AtomicLong refusedMillis = new AtomicLong();

    Tally(Duration rest) {
      restNanos = rest.toNanos();
    }

    /** A topic was asked for and refused with 503. */
    void refused(String topic, Instant asked, Instant now) {
      Instant first = refusedSince.putIfAbsent(topic, asked);
      long millis = Duration.between(first == null ? asked : first, now).toMillis();
      refusedMillis.accumulateAndGet(millis, Math::max);
    }

    void served(String topic) {
      refusedSince.remove(topic);
    }

    /** From a question that was refused to the last refusal in a row, of one topic. */
    Duration longestRefused() {
      return Duration.ofMillis(refusedMillis.get());
    }

    /** The last delivery of each message. */
    final Map<String, Seen> delivered = new ConcurrentHashMap<>();
  }

  /** A delivery: its lease began between these. */
  record Seen(Instant asked, Instant seen) {
    /** The longest that two leases can have begun apart. */
    Duration apart(Seen other) {
      Duration one = Duration.between(asked, other.seen);
      Duration two = Duration.between(other.asked, seen);
      return one.compareTo(two) > 0 ? one : two;
    }
  }

  ClusterClient(Nodes nodes, String name, Ledger ledger, Tally tally, RandomGenerator random) {
    this.nodes = nodes;
    this.name = name;
    this.ledger = ledger;
    this.tally = tally;
    this.random = random;
  }

  @Override
  public void run() {
    while (!tally.stop.get()) {
      String node = Nodes.NAMES.get(random.nextInt(Nodes.NAMES.size()));
      try {
        if (random.nextInt(5) < 3) {
          send(node);
        } else {
          receive(node);
        }
        tally.operations.incrementAndGet();
        LockSupport.parkNanos(tally.restNanos);
      } catch (IOException gone) {
        // killed, stopped or cut off; what was under way is unknown and stays out of the ledger
        tally.broken.incrementAndGet();
        refused = true;
      } catch (InterruptedException stop) {
        return;
      }
      if (refused && !rest()) {
        return;
      }
    }
  }

  private boolean rest() {
    refused = false;
    try {
      nodes.time.sleepUntil(nodes.time.now().plus(REST));
      return true;
    } catch (InterruptedException stop) {
      return false;
    }
  }

  private boolean granted(HttpResponse<String> answer, String topic, Instant asked) {
    if (answer.statusCode() == 503) {
      tally.refused(topic, asked, nodes.time.now());
    } else {
      tally.served(topic);
    }
    return granted(answer);
  }

  private boolean granted(HttpResponse<String> answer) {
    int status = answer.statusCode();
    if (status == 503) {
      refused = true;
      tally.unavailable.incrementAndGet();
      if (answer.headers().firstValue("Retry-After").isEmpty()) {
        ledger.contradictions.add("503 without Retry-After: " + answer.body());
      }
    } else if (status != 200 && status != 409 && status != 404) {
      ledger.contradictions.add(status + " " + answer.body());
    }
    return status == 200;
  }

  private void send(String node) throws IOException, InterruptedException {
    String key = name + "-" + number++;
    String topic = "t" + random.nextInt(TOPICS);
    String path = "/v1/send?topic=%s&idem_key=%s".formatted(topic, key);
    Instant asked = nodes.time.now();
    HttpResponse<String> answer =
        nodes.post(
            node, path, "application/octet-stream", new byte[random.nextInt(2000)], PATIENCE);
    if (granted(answer, topic, asked)) {
      ledger.sent(Rig.field(answer.body(), "msg_id"), key);
    }
  }

  private void receive(String node) throws IOException, InterruptedException {
    String topic = "t" + random.nextInt(TOPICS);
    String request =
        "{\"topic\":\"%s\",\"max_messages\":5,\"visibility_ms\":%d,\"wait_ms\":%d}"
            .formatted(topic, VISIBILITY.toMillis(), random.nextInt(3) == 0 ? 200 : 0);
    Set<String> ackedBefore = Set.copyOf(ledger.acked);
    Instant asked = nodes.time.now();
    HttpResponse<String> answer =
        nodes.post(node, "/v1/recv", "application/json", request.getBytes(UTF_8), PATIENCE);
    Instant seen = nodes.time.now();
    if (!granted(answer, topic, asked)) {
      return;
    }
    // All of them before the first ack, which takes its time.
    var delivered = new LinkedHashMap<String, String>();
    Matcher received = RECEIVED.matcher(answer.body());
    while (received.find()) {
      String id = received.group(1);
      delivered.put(id, received.group(2));
      if (ackedBefore.contains(id)) {
        ledger.contradictions.add(id + " was delivered after its ack, by " + node);
      }
      var now = new Seen(asked, seen);
      Seen before = tally.delivered.put(id, now);
      if (before != null && before.apart(now).compareTo(VISIBILITY.minus(EARLY_MAX)) < 0) {
        ledger.contradictions.add(
            "%s was delivered twice within %s, by %s".formatted(id, before.apart(now), node));
      }
    }
    for (Map.Entry<String, String> each : delivered.entrySet()) {
      if (random.nextInt(4) > 0) {
        String at = Nodes.NAMES.get(random.nextInt(Nodes.NAMES.size()));
        ack(at, each.getKey(), each.getValue());
      }
    }
  }

  private void ack(String node, String id, String receipt)
      throws IOException, InterruptedException {
    ledger.ackAsked.add(id);
    byte[] form = "{\"receipt\":\"%s\"}".formatted(receipt).getBytes(UTF_8);
    if (granted(nodes.post(node, "/v1/ack/" + id, "application/json", form, PATIENCE))) {
      ledger.acked.add(id);
    }
  }
}
