package dev.ron.mailbox.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.metric.Meter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the SQS door charges, against what its client was told, in both protocols. */
@Timeout(60)
class SqsUsageTest {
  @TempDir private Path folder;

  private static void assertMessages(SqsRig rig, long sent, long bytes, long received, long gone) {
    assertThat(units(rig, Meter.Unit.MESSAGES_SENT)).isEqualTo(sent);
    assertThat(units(rig, Meter.Unit.MESSAGE_BYTES)).isEqualTo(bytes);
    assertThat(units(rig, Meter.Unit.MESSAGES_RECEIVED)).isEqualTo(received);
    assertThat(units(rig, Meter.Unit.MESSAGES_ACKNOWLEDGED)).isEqualTo(gone);
  }

  private static long units(SqsRig rig, Meter.Unit unit) {
    return rig.ledger().units().entrySet().stream()
        .filter(each -> each.getKey().endsWith(" " + unit.word()))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  @Test
  void json() throws Exception {
    try (var rig = new SqsRig(folder, null)) {
      account(rig, rig.json());
    }
  }

  @Test
  void query() throws Exception {
    try (var rig = new SqsRig(folder, null)) {
      account(rig, rig.query());
    }
  }

  private static void account(SqsRig rig, SqsProbe probe) throws Exception {
    String queue = probe.call("CreateQueue", "QueueName", "q").value("QueueUrl");
    assertMessages(rig, 0, 0, 0, 0);
    assertThat(probe.call("SendMessage", "QueueUrl", queue, "MessageBody", "hello").code())
        .isEmpty();
    long stored = units(rig, Meter.Unit.MESSAGE_BYTES);
    assertThat(stored).as("a payload in its form").isGreaterThanOrEqualTo(5);
    assertThat(probe.call("SendMessage", "QueueUrl", queue).code()).isNotEmpty();
    assertMessages(rig, 1, stored, 0, 0);
    List<Map<String, Object>> entries =
        List.of(
            Map.of("Id", "1", "MessageBody", "hello"), Map.of("Id", "2", "MessageBody", "hello"));
    assertThat(probe.call("SendMessageBatch", "QueueUrl", queue, "Entries", entries).code())
        .isEmpty();
    assertMessages(rig, 3, 3 * stored, 0, 0);
    SqsProbe.Said got =
        probe.call(
            "ReceiveMessage",
            "QueueUrl",
            queue,
            "MaxNumberOfMessages",
            10,
            "VisibilityTimeout",
            60);
    List<String> handles = got.values("ReceiptHandle");
    assertMessages(rig, 3, 3 * stored, handles.size(), 0);
    assertThat(handles).isNotEmpty();
    for (String handle : handles) {
      assertThat(probe.call("DeleteMessage", "QueueUrl", queue, "ReceiptHandle", handle).code())
          .isEmpty();
    }
    assertMessages(rig, 3, 3 * stored, handles.size(), handles.size());
    for (String handle : handles) {
      assertThat(probe.call("DeleteMessage", "QueueUrl", queue, "ReceiptHandle", handle).code())
          .as("a repetition")
          .isEmpty();
    }
    assertMessages(rig, 3, 3 * stored, handles.size(), handles.size());
    assertThat(probe.call("DeleteMessage", "QueueUrl", queue, "ReceiptHandle", "none").code())
        .isNotEmpty();
    assertMessages(rig, 3, 3 * stored, handles.size(), handles.size());
  }
}
