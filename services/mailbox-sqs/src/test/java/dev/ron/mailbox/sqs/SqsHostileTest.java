package dev.ron.mailbox.sqs;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.KeyRing;
import dev.ron.capability.Revocations;
import dev.ron.capability.Trust;
import dev.ron.capability.Verifier;
import dev.ron.testkit.RawClient;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that no client sends by mistake. */
@Timeout(120)
final class SqsHostileTest {
  private static final String FORM = "application/x-www-form-urlencoded";

  private static SqsRig rig;

  @BeforeAll
  static void start() throws Exception {
    rig = new SqsRig(null, null, "sqs.body_memory=16MiB");
    rig.json().call("CreateQueue", "QueueName", "q");
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  private static SqsProbe probe(boolean query) {
    return query ? rig.query() : rig.json();
  }

  private static String head(String... fields) {
    var lines = new ArrayList<>(List.of("POST / HTTP/1.1", "Host: 127.0.0.1:" + rig.port()));
    lines.addAll(List.of(fields));
    lines.addAll(List.of("", ""));
    return RawClient.http(lines.toArray(String[]::new));
  }

  /** What is announced takes no memory, or a few that send nothing would keep all others out. */
  @Test
  void bodiesThatDoNotComeKeepOthersFromNothing() throws Exception {
    var idle = new ArrayList<RawClient>();
    try {
      for (int i = 0; i < 32; i++) {
        String length = i % 2 == 0 ? "Content-Length: 8388608" : "Transfer-Encoding: chunked";
        idle.add(new RawClient(rig.port()).send(head("Content-Type: " + FORM, length)).send("1"));
      }
      for (int i = 0; i < 10; i++) {
        assertThat(rig.json().call("ListQueues").status()).isEqualTo(200);
      }
    } finally {
      for (RawClient each : idle) {
        each.close();
      }
    }
  }

  /** A client without a key is told so when its head is read. */
  @Test
  void aStrangersBodyIsNotRead() throws Exception {
    KeyRing ring = KeyRing.generate(new SplittableRandom(3));
    var verifier = new Verifier(new Trust(ring, Revocations.NONE));
    try (var strict = new SqsRig(null, verifier);
        var client = new RawClient(strict.port())) {
      client.send(head("Content-Type: " + FORM, "Content-Length: 8388608"));
      assertThat(client.head()).startsWith("HTTP/1.1 403");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatARequestMadeUpIsNotRepeatedAtLength(boolean query) throws Exception {
    String large = "x".repeat(1 << 20);
    SqsProbe probe = probe(query);
    for (SqsProbe.Said said :
        List.of(
            probe.call("SendMessage", "QueueUrl", "q", "MessageBody", "b", "MessageGroupId", large),
            probe.call("DeleteMessage", "QueueUrl", "q", "ReceiptHandle", large),
            probe.call("GetQueueUrl", "QueueName", "q", "QueueOwnerAWSAccountId", large),
            probe.call("CreateQueue", "QueueName", "n", "Attributes", Map.of("A" + large, "1")),
            probe.call(
                "SendMessage",
                "QueueUrl",
                "q",
                "MessageBody",
                "b",
                "MessageSystemAttributes",
                Map.of("B", Map.of("DataType", large, "StringValue", "s"))))) {
      assertThat(said.status()).isBetween(400, 404);
      assertThat(said.body()).hasSizeLessThan(4096);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsKeptBesidesAMessageHasBounds(boolean query) throws Exception {
    SqsProbe probe = probe(query);
    var trace = Map.of("DataType", "String", "StringValue", "t".repeat(2000));
    SqsProbe.Said said =
        probe.call(
            "SendMessage",
            "QueueUrl",
            "q",
            "MessageBody",
            "b",
            "MessageSystemAttributes",
            Map.of("AWSTraceHeader", trace));
    assertThat(said.code()).isEqualTo("InvalidParameterValue");
    said =
        probe.call(
            "SetQueueAttributes",
            "QueueUrl",
            "q",
            "Attributes",
            Map.of("KmsMasterKeyId", "k".repeat(3000)));
    assertThat(said.code()).isEqualTo("InvalidAttributeValue");
  }

  @Test
  void formsOfManyPiecesAreReadInLittleMemory() throws Exception {
    String action = "Action=ListQueues";
    for (String form :
        List.of(
            action + "&".repeat(4 << 20),
            action + "&a" + ".".repeat(4 << 20) + "=1",
            action + "&a=1".repeat(3000),
            "Action=SendMessageBatch&QueueUrl=q&SendMessageBatchRequestEntry.999999999.Id=a",
            "Action=SendMessageBatch&QueueUrl=q&SendMessageBatchRequestEntry.-1.Id=a",
            "Action=SendMessage&QueueUrl=q&MessageAttribute.1.Value.DataType=String",
            "Action=ListQueues&a=%",
            "Action=ListQueues&a=%ff")) {
      var said = rig.query().send("/", form.getBytes(ISO_8859_1), "Content-Type", FORM);
      boolean separators = form.startsWith(action + "&&");
      assertThat(said.statusCode())
          .as(form.substring(0, 40 % form.length()))
          .isEqualTo(separators ? 200 : 400);
      assertThat(said.body()).hasSizeLessThan(4096);
    }
  }

  @Test
  void jsonOfAnyFormIsAnswered() throws Exception {
    for (String json :
        List.of(
            "[".repeat(10_000),
            "{\"a\":".repeat(10_000),
            "{\"QueueUrl\":\"q\",\"QueueUrl\":\"r\"}",
            "{\"QueueUrl\":{}}",
            "{\"Entries\":[null]}",
            "{\"QueueUrl\":\"q\",\"Entries\":{\"a\":1}}",
            "{\"QueueUrl\":\"q\",\"Entries\":[{\"Id\":\"a\",\"MessageAttributes\":{\"n\":null}}]}",
            "\"text\"",
            "{} {}")) {
      var said =
          rig.json()
              .send(
                  "/",
                  json.getBytes(UTF_8),
                  "Content-Type",
                  "application/x-amz-json-1.0",
                  "X-Amz-Target",
                  "AmazonSQS.SendMessageBatch");
      assertThat(said.statusCode())
          .as(json.substring(0, Math.min(60, json.length())))
          .isIn(200, 400);
      assertThat(said.body()).hasSizeLessThan(4096);
    }
  }

  /** Values of clients stand in XML as text, whatever they are. */
  @Test
  void noValueBecomesAnElement() throws Exception {
    String evil = "</Body><ReceiptHandle>x</ReceiptHandle><![CDATA[ &amp; ]]>\"'\r";
    rig.query().call("CreateQueue", "QueueName", "x");
    rig.query().call("TagQueue", "QueueUrl", "x", "Tags", Map.of(evil, evil));
    assertThat(rig.query().call("ListQueueTags", "QueueUrl", "x").body())
        .doesNotContain("<ReceiptHandle>", "<![CDATA[");
    rig.query().call("SendMessage", "QueueUrl", "x", "MessageBody", evil);
    SqsProbe.Said said = rig.query().call("ReceiveMessage", "QueueUrl", "x");
    assertThat(said.value("Body")).isEqualTo(evil);
    assertThat(said.values("ReceiptHandle")).hasSize(1);
    said = rig.query().call(evil);
    assertThat(said.code()).isEqualTo("InvalidAction");
  }

  /** A client that leaves its long poll takes no message with it. */
  @ParameterizedTest
  @ValueSource(strings = {"left", "left.fifo"})
  void aPollThatIsLeftTakesNothing(String queue) throws Exception {
    SqsProbe probe = rig.json();
    boolean fifo = queue.endsWith(".fifo");
    Map<String, String> attributes =
        fifo ? Map.of("FifoQueue", "true", "ContentBasedDeduplication", "true") : Map.of();
    probe.call("CreateQueue", "QueueName", queue, "Attributes", attributes);
    String body = "Action=ReceiveMessage&WaitTimeSeconds=20&QueueUrl=" + queue;
    long before = received();
    for (int i = 0; i < 5; i++) {
      try (var client = new RawClient(rig.port())) {
        client.send(head("Content-Type: " + FORM, "Content-Length: " + body.length())).send(body);
        // Its request is being worked on once another has been answered after it.
        probe.call("ListQueues");
      }
    }
    // A peer that ended its side may listen still: that it is gone shows a moment later.
    Instant limit = Instant.now().plusSeconds(15);
    while (received() < before + 5 && Instant.now().isBefore(limit)) {
      probe.call("ListQueues");
    }
    assertThat(received()).as("polls that ended before their 20 s").isEqualTo(before + 5);
    if (fifo) {
      probe.call("SendMessage", "QueueUrl", queue, "MessageBody", "m", "MessageGroupId", "g");
    } else {
      probe.call("SendMessage", "QueueUrl", queue, "MessageBody", "m");
    }
    SqsProbe.Said said = probe.call("ReceiveMessage", "QueueUrl", queue, "WaitTimeSeconds", 5);
    assertThat(said.values("Body")).containsExactly("m");
  }

  /** Receives that were answered or given up. */
  private static long received() {
    Matcher count =
        Pattern.compile(
                "sqs_request_latency_seconds_count\\{[^}]*\"ReceiveMessage\"[^}]*} ([0-9]+)")
            .matcher(rig.sqsScope().metrics().text());
    return count.find() ? Long.parseLong(count.group(1)) : 0;
  }

  @Test
  void aRegionIsNoAccount() throws Exception {
    SqsProbe.Said said =
        rig.json().call("GetQueueUrl", "QueueName", "q", "QueueOwnerAWSAccountId", "us-west-2/1");
    assertThat(said.code()).isEqualTo("AWS.SimpleQueueService.NonExistentQueue");
    said = rig.json().call("ReceiveMessage", "QueueUrl", "/queue/111111111111/222222222222/q");
    assertThat(said.code()).isEqualTo("InvalidAddress");
  }
}
