package dev.ron.mailbox.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every limit at its edge, over both protocols: the last that is taken, the first that is not. */
final class SqsLimitsTest {
  private static final String PARAMETER = "InvalidParameterValue";
  private static final String ARN = "arn:aws:sqs:us-east-1:000000000000:";

  private static final List<String> ACTIONS =
      List.of(
          "SendMessage",
          "ReceiveMessage",
          "DeleteMessage",
          "ChangeMessageVisibility",
          "GetQueueAttributes",
          "GetQueueUrl",
          "PurgeQueue",
          "ListDeadLetterSourceQueues");

  private static SqsRig rig;

  /** Of a message whose lease has ended: one in a lease has some of its twelve hours behind it. */
  private static String handle;

  @BeforeAll
  static void start() throws Exception {
    rig = new SqsRig(null, null);
    SqsProbe probe = rig.json();
    probe.call("CreateQueue", "QueueName", "plain");
    probe.call("CreateQueue", "QueueName", "dead");
    probe.call("CreateQueue", "QueueName", "tagged");
    probe.call("CreateQueue", "QueueName", "a.fifo", "Attributes", Map.of("FifoQueue", "true"));
    Map<String, String> redrive = Map.of("RedrivePolicy", redrive(1));
    probe.call("CreateQueue", "QueueName", "source", "Attributes", redrive);
    probe.call(
        "CreateQueue", "QueueName", "small", "Attributes", Map.of("MaximumMessageSize", "1024"));
    probe.call("CreateQueue", "QueueName", "q0");
    Map<String, String> named = Map.of("RedriveAllowPolicy", allowing(1));
    probe.call("CreateQueue", "QueueName", "guarded", "Attributes", named);
    probe.call("CreateQueue", "QueueName", "received");
    probe.call("SendMessage", "QueueUrl", "received", "MessageBody", "b");
    handle =
        probe
            .call("ReceiveMessage", "QueueUrl", "received", "VisibilityTimeout", 0)
            .value("ReceiptHandle");
    Instant limit = Instant.now().plusSeconds(20);
    while (!inFlight(probe).equals("0") && Instant.now().isBefore(limit)) {
      Thread.onSpinWait();
    }
  }

  private static String inFlight(SqsProbe probe) throws Exception {
    String name = "ApproximateNumberOfMessagesNotVisible";
    return probe
        .call("GetQueueAttributes", "QueueUrl", "received", "AttributeNames", List.of(name))
        .entry(name);
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  /**
   * One limit.
   *
   * @param others members besides, as names and values in turn
   * @param last is taken
   * @param over is refused
   */
  record Edge(
      String action,
      List<Object> others,
      String member,
      Object last,
      Object over,
      String code,
      String message) {
    Object[] with(Object value) {
      var members = new ArrayList<>(others);
      members.addAll(List.of(member, value));
      return members.toArray();
    }

    @Override
    public String toString() {
      String text = String.valueOf(last);
      return action + " " + member + " " + text.substring(0, Math.min(40, text.length()));
    }
  }

  private static String text(int length) {
    return "a".repeat(length);
  }

  private static String redrive(int receives) {
    return "{\"deadLetterTargetArn\":\"%sdead\",\"maxReceiveCount\":%d}".formatted(ARN, receives);
  }

  private static String allowing(int sources) {
    return IntStream.range(0, sources)
        .mapToObj(i -> "\"%sq%d\"".formatted(ARN, i))
        .collect(
            Collectors.joining(
                ",", "{\"redrivePermission\":\"byQueue\",\"sourceQueueArns\":[", "]}"));
  }

  private static Map<String, Object> attributes(int count, String name, String type) {
    var all = new LinkedHashMap<String, Object>();
    for (int i = 0; i < count; i++) {
      all.put(name + (i == 0 ? "" : i), Map.of("DataType", type, "StringValue", "v"));
    }
    return all;
  }

  private static Map<String, String> tags(int count) {
    return IntStream.range(0, count)
        .boxed()
        .collect(Collectors.toMap(i -> "t" + i, i -> "v", (a, _) -> a, LinkedHashMap::new));
  }

  private static List<Map<String, String>> entries(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> Map.of("Id", "e" + i, "MessageBody", "b"))
        .toList();
  }

  private static List<Map<String, String>> entries(String id, int... bytes) {
    return IntStream.range(0, bytes.length)
        .mapToObj(i -> Map.of("Id", id + (i == 0 ? "" : i), "MessageBody", text(bytes[i])))
        .toList();
  }

