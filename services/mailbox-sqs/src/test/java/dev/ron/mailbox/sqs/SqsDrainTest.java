package dev.ron.mailbox.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a drain does to requests under way, and what is there after it. */
final class SqsDrainTest {
  @TempDir private Path folder;

  @Test
  @Timeout(60)
  void aLongPollEndsAtOnceWithNothing() throws Exception {
    try (var rig = new SqsRig(null, null)) {
      SqsProbe probe = rig.json();
      probe.call("CreateQueue", "QueueName", "q");
      var poll =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return probe.call("ReceiveMessage", "QueueUrl", "q", "WaitTimeSeconds", 20);
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              });
      // The poll is on its way once another call has been answered after it.
      for (int i = 0; i < 20; i++) {
        probe.call("ListQueues");
      }
      Instant begun = Instant.now();
      assertThat(rig.drain().clean()).isTrue();
      SqsProbe.Said said = poll.get();
      assertThat(said.status() + " " + said.body()).isEqualTo("200 {}");
      assertThat(Duration.between(begun, Instant.now())).isLessThan(Duration.ofSeconds(15));
    }
  }

  @Test
  @Timeout(120)
  void queuesAndMessagesAreThereAfterTheNextStart() throws Exception {
    String handle;
    try (var rig = new SqsRig(folder, null)) {
      SqsProbe probe = rig.json();
      probe.call("CreateQueue", "QueueName", "kept", "tags", java.util.Map.of("a", "b"));
      probe.call("SendMessage", "QueueUrl", "kept", "MessageBody", "b1");
      probe.call("SendMessage", "QueueUrl", "kept", "MessageBody", "b2");
      handle = probe.call("ReceiveMessage", "QueueUrl", "kept").value("ReceiptHandle");
      probe.call("DeleteMessage", "QueueUrl", "kept", "ReceiptHandle", handle);
    }
    try (var rig = new SqsRig(folder, null)) {
      SqsProbe probe = rig.query();
      assertThat(probe.call("ListQueueTags", "QueueUrl", "kept").entry("a")).isEqualTo("b");
      SqsProbe.Said got =
          probe.call(
              "ReceiveMessage",
              "QueueUrl",
              "kept",
              "MaxNumberOfMessages",
              10,
              "WaitTimeSeconds",
              5);
      assertThat(got.values("Body")).containsExactly("b2");
    }
  }
}
