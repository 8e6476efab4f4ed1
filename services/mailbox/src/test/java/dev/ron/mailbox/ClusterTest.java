package dev.ron.mailbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three machines as real processes: who answers what while leaders come and go. */
final class ClusterTest {
  private static final Duration LIMIT = Duration.ofSeconds(40);

  @TempDir private Path folder;

  /** A delivery: the message, its receipt, and when it was asked for and seen. */
  private record Delivery(String id, String receipt, int shard, Instant asked, Instant seen) {}

  @Test
  void aReceiptOutlivesItsLeaderAndNoTwoMachinesTakeItTwice() throws Exception {
    try (var nodes = new Nodes(folder)) {
      nodes.startAll();
      nodes.awaitAllReady();
      send(nodes, "a", "t", "long");
      Delivery kept = receive(nodes, "b", "t", 60_000);
      send(nodes, "c", "t", "short");
      Delivery first = receive(nodes, "a", "t", 1500);

      String old = nodes.leader(first.shard() % 3);
      String other = Nodes.NAMES.stream().filter(name -> !name.equals(old)).findFirst().get();
      nodes.child(old).signal("STOP");
      Delivery second = receive(nodes, other, "t", 60_000);
      assertThat(second.id()).isEqualTo(first.id());
      assertThat(second.receipt()).isNotEqualTo(first.receipt());
      assertThat(second.seen())
          .as("not before the first lease ended, though its leader was gone")
          .isAfterOrEqualTo(first.asked().plusMillis(1500 - 25));
      assertThat(ack(nodes, other, kept)).as("a receipt of the leader before").isEqualTo(200);
      assertThat(ack(nodes, other, first)).as("a lease that ended").isEqualTo(409);

      nodes.child(old).signal("CONT");
      assertThat(ack(nodes, old, first)).as("by the leader that was").isEqualTo(409);
      assertThat(ack(nodes, old, second)).isEqualTo(200);
      assertThat(ack(nodes, other, second)).as("again, which is told so").isEqualTo(200);
      assertThat(nodes.get(other, "/v1/topics/t")).doesNotContain("\"in_flight\":1");
    }
  }

  @Test
  void aMachineWithoutQuorumSaysSoAndTellsHowOldItsStateIs() throws Exception {
    try (var nodes = new Nodes(folder)) {
      nodes.startAll();
      nodes.awaitAllReady();
      send(nodes, "a", "t", "k");
      awaitTopic(nodes, "a");
      nodes.kill("b");
      nodes.kill("c");
      awaitUnready(nodes, "a");
      HttpResponse<String> refused =
          nodes.post("a", "/v1/send?topic=t&idem_key=k2", "application/octet-stream", new byte[10]);
      assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
      assertThat(refused.headers().firstValue("Retry-After")).isPresent();
      HttpResponse<String> seen = topics(nodes, "a");
      assertThat(seen.body()).contains("\"topic\":\"t\"");
      assertThat(Long.parseLong(seen.headers().firstValue("Ron-State-Age-Ms").orElseThrow()))
          .isPositive();

      nodes.start("b");
      nodes.awaitReady("a");
      send(nodes, "a", "t", "k3");
    }
  }

  /** A minute and a half, so only with the long proofs. */
  @Tag("long")
  @Test
  void aRollingRestartUnderLoadLosesNothing() throws Exception {
    var ledger = new Ledger();
    var tally = new ClusterClient.Tally();
    try (var nodes = new Nodes(folder, "max_attempts=1000")) {
      nodes.startAll();
      nodes.awaitAllReady();
      List<Thread> clients = ClusterKillTest.clients(nodes, ledger, tally, new SplittableRandom(7));
      var outages = new ArrayList<Duration>();
      var watching = Thread.ofVirtual().start(() -> watch(nodes, tally, outages));
      for (String name : Nodes.NAMES) {
        nodes.drain(name);
        nodes.start(name);
        nodes.awaitAllReady();
      }
      tally.stop.set(true);
      for (Thread client : clients) {
        client.join();
      }
      watching.join();
      nodes.awaitAllReady();
      assertThat(ledger.balance(ClusterKillTest.everything(nodes))).isEmpty();
      assertThat(ledger.sent.size()).as("there was load").isGreaterThan(20);
      Duration longest = outages.stream().max(Duration::compareTo).orElse(Duration.ZERO);
      System.out.printf(
          "rolling restart: %d sends, %d acks, %d times 503, %d broken, longest without a send %d ms%n",
          ledger.sent.size(),
          ledger.acked.size(),
          tally.unavailable.get(),
          tally.broken.get(),
          longest.toMillis());
      // Two elections' worth on a quiet machine; the bound is for a machine that is not.
      assertThat(longest).isLessThan(Duration.ofSeconds(15));
    }
  }