  static List<Edge> edges() {
    var edges = new ArrayList<Edge>();
    queues(edges);
    messages(edges);
    batches(edges);
    moves(edges);
    return edges;
  }

  private static Edge invalid(
      String action, List<Object> others, String member, Object last, Object over, String why) {
    return new Edge(action, others, member, last, over, PARAMETER, why);
  }

  private static void queues(List<Edge> edges) {
    edges.add(
        invalid(
            "CreateQueue",
            List.of(),
            "QueueName",
            text(80),
            text(81),
            "Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in"
                + " length"));
    edges.add(
        invalid(
            "CreateQueue",
            List.of("Attributes", Map.of("FifoQueue", "true")),
            "QueueName",
            text(75) + ".fifo",
            text(76) + ".fifo",
            "Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in"
                + " length"));
    record Range(String name, long min, long max) {}
    for (Range each :
        List.of(
            new Range("DelaySeconds", 0, 900),
            new Range("MaximumMessageSize", 1024, 1_048_576),
            new Range("MessageRetentionPeriod", 60, 1_209_600),
            new Range("ReceiveMessageWaitTimeSeconds", 0, 20),
            new Range("VisibilityTimeout", 0, 43_200),
            new Range("KmsDataKeyReusePeriodSeconds", 60, 86_400))) {
      for (long[] edge :
          new long[][] {{each.min(), each.min() - 1}, {each.max(), each.max() + 1}}) {
        edges.add(
            new Edge(
                "SetQueueAttributes",
                List.of("QueueUrl", "tagged"),
                "Attributes",
                Map.of(each.name(), Long.toString(edge[0])),
                Map.of(each.name(), Long.toString(edge[1])),
                "InvalidAttributeValue",
                "Invalid value for the parameter " + each.name() + "."));
      }
    }
    for (int[] edge : new int[][] {{1, 0}, {1000, 1001}}) {
      edges.add(
          invalid(
              "SetQueueAttributes",
              List.of("QueueUrl", "source"),
              "Attributes",
              Map.of("RedrivePolicy", redrive(edge[0])),
              Map.of("RedrivePolicy", redrive(edge[1])),
              "Value %s for parameter RedrivePolicy is invalid. Reason: Invalid value for maxReceiveCount: %d, valid values are from 1 to 1000 both inclusive."
                  .formatted(redrive(edge[1]), edge[1])));
      edges.add(
          invalid(
              "ListQueues",
              List.of(),
              "MaxResults",
              edge[0],
              edge[1],
              "Value %d for parameter MaxResults is invalid. Reason: Must be between 1 and 1000, if provided."
                  .formatted(edge[1])));
      edges.add(
          invalid(
              "ListDeadLetterSourceQueues",
              List.of("QueueUrl", "dead"),
              "MaxResults",
              edge[0],
              edge[1],
              "Value %d for parameter MaxResults is invalid. Reason: Must be between 1 and 1000, if provided."
                  .formatted(edge[1])));
    }
    edges.add(
        invalid(
            "SetQueueAttributes",
            List.of("QueueUrl", "tagged"),
            "Attributes",
            Map.of("RedriveAllowPolicy", allowing(10)),
            Map.of("RedriveAllowPolicy", allowing(11)),
            "Value %s for parameter RedriveAllowPolicy is invalid. Reason: sourceQueueArns can have up to 10 ARNs."
                .formatted(allowing(11))));
    String guarded = redrive(1).replace("dead\"", "guarded\"");
    edges.add(
        invalid(
            "SetQueueAttributes",
            List.of("Attributes", Map.of("RedrivePolicy", guarded)),
            "QueueUrl",
            "q0",
            "plain",
            "Value %s for parameter RedrivePolicy is invalid. Reason: Queue %splain does not have permission to use it as a dead letter queue."
                .formatted(guarded, ARN)));
    edges.add(
        invalid(
            "TagQueue",
            List.of("QueueUrl", "tagged"),
            "Tags",
            Map.of(text(128), "v"),
            Map.of(text(129), "v"),
            "Tag keys must be between 1 and 128 characters in length."));
    edges.add(
        invalid(
            "TagQueue",
            List.of("QueueUrl", "tagged"),
            "Tags",
            Map.of(text(128), text(256)),
            Map.of(text(128), text(257)),
            "Tag values must be between 0 and 256 characters in length."));
    edges.add(
        invalid(
            "TagQueue",
            List.of("QueueUrl", "plain"),
            "Tags",
            tags(50),
            tags(51),
            "Too many tags added for queue plain."));
  }

