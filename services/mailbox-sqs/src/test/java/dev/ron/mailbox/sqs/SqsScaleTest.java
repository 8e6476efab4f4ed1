package dev.ron.mailbox.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** As many as the public interface promises, through the door. */
@Tag("long")
final class SqsScaleTest {
  private static final int IN_FLIGHT = 120_000;
  private static final int GROUPS = 100_000;
  private static final int BATCH = 10;
  private static final int WORKERS = 16;

  @TempDir private Path folder;

  private interface Work {
    void run(int number) throws Exception;
  }

  /** So many pieces of work, some at a time. */
  private static void each(int count, Work work) throws Exception {
    try (var threads = Executors.newFixedThreadPool(WORKERS)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < WORKERS; i++) {
        int first = i;
        all.add(
            threads.submit(
                () -> {
                  for (int number = first; number < count; number += WORKERS) {
                    work.run(number);
                  }
                  return null;
                }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
  }

  private static void send(SqsProbe probe, String queue, int count, boolean fifo) throws Exception {
    each(
        count / BATCH,
        number -> {
          var entries = new ArrayList<Map<String, Object>>();
          for (int i = 0; i < BATCH; i++) {
            String body = Integer.toString(number * BATCH + i);
            entries.add(
                fifo
                    ? Map.of(
                        "Id", "e" + i,
                        "MessageBody", body,
                        "MessageGroupId", "g" + body,
                        "MessageDeduplicationId", "d" + body)
                    : Map.of("Id", "e" + i, "MessageBody", body));
          }
          SqsProbe.Said said =
              probe.call("SendMessageBatch", "QueueUrl", queue, "Entries", entries);
          assertThat(said.body()).doesNotContain("Failed").contains("Successful");
        });
  }

  @Test
  void aHundredAndTwentyThousandAreInFlightAndNoMore() throws Exception {
    try (var rig = new SqsRig(folder, null)) {
      SqsProbe probe = rig.json();
      probe.call("CreateQueue", "QueueName", "q");
      send(probe, "q", IN_FLIGHT + BATCH, false);
      Set<String> seen = ConcurrentHashMap.newKeySet();
      each(
          IN_FLIGHT / BATCH,
          _ -> {
            SqsProbe.Said said = receive(probe, "q", 43_200);
            assertThat(said.values("Body")).hasSize(BATCH);
            seen.addAll(said.values("Body"));
          });
      assertThat(seen).hasSize(IN_FLIGHT);
      SqsProbe.Said over = receive(probe, "q", 43_200);
      assertThat(over.status() + " " + over.code()).isEqualTo("403 OverLimit");
      assertThat(
              probe
                  .call("GetQueueAttributes", "QueueUrl", "q", "AttributeNames", List.of("All"))
                  .entry("ApproximateNumberOfMessagesNotVisible"))
          .isEqualTo(Integer.toString(IN_FLIGHT));
    }
  }

  @Test
  void aHundredThousandGroupsAreHandedOutOnceEachAlsoAfterARestart() throws Exception {
    var seen = new HashSet<String>();
    try (var rig = new SqsRig(folder, null)) {
      SqsProbe probe = rig.json();
      probe.call("CreateQueue", "QueueName", "q.fifo", "Attributes", Map.of("FifoQueue", "true"));
      send(probe, "q.fifo", GROUPS, true);
      take(probe, GROUPS / 2, seen);
    }
    try (var rig = new SqsRig(folder, null)) {
      take(rig.json(), GROUPS, seen);
      assertThat(seen).hasSize(GROUPS);
      assertThat(receive(rig.json(), "q.fifo", 43_200).values("Body")).isEmpty();
    }
  }

  private static void take(SqsProbe probe, int until, Set<String> seen) throws Exception {
    while (seen.size() < until) {
      List<String> bodies = receive(probe, "q.fifo", 43_200).values("Body");
      assertThat(bodies).hasSize(BATCH);
      bodies.forEach(body -> assertThat(seen.add(body)).as(body).isTrue());
    }
  }

  @Test
  void aMessageIsReceivedMoreOftenThanTheIndexCounts() throws Exception {
    try (var rig = new SqsRig(folder, null)) {
      SqsProbe probe = rig.json();
      probe.call("CreateQueue", "QueueName", "often");
      probe.call("SendMessage", "QueueUrl", "often", "MessageBody", "again");
      for (int i = 1; i <= 4200; i++) {
        SqsProbe.Said said = receive(probe, "often", 0);
        assertThat(said.value("Body")).isEqualTo("again");
        assertThat(said.entry("ApproximateReceiveCount"))
            .isEqualTo(Integer.toString(Math.min(i, 4096)));
      }
      probe.call("SendMessage", "QueueUrl", "often", "MessageBody", "other");
    }
    try (var rig = new SqsRig(folder, null)) {
      var bodies = new HashSet<>(receive(rig.json(), "often", 60).values("Body"));
      bodies.addAll(receive(rig.json(), "often", 60).values("Body"));
      assertThat(bodies).containsExactlyInAnyOrder("again", "other");
    }
  }

  private static SqsProbe.Said receive(SqsProbe probe, String queue, int visibility)
      throws Exception {
    return probe.call(
        "ReceiveMessage",
        "QueueUrl",
        queue,
        "MaxNumberOfMessages",
        BATCH,
        "VisibilityTimeout",
        visibility,
        "AttributeNames",
        List.of("ApproximateReceiveCount"));
  }
}