  /** How long at a time no send was taken anywhere. */
  private static void watch(Nodes nodes, ClusterClient.Tally tally, List<Duration> outages) {
    int number = 0;
    Instant last = nodes.time.now();
    while (!tally.stop.get()) {
      for (String name : Nodes.NAMES) {
        try {
          String path = "/v1/send?topic=watch&idem_key=w" + number++;
          if (nodes.post(name, path, "application/octet-stream", new byte[1]).statusCode() == 200) {
            outages.add(Duration.between(last, nodes.time.now()));
            last = nodes.time.now();
          }
        } catch (IOException _) {
          // the one that restarts
        } catch (InterruptedException stop) {
          return;
        }
      }
    }
  }

  private static void send(Nodes nodes, String node, String topic, String key) throws Exception {
    Instant limit = nodes.time.now().plus(LIMIT);
    while (true) {
      HttpResponse<String> sent =
          nodes.post(
              node,
              "/v1/send?topic=%s&idem_key=%s".formatted(topic, key),
              "application/octet-stream",
              key.getBytes(UTF_8));
      if (sent.statusCode() == 200 || nodes.time.now().isAfter(limit)) {
        assertThat(sent.statusCode()).as(sent.body()).isEqualTo(200);
        return;
      }
    }
  }

  private static Delivery receive(Nodes nodes, String node, String topic, int visibility)
      throws Exception {
    Instant limit = nodes.time.now().plus(LIMIT);
    String wish =
        "{\"topic\":\"%s\",\"visibility_ms\":%d,\"wait_ms\":200}".formatted(topic, visibility);
    while (nodes.time.now().isBefore(limit)) {
      Instant asked = nodes.time.now();
      HttpResponse<String> got =
          nodes.post(node, "/v1/recv", "application/json", wish.getBytes(UTF_8));
      if (got.statusCode() == 200 && got.body().contains("\"receipt\"")) {
        return new Delivery(
            Rig.field(got.body(), "msg_id"),
            Rig.field(got.body(), "receipt"),
            Integer.parseInt(Rig.field(got.body(), "shard")),
            asked,
            nodes.time.now());
      }
    }
    throw new AssertionError("nothing was delivered by " + node);
  }

  /** The status, once it is another than 503. */
  private static int ack(Nodes nodes, String node, Delivery delivery) throws Exception {
    Instant limit = nodes.time.now().plus(LIMIT);
    byte[] form = "{\"receipt\":\"%s\"}".formatted(delivery.receipt()).getBytes(UTF_8);
    int status = 503;
    while (status == 503 && nodes.time.now().isBefore(limit)) {
      status = nodes.post(node, "/v1/ack/" + delivery.id(), "application/json", form).statusCode();
    }
    return status;
  }

  private static HttpResponse<String> topics(Nodes nodes, String node) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(nodes.uri(node, "/v1/topics")).build();
    return nodes.http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private static void awaitTopic(Nodes nodes, String node) throws Exception {
    Instant limit = nodes.time.now().plus(LIMIT);
    while (!topics(nodes, node).body().contains("\"topic\":\"t\"")) {
      assertThat(nodes.time.now()).isBefore(limit);
    }
  }

  private static void awaitUnready(Nodes nodes, String node) throws Exception {
    Instant limit = nodes.time.now().plus(LIMIT);
    String last = nodes.get(node, "/readyz");
    while (!last.contains("no quorum")) {
      assertThat(nodes.time.now()).as(last).isBefore(limit);
      last = nodes.get(node, "/readyz");
    }
    assertThat(last).startsWith("503");
  }
}