  private static void messages(List<Edge> edges) {
    List<Object> plain = List.of("QueueUrl", "plain", "MessageBody", "b");
    for (int[] edge : new int[][] {{0, -1}, {900, 901}}) {
      edges.add(
          invalid(
              "SendMessage",
              plain,
              "DelaySeconds",
              edge[0],
              edge[1],
              "Value %d for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= 900."
                  .formatted(edge[1])));
    }
    edges.add(
        invalid(
            "SendMessage",
            List.of("QueueUrl", "plain"),
            "MessageBody",
            text(1_048_576),
            text(1_048_577),
            "One or more parameters are invalid. Reason: Message must be shorter than 1048576"
                + " bytes."));
    edges.add(
        invalid(
            "SendMessage",
            plain,
            "MessageAttributes",
            attributes(10, "n", "String"),
            attributes(11, "n", "String"),
            "Number of message attributes [11] exceeds the allowed maximum [10]."));
    edges.add(
        invalid(
            "SendMessage",
            plain,
            "MessageAttributes",
            attributes(1, text(256), "String"),
            attributes(1, text(257), "String"),
            "Message (user) attribute names can have up to 256 characters."));
    edges.add(
        invalid(
            "SendMessage",
            plain,
            "MessageAttributes",
            attributes(1, "n", "String." + text(249)),
            attributes(1, "n", "String." + text(250)),
            "The type of message (user) attribute 'n' is invalid. You must use only the following"
                + " supported type prefixes: Binary, Number, String."));
    edges.add(
        invalid(
            "SendMessage",
            plain,
            "MessageAttributes",
            Map.of(
                "Gr\u00f6\u00dfe",
                Map.of(
                    "DataType",
                    "String.Gr\u00f6\u00dfe",
                    "StringValue",
                    "\u00c4\u20ac\ud83d\ude00")),
            attributes(1, "Gr\u00f6\u00dfe\u20ac", "String"),
            "Message (user) attribute name 'Gr\u00f6\u00dfe\u20ac' is invalid: only letters, digits, periods,"
                + " hyphens and underscores are allowed."));
    sizes(edges);
    for (String id : List.of("MessageGroupId", "MessageDeduplicationId")) {
      String other = id.equals("MessageGroupId") ? "MessageDeduplicationId" : "MessageGroupId";
      edges.add(
          invalid(
              "SendMessage",
              List.of("QueueUrl", "a.fifo", "MessageBody", "b", other, "x"),
              id,
              text(128),
              text(129),
              "Value %s for parameter %s is invalid. Reason: %s can only include alphanumeric and punctuation characters. 1 to 128 in length."
                  .formatted(text(129), id, id)));
    }
    for (int[] edge : new int[][] {{1, 0}, {10, 11}}) {
      edges.add(
          invalid(
              "ReceiveMessage",
              List.of("QueueUrl", "dead"),
              "MaxNumberOfMessages",
              edge[0],
              edge[1],
              "Value %d for parameter MaxNumberOfMessages is invalid. Reason: Must be between 1 and 10, if provided."
                  .formatted(edge[1])));
    }
    for (int[] edge : new int[][] {{0, -1}, {43_200, 43_201}}) {
      edges.add(
          invalid(
              "ReceiveMessage",
              List.of("QueueUrl", "dead"),
              "VisibilityTimeout",
              edge[0],
              edge[1],
              "Value %d for parameter VisibilityTimeout is invalid. Reason: Must be between 0 and 43200, if provided."
                  .formatted(edge[1])));
    }
    for (int[] edge : new int[][] {{0, -1}, {43_200, 43_201}}) {
      edges.add(
          invalid(
              "ChangeMessageVisibility",
              List.of("QueueUrl", "received", "ReceiptHandle", handle),
              "VisibilityTimeout",
              edge[0],
              edge[1],
              "Value %d for parameter VisibilityTimeout is invalid. Reason: Must be between 0 and 43200, if provided."
                  .formatted(edge[1])));
    }
    edges.add(
        invalid(
            "ReceiveMessage",
            List.of("QueueUrl", "a.fifo"),
            "ReceiveRequestAttemptId",
            text(128),
            text(129),
            "Value %s for parameter ReceiveRequestAttemptId is invalid. Reason: ReceiveRequestAttemptId can only include alphanumeric and punctuation characters. 1 to 128 in length."
                .formatted(text(129))));
  }

