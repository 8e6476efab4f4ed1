package dev.ron.mailbox.sqs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages from their send to their end, over both protocols. */
@Timeout(60)
final class SqsMessagesTest {
  private static final String TRACE =
      "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1";

  private static SqsRig rig;

  @BeforeAll
  static void start() throws Exception {
    rig = new SqsRig(null, null);
  }

  @AfterAll
  static void stop() throws Exception {
    rig.close();
  }

  private static SqsProbe probe(boolean query) {
    return query ? rig.query() : rig.json();
  }

  private static String queue(SqsProbe probe, String name, Map<String, String> attributes)
      throws Exception {
    String full = (probe.isQuery() ? "q-" : "j-") + name;
    SqsProbe.Said made = probe.call("CreateQueue", "QueueName", full, "Attributes", attributes);
    assertThat(made.status()).as(made.body()).isEqualTo(200);
    return full;
  }

  private static SqsProbe.Said receive(SqsProbe probe, String queue, Object... more)
      throws Exception {
    var members = new ArrayList<Object>(List.of("QueueUrl", queue, "WaitTimeSeconds", 2));
    members.addAll(List.of(more));
    SqsProbe.Said said = probe.call("ReceiveMessage", members.toArray());
    assertThat(said.status()).as(said.body()).isEqualTo(200);
    return said;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aMessageIsSentReceivedAndDeleted(boolean query) throws Exception {
    SqsProbe probe = probe(query);
    String queue = queue(probe, "life", Map.of());
    String body = "<ä & \"ö\"\r\n\t𝄞>";
    SqsProbe.Said sent = probe.call("SendMessage", "QueueUrl", queue, "MessageBody", body);
    assertThat(UUID.fromString(sent.value("MessageId"))).isNotNull();
    assertThat(sent.body()).doesNotContain("SequenceNumber", "MD5OfMessageAttributes");
    SqsProbe.Said got = receive(probe, queue, "AttributeNames", List.of("All"));
    assertThat(got.value("MessageId")).isEqualTo(sent.value("MessageId"));
    assertThat(got.value("Body")).isEqualTo(body);
    assertThat(got.value("MD5OfBody")).isEqualTo(sent.value("MD5OfMessageBody"));
    assertThat(got.entry("ApproximateReceiveCount")).isEqualTo("1");
    assertThat(got.entry("SenderId")).isEqualTo("000000000000");
    assertThat(Long.parseLong(got.entry("ApproximateFirstReceiveTimestamp")))
        .isGreaterThanOrEqualTo(Long.parseLong(got.entry("SentTimestamp")) - 1000);
    String handle = got.value("ReceiptHandle");
    for (int i = 0; i < 2; i++) {
      assertThat(probe.call("DeleteMessage", "QueueUrl", queue, "ReceiptHandle", handle).status())
          .isEqualTo(200);
    }
    SqsProbe.Said late =
        probe.call(
            "ChangeMessageVisibility",
            "QueueUrl",
            queue,
            "ReceiptHandle",
            handle,
            "VisibilityTimeout",
            5);
    assertThat(late.message())
        .isEqualTo(
            "Value %s for parameter ReceiptHandle is invalid. Reason: Message does not exist or is not available for visibility timeout change."
                .formatted(handle));
    SqsProbe.Said none = probe.call("ReceiveMessage", "QueueUrl", queue);
    assertThat(none.body()).doesNotContain("Message>", "Messages");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void attributesHaveTheSumsThatClientsCompute(boolean query) throws Exception {
    SqsProbe probe = probe(query);
    String queue = queue(probe, "sums", Map.of("VisibilityTimeout", "0"));
    Map<String, Object> attributes =
        Map.of(
            "Help.Me", Map.of("DataType", "String", "StringValue", "Me"),
            "Hello", Map.of("DataType", "String", "StringValue", "There"),
            "General", Map.of("DataType", "String", "StringValue", "Kenobi"));
    SqsProbe.Said sent =
        probe.call(
            "SendMessage",
            "QueueUrl",
            queue,
            "MessageBody",
            "msg",
            "MessageAttributes",
            attributes,
            "MessageSystemAttributes",
            Map.of("AWSTraceHeader", Map.of("DataType", "String", "StringValue", TRACE)));
    assertThat(sent.value("MD5OfMessageBody")).isEqualTo("6e2baaf3b97dbeef01c0043275f9a0e7");
    assertThat(sent.value("MD5OfMessageAttributes")).isEqualTo("4c360f3fdafd970e05fae2f149d997f5");
    assertThat(sent.value("MD5OfMessageSystemAttributes"))
        .isEqualTo("5ae4d5d7636402d80f4eb6d213245a88");
    for (String all : List.of("All", ".*", "*")) {
      SqsProbe.Said got = receive(probe, queue, "MessageAttributeNames", List.of(all));
      assertThat(got.value("MD5OfMessageAttributes")).isEqualTo("4c360f3fdafd970e05fae2f149d997f5");
    }
    SqsProbe.Said two =
        receive(probe, queue, "MessageAttributeNames", List.of("General", "Hello", "None"));
    assertThat(two.value("MD5OfMessageAttributes")).isEqualTo("fca026605781cb4126a1e9044df24232");
    SqsProbe.Said start = receive(probe, queue, "MessageAttributeNames", List.of("Help.*"));
    assertThat(start.body()).contains("Help.Me").doesNotContain("Kenobi");
    SqsProbe.Said none = receive(probe, queue);
    assertThat(none.body()).doesNotContain("MessageAttributes", "Kenobi", "Attributes");
    SqsProbe.Said traced = receive(probe, queue, "AttributeNames", List.of("AWSTraceHeader"));
    assertThat(traced.entry("AWSTraceHeader")).isEqualTo(TRACE);
    assertThat(traced.body()).doesNotContain("SenderId");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void bytesAndNumbersComeBackAsTheyWere(boolean query) throws Exception {
    SqsProbe probe = probe(query);
    String queue = queue(probe, "typed", Map.of());
    byte[] bytes =
        "traceparent\u001e00-774062d6c37081a5a0b9b5b88e30627c-2d2482211f6489da-01".getBytes(UTF_8);
    SqsProbe.Said sent =
        probe.call(
            "SendMessage",
            "QueueUrl",
            queue,
            "MessageBody",
            "test",
            "MessageAttributes",
            Map.of("attr1", Map.of("DataType", "Binary", "BinaryValue", bytes)));
    assertThat(sent.value("MD5OfMessageAttributes")).isEqualTo("8cbe4db156db8a94db8b801b7addb984");
    SqsProbe.Said got = receive(probe, queue, "MessageAttributeNames", List.of("All"));
    assertThat(java.util.Base64.getDecoder().decode(got.value("BinaryValue"))).isEqualTo(bytes);
    assertThat(got.value("MD5OfMessageAttributes")).isEqualTo(sent.value("MD5OfMessageAttributes"));
    assertThat(got.value("DataType")).isEqualTo("Binary");
    SqsProbe.Said number =
        probe.call(
            "SendMessage",
            "QueueUrl",
            queue,
            "MessageBody",
            "n",
            "MessageAttributes",
            Map.of(
                "n",
                Map.of("DataType", "Number.int", "StringValue", "-1.50"),
                "s",
                Map.of("DataType", "String", "StringValue", "Number\n5")));
    SqsProbe.Said back = receive(probe, queue, "MessageAttributeNames", List.of("All"));
    assertThat(back.value("MD5OfMessageAttributes"))
        .isEqualTo(number.value("MD5OfMessageAttributes"));
    assertThat(back.values("StringValue")).containsExactlyInAnyOrder("-1.50", "Number\n5");
    assertThat(back.values("DataType")).containsExactlyInAnyOrder("Number.int", "String");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aBatchIsTakenEntryByEntry(boolean query) throws Exception {
    SqsProbe probe = probe(query);
    String queue = queue(probe, "batch", Map.of("MaximumMessageSize", "1024"));
    SqsProbe.Said sent =
        probe.call(
            "SendMessageBatch",
            "QueueUrl",
            queue,
            "Entries",
            List.of(
                Map.of("Id", "good", "MessageBody", "b"),
                Map.of("Id", "long", "MessageBody", "a".repeat(1025)),
                Map.of("Id", "odd", "MessageBody", "\b")));
    assertThat(sent.status()).isEqualTo(200);
    assertThat(sent.values("Id")).containsExactlyInAnyOrder("good", "long", "odd");
    assertThat(sent.values("Code"))
        .containsExactlyInAnyOrder("InvalidParameterValue", "InvalidMessageContents");
    assertThat(sent.values("Message"))
        .contains(
            "One or more parameters cannot be validated. Reason: Message must be shorter than 1024"
                + " bytes.");
    assertThat(sent.values("SenderFault")).containsOnly("true");
    String handle = receive(probe, queue).value("ReceiptHandle");
    SqsProbe.Said kept =
        probe.call(
            "ChangeMessageVisibilityBatch",
            "QueueUrl",
            queue,
            "Entries",
            List.of(
                Map.of("Id", "a", "ReceiptHandle", handle, "VisibilityTimeout", 60),
                Map.of("Id", "b", "ReceiptHandle", "bad", "VisibilityTimeout", 60)));
    assertThat(kept.values("Id")).containsExactlyInAnyOrder("a", "b");
    assertThat(kept.value("Code")).isEqualTo("ReceiptHandleIsInvalid");
    SqsProbe.Said deleted =
        probe.call(
            "DeleteMessageBatch",
            "QueueUrl",
            queue,
            "Entries",
            List.of(
                Map.of("Id", "a", "ReceiptHandle", handle),
                Map.of("Id", "b", "ReceiptHandle", "bad")));
    assertThat(deleted.value("Code")).isEqualTo("ReceiptHandleIsInvalid");
    assertThat(deleted.body()).contains(query ? "DeleteMessageBatchResultEntry" : "Successful");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anOldHandleStaysGoodInAStandardQueue(boolean query) throws Exception {
    SqsProbe probe = probe(query);
    String queue = queue(probe, "handles", Map.of());
    probe.call("SendMessage", "QueueUrl", queue, "MessageBody", "b");
    String first = receive(probe, queue, "VisibilityTimeout", 0).value("ReceiptHandle");
    SqsProbe.Said again = receive(probe, queue, "AttributeNames", List.of("All"));
    assertThat(again.entry("ApproximateReceiveCount")).isEqualTo("2");
    assertThat(again.value("ReceiptHandle")).isNotEqualTo(first);
    SqsProbe.Said ended =
        probe.call(
            "ChangeMessageVisibility",
            "QueueUrl",
            queue,
            "ReceiptHandle",
            first,
            "VisibilityTimeout",
            0);
    assertThat(ended.status()).isEqualTo(200);
    assertThat(receive(probe, queue, "VisibilityTimeout", 0).values("Body")).containsExactly("b");
    assertThat(probe.call("DeleteMessage", "QueueUrl", queue, "ReceiptHandle", first).status())
        .isEqualTo(200);
    assertThat(probe.call("ReceiveMessage", "QueueUrl", queue).values("Body")).isEmpty();
    String other = queue(probe, "handles-other", Map.of());
    SqsProbe.Said wrong = probe.call("DeleteMessage", "QueueUrl", other, "ReceiptHandle", first);
    assertThat(wrong.code()).isEqualTo("ReceiptHandleIsInvalid");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFifoQueueKeepsOrderAndKnowsRepetitions(boolean query) throws Exception {
    SqsProbe probe = probe(query);
    String queue =
        queue(
            probe, "order.fifo", Map.of("FifoQueue", "true", "ContentBasedDeduplication", "true"));
    var sent = new ArrayList<SqsProbe.Said>();
    for (String body : List.of("m1", "m2", "m1")) {
      sent.add(
          probe.call(
              "SendMessage", "QueueUrl", queue, "MessageBody", body, "MessageGroupId", "g1"));
    }
    assertThat(sent.get(2).value("MessageId")).isEqualTo(sent.get(0).value("MessageId"));
    assertThat(sent.get(2).value("SequenceNumber")).isEqualTo(sent.get(0).value("SequenceNumber"));
    assertThat(sent.get(0).value("SequenceNumber")).matches("1[0-9]{19}");
    assertThat(sent.get(1).value("SequenceNumber"))
        .isGreaterThan(sent.get(0).value("SequenceNumber"));
    SqsProbe.Said first = receive(probe, queue, "AttributeNames", List.of("All"));
    assertThat(first.value("Body")).isEqualTo("m1");
    assertThat(first.entry("MessageGroupId")).isEqualTo("g1");
    assertThat(first.entry("MessageDeduplicationId")).hasSize(64);
    assertThat(first.entry("SequenceNumber")).isEqualTo(sent.get(0).value("SequenceNumber"));
    assertThat(probe.call("ReceiveMessage", "QueueUrl", queue).values("Body"))
        .as("the group is blocked")
        .isEmpty();
    String handle = first.value("ReceiptHandle");
    probe.call(
        "ChangeMessageVisibility",
        "QueueUrl",
        queue,
        "ReceiptHandle",
        handle,
        "VisibilityTimeout",
        0);
    SqsProbe.Said both = receive(probe, queue, "MaxNumberOfMessages", 10);
    assertThat(both.values("Body")).containsExactly("m1", "m2");
    SqsProbe.Said expired = probe.call("DeleteMessage", "QueueUrl", queue, "ReceiptHandle", handle);
    assertThat(expired.code()).isEqualTo("InvalidParameterValue");
    assertThat(expired.message())
        .isEqualTo(
            "Value %s for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired."
                .formatted(handle));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aMessageThatFailsTooOftenIsMovedAndCanBeMovedBack(boolean query) throws Exception {
    SqsProbe probe = probe(query);
    String dead = queue(probe, "dlq", Map.of());
    String arn = "arn:aws:sqs:us-east-1:000000000000:";
    String policy = "{\"deadLetterTargetArn\":\"%s\",\"maxReceiveCount\":1}".formatted(arn + dead);
    String source = queue(probe, "source", Map.of("RedrivePolicy", policy));
    String id =
        probe.call("SendMessage", "QueueUrl", source, "MessageBody", "b").value("MessageId");
    receive(probe, source, "VisibilityTimeout", 0);
    probe.call("ReceiveMessage", "QueueUrl", source);
    SqsProbe.Said moved =
        receive(probe, dead, "VisibilityTimeout", 0, "AttributeNames", List.of("All"));
    assertThat(moved.value("MessageId")).isEqualTo(id);
    assertThat(moved.entry("DeadLetterQueueSourceArn")).isEqualTo(arn + source);
    SqsProbe.Said started = probe.call("StartMessageMoveTask", "SourceArn", arn + dead);
    assertThat(started.status()).as(started.body()).isEqualTo(200);
    assertThat(receive(probe, source, "WaitTimeSeconds", 20).value("MessageId")).isEqualTo(id);
    SqsProbe.Said tasks = probe.call("ListMessageMoveTasks", "SourceArn", arn + dead);
    assertThat(tasks.value("SourceArn")).isEqualTo(arn + dead);
    assertThat(tasks.value("Status")).isIn("RUNNING", "COMPLETED");
    assertThat(probe.call("ListMessageMoveTasks", "SourceArn", arn + "none").status())
        .isEqualTo(404);
    String gone =
        java.util.Base64.getEncoder()
            .encodeToString(
                "{\"taskId\":\"no-such\",\"sourceArn\":\"%s\"}"
                    .formatted(arn + dead)
                    .getBytes(UTF_8));
    SqsProbe.Said none = probe.call("CancelMessageMoveTask", "TaskHandle", gone);
    assertThat(none.message()).isEqualTo("Task does not exist.");
    assertThat(none.status()).isEqualTo(404);
  }

  /** Both lists of names count, and the trace of a request is that of a message without one. */
  @Test
  void aTraceOfTheRequestIsTheMessages() throws Exception {
    SqsProbe probe = probe(false);
    String queue = queue(probe, "traced", Map.of());
    for (String form :
        List.of(
            "/000000000000/%s?Action=SendMessage&MessageBody=a".formatted(queue),
            ("/000000000000/%s?Action=SendMessageBatch&SendMessageBatchRequestEntry.1.Id=b"
                    + "&SendMessageBatchRequestEntry.1.MessageBody=b")
                .formatted(queue))) {
      String sent = probe.send(form, new byte[0], "X-Amzn-Trace-Id", TRACE).body();
      assertThat(sent).contains("MessageId").doesNotContain("MD5OfMessageSystemAttributes");
      SqsProbe.Said got =
          receive(
              probe,
              queue,
              "MessageSystemAttributeNames",
              List.of("AWSTraceHeader"),
              "AttributeNames",
              List.of("SenderId"));
      assertThat(got.entry("AWSTraceHeader")).isEqualTo(TRACE);
      assertThat(got.entry("SenderId")).isEqualTo("000000000000");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aMessageIsInvisibleForTwelveHoursInAll(boolean query) throws Exception {
    SqsProbe probe = probe(query);
    String queue = queue(probe, "hours", Map.of());
    probe.call("SendMessage", "QueueUrl", queue, "MessageBody", "b");
    String handle = receive(probe, queue).value("ReceiptHandle");
    // The longest that there is, from when it was received: some of it is over by now.
    Instant limit = Instant.now().plusSeconds(20);
    SqsProbe.Said change = change(probe, queue, handle, 43_200);
    while (change.status() == 200 && Instant.now().isBefore(limit)) {
      change = change(probe, queue, handle, 43_200);
    }
    assertThat(change.code()).isEqualTo("InvalidParameterValue");
    assertThat(change.message())
        .isEqualTo(
            "Value 43200 for parameter VisibilityTimeout is invalid. Reason: Total"
                + " VisibilityTimeout for the message is beyond the limit [43200 seconds].");
    assertThat(change(probe, queue, handle, 43_000).status()).isEqualTo(200);
  }

  private static SqsProbe.Said change(SqsProbe probe, String queue, String handle, int seconds)
      throws Exception {
    return probe.call(
        "ChangeMessageVisibility",
        "QueueUrl",
        queue,
        "ReceiptHandle",
        handle,
        "VisibilityTimeout",
        seconds);
  }

  /** Two dead letters may have had one id of their senders, and neither is a repetition there. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aDeadLetterOfAFifoQueueIsKnownByItsOwnIdThere(boolean query) throws Exception {
    SqsProbe probe = probe(query);
    String dead = queue(probe, "dead.fifo", Map.of("FifoQueue", "true"));
    String policy =
        "{\"deadLetterTargetArn\":\"arn:aws:sqs:us-east-1:000000000000:%s\",\"maxReceiveCount\":1}"
            .formatted(dead);
    String source =
        queue(probe, "alive.fifo", Map.of("FifoQueue", "true", "RedrivePolicy", policy));
    sendFifo(probe, source, "d");
    SqsProbe.Said first =
        receive(probe, source, "VisibilityTimeout", 0, "AttributeNames", List.of("All"));
    assertThat(first.entry("MessageDeduplicationId")).isEqualTo("d");
    SqsProbe.Said moved = receive(probe, dead, "AttributeNames", List.of("All"));
    assertThat(moved.value("MessageId")).isEqualTo(first.value("MessageId"));
    assertThat(moved.entry("MessageDeduplicationId")).isEqualTo(first.value("MessageId"));
    probe.call("DeleteMessage", "QueueUrl", dead, "ReceiptHandle", moved.value("ReceiptHandle"));
    sendFifo(probe, dead, "d");
    SqsProbe.Said direct = receive(probe, dead, "AttributeNames", List.of("All"));
    assertThat(direct.entry("MessageDeduplicationId")).isEqualTo("d");
    assertThat(direct.value("MessageId")).isNotEqualTo(first.value("MessageId"));
  }

  private static void sendFifo(SqsProbe probe, String queue, String dedup) throws Exception {
    SqsProbe.Said sent =
        probe.call(
            "SendMessage",
            "QueueUrl",
            queue,
            "MessageBody",
            "b",
            "MessageGroupId",
            "g",
            "MessageDeduplicationId",
            dedup);
    assertThat(sent.status()).as(sent.body()).isEqualTo(200);
  }

  @Test
  void aMoveOfWhatCameFromNoQueueFails() throws Exception {
    SqsProbe probe = probe(false);
    String dead = queue(probe, "filled", Map.of());
    String arn = "arn:aws:sqs:us-east-1:000000000000:";
    String policy = "{\"deadLetterTargetArn\":\"%s\",\"maxReceiveCount\":1}".formatted(arn + dead);
    queue(probe, "names-it", Map.of("RedrivePolicy", policy));
    probe.call("SendMessage", "QueueUrl", dead, "MessageBody", "sent here");
    probe.call("StartMessageMoveTask", "SourceArn", arn + dead);
    SqsProbe.Said task = probe.call("ListMessageMoveTasks", "SourceArn", arn + dead);
    Instant limit = Instant.now().plusSeconds(20);
    while (task.value("Status").equals("RUNNING") && Instant.now().isBefore(limit)) {
      task = probe.call("ListMessageMoveTasks", "SourceArn", arn + dead);
    }
    assertThat(task.value("Status")).isEqualTo("FAILED");
    assertThat(task.value("FailureReason")).isEqualTo("CouldNotDetermineMessageSource");
    assertThat(receive(probe, dead).value("Body")).isEqualTo("sent here");
  }
}
