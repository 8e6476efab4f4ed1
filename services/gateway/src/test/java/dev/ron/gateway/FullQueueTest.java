package dev.ron.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.Scope;
import dev.ron.kernel.supervise.SteppedTree;
import dev.ron.kernel.time.VirtualTime;
import dev.ron.testkit.RawClient;
import dev.ron.testkit.SeedRow;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Full queues as clients see them: the upstream holds its answers until it is told, and scheduler
 * and workers step when they are told, so that a queue is full and no race decides it.
 */
@Timeout(60)
final class FullQueueTest {
  private static final String DONE = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone";
  private static final String BUSY = "busy_rejections_total{endpoint=\"/{path...}\"}";

  private final VirtualTime time = new VirtualTime();
  private final Scope scope = Scope.of("gateway", Rig.world(time));
  private final Semaphore answers = new Semaphore(0);
  private final RawUpstream upstream;
  private final List<RawClient> clients = new ArrayList<>();
  private GatewayService.Wired wired;
  private SteppedTree tree;

  FullQueueTest() throws Exception {
    upstream =
        new RawUpstream(
            (in, socket) -> {
              while (RawUpstream.head(in)) {
                answers.acquireUninterruptibly();
                RawUpstream.say(socket, DONE);
              }
            });
  }

  private void open(int places, String setting) throws Exception {
    String route = Rig.route("max_concurrent=" + places, upstream.port());
    wired = GatewayService.wire(Rig.config(setting, route), scope, false, null);
    tree = SteppedTree.start(wired.supervisor(), scope, time, new SplittableRandom(1));
  }

  @AfterEach
  @Timeout(20)
  void close() throws Exception {
    // All of it before the drain, whose time stands still.
    upstream.close();
    for (RawClient client : clients) {
      client.close();
    }
    assertThat(Rig.soon(() -> Rig.metric(scope, "http_connections") == 0)).isTrue();
    tree.drain();
  }

  private RawClient ask() throws Exception {
    var client = new RawClient(wired.door().port());
    clients.add(client);
    return client.send("GET /work HTTP/1.1\r\nHost: a\r\n\r\n");
  }

  /** Asks, and waits until it is counted there. */
  private RawClient ask(String gauge, int count) throws Exception {
    RawClient client = ask();
    assertThat(Rig.soon(() -> Rig.metric(scope, gauge) == count)).as(gauge).isTrue();
    return client;
  }

  private RawClient askUpstream(int connections) throws Exception {
    RawClient client = ask();
    assertThat(Rig.soon(() -> upstream.connections() == connections)).as("inside").isTrue();
    return client;
  }

  @Test
  @SeedRow({"G10", "G25", "G26", "G54", "G67", "G70", "G79", "G88"})
  void whatFindsWorkFullIsBusyAndCountedAndWhatIsInItIsServed() throws Exception {
    open(1, "drr.work_queue=2");
    RawClient inside = askUpstream(1); // past the scheduler, which has not had a step
    String depth = "queue_depth{queue=\"work\"}";
    RawClient first = ask(depth, 1);
    RawClient second = ask(depth, 2);
    for (int refused = 1; refused <= 2; refused++) {
      assertThat(ask().answer())
          .startsWith("HTTP/1.1 429 ")
          .contains("Retry-After: 1\r\n", "\"code\":\"busy\"", "work is full at 2");
      assertThat(Rig.metric(scope, BUSY)).isEqualTo(refused);
      assertThat(Rig.metric(scope, "rejected_total{reason=\"busy\"}")).isEqualTo(refused);
    }
    answers.release(4);
    for (RawClient each : List.of(inside, first, second)) {
      assertThat(stepped(each)).startsWith("HTTP/1.1 200 ");
    }
    assertThat(stepped(ask())).as("there is room again").startsWith("HTTP/1.1 200 ");
  }

  @Test
  @SeedRow({"G27", "G28", "G62"})
  void whatSchedHasNoRoomForPushesTheOldestOut() throws Exception {
    open(2, "drr.sched_queue=1");
    List<RawClient> inside = List.of(askUpstream(1), askUpstream(2));
    String depth = "queue_depth{queue=\"work\"}";
    RawClient oldest = ask(depth, 1);
    RawClient newest = ask(depth, 2);
    answers.release(3);
    for (RawClient each : inside) {
      assertThat(each.answer()).startsWith("HTTP/1.1 200 ");
    }
    // A request gives its place back after its answer; only then are there two to hand out.
    String over = "gateway_tenant_latency_seconds_count{tenant=\"anonymous\"}";
    assertThat(Rig.soon(() -> Rig.metric(scope, over) == 2)).isTrue();
    tree.settle(); // the scheduler hands out both places in one step
    assertThat(oldest.answer())
        .startsWith("HTTP/1.1 503 ")
        .contains("Retry-After: 1\r\n", "a newer request took its place in the queue");
    assertThat(newest.answer()).startsWith("HTTP/1.1 200 ");
    assertThat(Rig.metric(scope, "queue_dropped_total{queue=\"sched\"}")).isEqualTo(1);
  }

  /** A place that becomes free is handed on by a step of the scheduler. */
  private String stepped(RawClient client) throws Exception {
    assertThat(
            Rig.soon(
                () -> {
                  try {
                    tree.settle();
                    return client.socket().getInputStream().available() > 0;
                  } catch (java.io.IOException | InterruptedException e) {
                    throw new AssertionError(e);
                  }
                }))
        .as("an answer")
        .isTrue();
    return client.answer();
  }
}