  /** Names, types and values count, in bytes; what traces a message does not. */
  private static void sizes(List<Edge> edges) {
    Map<String, Object> counted =
        Map.of("\u00e4", Map.of("DataType", "String", "StringValue", "\u20ac"));
    int bytes = 2 + "String".length() + 3;
    Map<String, Object> trace =
        Map.of("AWSTraceHeader", Map.of("DataType", "String", "StringValue", text(1024)));
    record Size(String queue, int bytes) {}
    for (Size max : List.of(new Size("small", 1024), new Size("plain", 1_048_576))) {
      for (boolean traced : List.of(false, true)) {
        var others = new ArrayList<Object>(List.of("QueueUrl", max.queue()));
        others.addAll(List.of("MessageAttributes", counted));
        others.addAll(traced ? List.of("MessageSystemAttributes", trace) : List.of());
        edges.add(
            invalid(
                "SendMessage",
                others,
                "MessageBody",
                text(max.bytes() - bytes),
                text(max.bytes() - bytes + 1),
                "One or more parameters are invalid. Reason: Message must be shorter than %d bytes."
                    .formatted(max.bytes())));
      }
    }
  }

  private static void batches(List<Edge> edges) {
    edges.add(
        new Edge(
            "SendMessageBatch",
            List.of("QueueUrl", "plain"),
            "Entries",
            entries(10),
            entries(11),
            "AWS.SimpleQueueService.TooManyEntriesInBatchRequest",
            "Maximum number of entries per request are 10. You have sent 11."));
    edges.add(
        new Edge(
            "SendMessageBatch",
            List.of("QueueUrl", "plain"),
            "Entries",
            entries(text(80), 1),
            entries(text(81), 1),
            "AWS.SimpleQueueService.InvalidBatchEntryId",
            "A batch entry id can only contain alphanumeric characters, hyphens and underscores."
                + " It can be at most 80 letters long."));
    edges.add(
        new Edge(
            "SendMessageBatch",
            List.of("QueueUrl", "plain"),
            "Entries",
            entries("e", 1_048_000, 576),
            entries("e", 1_048_000, 577),
            "AWS.SimpleQueueService.BatchRequestTooLong",
            "Batch requests cannot be longer than 1048576 bytes. You have sent 1048577 bytes."));
  }

  private static void moves(List<Edge> edges) {
    for (int[] edge : new int[][] {{1, 0}, {10, 11}}) {
      edges.add(
          invalid(
              "ListMessageMoveTasks",
              List.of("SourceArn", ARN + "dead"),
              "MaxResults",
              edge[0],
              edge[1],
              "Value %d for parameter MaxResults is invalid. Reason: Must be between 1 and 10."
                  .formatted(edge[1])));
    }
  }

