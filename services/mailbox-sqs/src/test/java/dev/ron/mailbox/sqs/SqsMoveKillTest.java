package dev.ron.mailbox.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.time.SystemTime;
import dev.ron.testkit.ChildJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * SIGKILL while a move task is under way, each time with another number of shards: it goes on by
 * itself after the start, and every dead letter is back where it came from, once.
 */
final class SqsMoveKillTest {
  private static final String ARN = "arn:aws:sqs:us-east-1:000000000000:";
  private static final int BATCH = 10;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir private Path folder;

  @Test
  void aMoveGoesOnAfterAKill() throws Exception {
    killWhileMoving(1, 40, 20, Long.getLong("ron.seed", 1));
  }

  @Test
  @Tag("long")
  void aMoveGoesOnAfterTwentyKills() throws Exception {
    killWhileMoving(20, 400, 10, Long.getLong("ron.seed", 2));
  }

  private void killWhileMoving(int kills, int count, int perSecond, long seed) throws Exception {
    var random = new SplittableRandom(seed);
    try (ChildJvm child = start(random)) {
      SqsProbe probe = probe(child);
      fill(probe, count);
      assertThat(
              probe
                  .call(
                      "StartMessageMoveTask",
                      "SourceArn",
                      ARN + "dead",
                      "MaxNumberOfMessagesPerSecond",
                      perSecond)
                  .status())
          .isEqualTo(200);
      assertThat(running(await(probe, task -> moved(task) > 0))).as("under way").isTrue();
      child.kill9();
    }
    for (int kill = 1; kill < kills; kill++) {
      try (ChildJvm child = start(random)) {
        SqsProbe probe = probe(child);
        long before = moved(task(probe));
        await(probe, task -> moved(task) > before || !running(task));
        child.kill9();
      }
    }
    try (ChildJvm child = start(random)) {
      SqsProbe probe = probe(child);
      SqsProbe.Said task = await(probe, each -> !running(each));
      assertThat(task.value("Status")).as("seed %d", seed).isEqualTo("COMPLETED");
      assertThat(everything(probe, "dead")).isEmpty();
      List<String> back = everything(probe, "source");
      assertThat(back).as("seed %d", seed).hasSize(count);
      assertThat(new TreeSet<>(back)).as("none came twice").hasSize(count);
      child.kill9();
    }
  }

  private ChildJvm start(RandomGenerator random) throws Exception {
    String shards = Integer.toString(1 + random.nextInt(8));
    return ChildJvm.start(SqsKilledMain.class, folder.toString(), shards);
  }

  private static SqsProbe probe(ChildJvm child) throws Exception {
    return new SqsProbe(Integer.parseInt(child.line()), false);
  }

  /** Dead letters: each was received once, which is as often as its queue allows. */
  private static void fill(SqsProbe probe, int count) throws Exception {
    probe.call("CreateQueue", "QueueName", "dead");
    String policy =
        "{\"deadLetterTargetArn\":\"%s\",\"maxReceiveCount\":1}".formatted(ARN + "dead");
    probe.call("CreateQueue", "QueueName", "source", "Attributes", Map.of("RedrivePolicy", policy));
    for (int from = 0; from < count; from += BATCH) {
      var entries = new ArrayList<Map<String, String>>();
      for (int i = from; i < from + BATCH; i++) {
        entries.add(Map.of("Id", "e" + i, "MessageBody", "m" + i));
      }
      SqsProbe.Said said = probe.call("SendMessageBatch", "QueueUrl", "source", "Entries", entries);
      assertThat(said.values("MessageId")).hasSize(BATCH);
      assertThat(receive(probe, "source", 0).values("Body")).hasSize(BATCH);
    }
    Instant limit = new SystemTime().now().plus(LIMIT);
    while (ready(probe, "dead") < count) {
      assertThat(new SystemTime().now()).as("all are dead letters").isBefore(limit);
      pause();
    }
  }

  private static int ready(SqsProbe probe, String queue) throws Exception {
    return Integer.parseInt(
        probe
            .call("GetQueueAttributes", "QueueUrl", queue, "AttributeNames", List.of("All"))
            .entry("ApproximateNumberOfMessages"));
  }

  private interface Until {
    boolean holds(SqsProbe.Said task);
  }

  private static SqsProbe.Said await(SqsProbe probe, Until until) throws Exception {
    Instant limit = new SystemTime().now().plus(LIMIT);
    SqsProbe.Said task = task(probe);
    while (!until.holds(task)) {
      assertThat(new SystemTime().now()).as(task.body()).isBefore(limit);
      pause();
      task = task(probe);
    }
    return task;
  }

  private static SqsProbe.Said task(SqsProbe probe) throws Exception {
    SqsProbe.Said task = probe.call("ListMessageMoveTasks", "SourceArn", ARN + "dead");
    assertThat(task.status()).as(task.body()).isEqualTo(200);
    return task;
  }

  private static long moved(SqsProbe.Said task) {
    return Long.parseLong(task.value("ApproximateNumberOfMessagesMoved"));
  }

  private static boolean running(SqsProbe.Said task) {
    return task.value("Status").equals("RUNNING");
  }

  private static List<String> everything(SqsProbe probe, String queue) throws Exception {
    var bodies = new ArrayList<String>();
    while (true) {
      List<String> some = receive(probe, queue, 600).values("Body");
      if (some.isEmpty()) {
        return bodies;
      }
      bodies.addAll(some);
    }
  }

  private static SqsProbe.Said receive(SqsProbe probe, String queue, int visibility)
      throws Exception {
    SqsProbe.Said said =
        probe.call(
            "ReceiveMessage",
            "QueueUrl",
            queue,
            "MaxNumberOfMessages",
            BATCH,
            "VisibilityTimeout",
            visibility);
    assertThat(said.status()).as(said.body()).isEqualTo(200);
    return said;
  }

  private static void pause() throws InterruptedException {
    var time = new SystemTime();
    time.sleepUntil(time.now().plusMillis(20));
  }
}
