package dev.ron.mailbox.sqs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.time.SystemTime;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Moves of dead letters as clients see them, over both protocols. */
final class SqsMoveTasksTest {
  private static final String ARN = "arn:aws:sqs:us-east-1:000000000000:";
  private static final String NO_DESTINATION =
      "The resource that you specified for the DestinationArn parameter doesn't exist.";

  private static SqsRig rig;

  @BeforeAll
  static void start() throws Exception {
    rig = new SqsRig(null, null);
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  /** A dead-letter queue with so many in it, under its ARN. */
  private static String dead(SqsProbe probe, String name, int count) throws Exception {
    String dead = (probe.isQuery() ? "q-" : "j-") + name;
    probe.call("CreateQueue", "QueueName", dead);
    String policy = "{\"deadLetterTargetArn\":\"%s\",\"maxReceiveCount\":1}".formatted(ARN + dead);
    probe.call(
        "CreateQueue", "QueueName", dead + "-of", "Attributes", Map.of("RedrivePolicy", policy));
    for (int i = 0; i < count; i++) {
      probe.call("SendMessage", "QueueUrl", dead, "MessageBody", "m" + i);
    }
    return ARN + dead;
  }

  private static SqsProbe.Said start(SqsProbe probe, String source, String to, int perSecond)
      throws Exception {
    return probe.call(
        "StartMessageMoveTask",
        "SourceArn",
        source,
        "DestinationArn",
        to,
        "MaxNumberOfMessagesPerSecond",
        perSecond);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void oneAtATimeRunsAndIsCancelledByItsHandle(boolean query) throws Exception {
    SqsProbe probe = query ? rig.query() : rig.json();
    String source = dead(probe, "one", 5);
    String to = ARN + (query ? "q-to" : "j-to");
    probe.call("CreateQueue", "QueueName", to.substring(ARN.length()));
    SqsProbe.Said started = start(probe, source, to, 1);
    String handle = started.value("TaskHandle");
    assertThat(new String(Base64.getDecoder().decode(handle), UTF_8))
        .matches("\\{\"taskId\":\"[0-9a-f-]{36}\",\"sourceArn\":\"" + source + "\"}");
    SqsProbe.Said second = start(probe, source, to, 1);
    assertThat(second.status() + " " + second.code()).isEqualTo("400 InvalidParameterValue");
    assertThat(second.message())
        .isEqualTo(
            "There is already a task running. Only one active task is allowed for a source queue"
                + " arn at a given time.");
    SqsProbe.Said running = probe.call("ListMessageMoveTasks", "SourceArn", source);
    assertThat(running.value("Status")).isEqualTo("RUNNING");
    assertThat(running.value("TaskHandle")).isEqualTo(handle);
    assertThat(running.value("DestinationArn")).isEqualTo(to);
    assertThat(running.value("MaxNumberOfMessagesPerSecond")).isEqualTo("1");
    assertThat(running.value("ApproximateNumberOfMessagesToMove")).isEqualTo("5");
    assertThat(Long.parseLong(running.value("StartedTimestamp"))).isPositive();
    SqsProbe.Said cancelled = probe.call("CancelMessageMoveTask", "TaskHandle", handle);
    assertThat(cancelled.status()).isEqualTo(200);
    assertThat(Integer.parseInt(cancelled.value("ApproximateNumberOfMessagesMoved")))
        .isBetween(0, 4);
    SqsProbe.Said after = probe.call("ListMessageMoveTasks", "SourceArn", source);
    assertThat(after.value("Status")).isIn("CANCELLING", "CANCELLED");
    SqsProbe.Said again = probe.call("CancelMessageMoveTask", "TaskHandle", handle);
    assertThat(again.status() + " " + again.code()).isEqualTo("404 ResourceNotFoundException");
    assertThat(again.message()).isEqualTo("Task does not exist.");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void itsDestinationIsThere(boolean query) throws Exception {
    SqsProbe probe = query ? rig.query() : rig.json();
    String source = dead(probe, "lost", 1);
    for (String to : new String[] {ARN + "none", "arn:aws:sns:us-east-1:000000000000:t"}) {
      SqsProbe.Said refused = start(probe, source, to, 1);
      assertThat(refused.status() + " " + refused.code())
          .isEqualTo("404 ResourceNotFoundException");
      assertThat(refused.message()).isEqualTo(NO_DESTINATION);
    }
    for (int perSecond : new int[] {0, 501}) {
      assertThat(start(probe, source, ARN + "none", perSecond).message())
          .isEqualTo(
              "Value %d for parameter MaxNumberOfMessagesPerSecond is invalid. Reason: Must be between 1 and 500."
                  .formatted(perSecond));
    }
  }

  /** Ended ones have no handle, the latest comes first, and one is shown unless more are asked. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void endedOnesAreListedTheLatestFirst(boolean query) throws Exception {
    SqsProbe probe = query ? rig.query() : rig.json();
    String source = dead(probe, "listed", 0);
    for (String to : new String[] {"first", "second"}) {
      String name = (query ? "q-" : "j-") + to;
      probe.call("CreateQueue", "QueueName", name);
      assertThat(start(probe, source, ARN + name, 500).status()).isEqualTo(200);
      Instant limit = new SystemTime().now().plusSeconds(20);
      while (probe
          .call("ListMessageMoveTasks", "SourceArn", source)
          .value("Status")
          .equals("RUNNING")) {
        assertThat(new SystemTime().now()).isBefore(limit);
      }
    }
    SqsProbe.Said one = probe.call("ListMessageMoveTasks", "SourceArn", source);
    assertThat(one.values("Status")).containsExactly("COMPLETED");
    assertThat(one.value("DestinationArn")).endsWith("second");
    SqsProbe.Said both = probe.call("ListMessageMoveTasks", "SourceArn", source, "MaxResults", 10);
    assertThat(both.values("Status")).containsExactly("COMPLETED", "COMPLETED");
    assertThat(both.body()).doesNotContain("TaskHandle", "FailureReason");
  }
}