  @ParameterizedTest
  @MethodSource("edges")
  void isWhereItIsSaid(Edge edge) throws Exception {
    for (SqsProbe probe : List.of(rig.json(), rig.query())) {
      String protocol = probe.isQuery() ? "query" : "json";
      SqsProbe.Said taken = probe.call(edge.action(), edge.with(edge.last()));
      assertThat(taken.status() + taken.message()).as(protocol).isEqualTo("200");
      assertThat(taken.body()).as(protocol).doesNotContain("SenderFault");
      SqsProbe.Said refused = probe.call(edge.action(), edge.with(edge.over()));
      assertThat(List.of(refused.status(), refused.code(), refused.message()))
          .as(protocol)
          .isEqualTo(List.of(400, edge.code(), edge.message()));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void ofAVisibilityIsTheSameInABatch(boolean query) throws Exception {
    SqsProbe probe = query ? rig.query() : rig.json();
    var entries = new ArrayList<Map<String, Object>>();
    for (int seconds : new int[] {0, 43_200, -1, 43_201}) {
      entries.add(
          Map.of("Id", "v" + seconds, "ReceiptHandle", handle, "VisibilityTimeout", seconds));
    }
    SqsProbe.Said said =
        probe.call("ChangeMessageVisibilityBatch", "QueueUrl", "received", "Entries", entries);
    assertThat(said.status()).isEqualTo(200);
    assertThat(said.values("Id")).containsExactly("v0", "v43200", "v-1", "v43201");
    assertThat(said.values("SenderFault")).containsExactly("true", "true");
    assertThat(said.values("Code")).containsExactly(PARAMETER, PARAMETER);
    assertThat(said.values("Message"))
        .containsExactly(
            "Value -1 for parameter VisibilityTimeout is invalid. Reason: Must be between 0 and"
                + " 43200, if provided.",
            "Value 43201 for parameter VisibilityTimeout is invalid. Reason: Must be between 0 and"
                + " 43200, if provided.");
  }

  /** Not an edge: a label that was taken is taken. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void ofAPermissionIsInItsLabelAndItsActions(boolean query) throws Exception {
    SqsProbe probe = query ? rig.query() : rig.json();
    String label = (query ? "q" : "j") + text(79);
    SqsProbe.Said taken = permit(probe, label, ACTIONS.subList(0, 7));
    assertThat(taken.status() + taken.message()).isEqualTo("200");
    SqsProbe.Said twice = permit(probe, label, ACTIONS.subList(0, 1));
    assertThat(List.of(twice.status(), twice.code(), twice.message()))
        .isEqualTo(
            List.of(
                400,
                PARAMETER,
                "Value " + label + " for parameter Label is invalid. Reason: Already exists."));
    SqsProbe.Said longer = permit(probe, label + "a", ACTIONS.subList(0, 1));
    assertThat(List.of(longer.status(), longer.code(), longer.message()))
        .isEqualTo(
            List.of(
                400,
                PARAMETER,
                "Value %sa for parameter Label is invalid. Reason: Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length."
                    .formatted(label)));
    SqsProbe.Said more = permit(probe, "more", ACTIONS);
    assertThat(List.of(more.status(), more.code(), more.message()))
        .isEqualTo(List.of(403, "OverLimit", "8 Actions were found, maximum allowed is 7."));
    String policy =
        probe
            .call("GetQueueAttributes", "QueueUrl", "tagged", "AttributeNames", List.of("Policy"))
            .entry("Policy");
    assertThat(policy).contains("\"" + label + "\"").doesNotContain(label + "a", "more");
  }

  /** A text in its place would be kept whatever its length, and no policy could be read with it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void ofAPermissionIsInItsAccounts(boolean query) throws Exception {
    SqsProbe probe = query ? rig.query() : rig.json();
    for (String account : List.of("*", "11111111111", "1111111111111", "a".repeat(300 << 10))) {
      SqsProbe.Said said = permit(probe, "accounts", List.of(account), ACTIONS.subList(0, 1));
      assertThat(List.of(said.status(), said.code())).isEqualTo(List.of(400, PARAMETER));
      assertThat(said.message())
          .startsWith("Value [" + account.substring(0, Math.min(99, account.length())));
    }
  }

  @Test
  void ofAPolicyIsKeptByItsPermissions() throws Exception {
    SqsProbe probe = rig.query();
    probe.call("CreateQueue", "QueueName", "permitted");
    List<String> accounts = Collections.nCopies(2000, "111111111111");
    int taken = 0;
    SqsProbe.Said said = permit(probe, "permitted", "l0", accounts, ACTIONS.subList(0, 1));
    while (said.status() == 200 && taken < 10) {
      taken++;
      said = permit(probe, "permitted", "l" + taken, accounts, ACTIONS.subList(0, 1));
    }
    assertThat(List.of(said.status(), said.code())).isEqualTo(List.of(403, "OverLimit"));
    assertThat(probe.call("RemovePermission", "QueueUrl", "permitted", "Label", "l0").status())
        .as("what is kept can be read")
        .isEqualTo(200);
  }

  private static SqsProbe.Said permit(SqsProbe probe, String label, List<String> actions)
      throws Exception {
    return permit(probe, label, List.of("111111111111"), actions);
  }

  private static SqsProbe.Said permit(
      SqsProbe probe, String label, List<String> accounts, List<String> actions) throws Exception {
    return permit(probe, "tagged", label, accounts, actions);
  }

  private static SqsProbe.Said permit(
      SqsProbe probe, String queue, String label, List<String> accounts, List<String> actions)
      throws Exception {
    return probe.call(
        "AddPermission",
        "QueueUrl",
        queue,
        "Label",
        label,
        "AWSAccountIds",
        accounts,
        "Actions",
        actions);
  }
}
