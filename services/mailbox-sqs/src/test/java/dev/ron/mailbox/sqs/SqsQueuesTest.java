package dev.ron.mailbox.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queues, their attributes, tags and permissions, over both protocols. */
final class SqsQueuesTest {
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

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aQueueIsMadeOnceAndFoundByItsName(boolean query) throws Exception {
    SqsProbe probe = probe(query);
    String name = "found-" + query;
    String url = probe.call("CreateQueue", "QueueName", name).value("QueueUrl");
    assertThat(url).isEqualTo(probe.url(name));
    assertThat(probe.call("CreateQueue", "QueueName", name).value("QueueUrl")).isEqualTo(url);
    assertThat(probe.call("GetQueueUrl", "QueueName", name).value("QueueUrl")).isEqualTo(url);
    String other =
        probe
            .call("GetQueueUrl", "QueueName", name, "QueueOwnerAWSAccountId", "000000000000")
            .value("QueueUrl");
    assertThat(other).isEqualTo(url);
    assertThat(probe.call("GetQueueUrl", "QueueName", "no-such").code())
        .isEqualTo("AWS.SimpleQueueService.NonExistentQueue");
    for (String form :
        List.of(
            name,
            "http://elsewhere.example/000000000000/" + name,
            "https://sqs.eu-west-1.amazonaws.com/000000000000/" + name,
            "http://x/queue/" + name,
            "http://x/queue/us-east-1/000000000000/" + name,
            "/000000000000/" + name)) {
      assertThat(probe.call("GetQueueAttributes", "QueueUrl", form).status())
          .as(form)
          .isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aNewQueueHasTheDefaultsAndGivesBackWhatIsSet(boolean query) throws Exception {
    SqsProbe probe = probe(query);
    String name = "attributes-" + query;
    probe.call("CreateQueue", "QueueName", name);
    SqsProbe.Said all = all(probe, name);
    Map.of(
            "DelaySeconds", "0",
            "MaximumMessageSize", "1048576",
            "MessageRetentionPeriod", "345600",
            "ReceiveMessageWaitTimeSeconds", "0",
            "VisibilityTimeout", "30",
            "SqsManagedSseEnabled", "true",
            "ApproximateNumberOfMessages", "0",
            "ApproximateNumberOfMessagesDelayed", "0",
            "ApproximateNumberOfMessagesNotVisible", "0",
            "QueueArn", "arn:aws:sqs:us-east-1:000000000000:" + name)
        .forEach((attribute, value) -> assertThat(all.entry(attribute)).isEqualTo(value));
    assertThat(all.body()).doesNotContain("FifoQueue", "RedrivePolicy", "\"Policy\"", "Kms");
    Map<String, String> set =
        Map.of(
            "DelaySeconds", "900",
            "MaximumMessageSize", "2048",
            "MessageRetentionPeriod", "604800",
            "ReceiveMessageWaitTimeSeconds", "20",
            "VisibilityTimeout", "69",
            "Policy", "{\"Version\":\"2012-10-17\",\"Statement\":[]}",
            "RedriveAllowPolicy", "{\"redrivePermission\":\"denyAll\"}",
            "KmsMasterKeyId", "key/ä<&>",
            "KmsDataKeyReusePeriodSeconds", "6000");
    assertThat(probe.call("SetQueueAttributes", "QueueUrl", name, "Attributes", set).status())
        .isEqualTo(200);
    SqsProbe.Said after = all(probe, name);
    set.forEach((attribute, value) -> assertThat(after.entry(attribute)).isEqualTo(value));
    assertThat(after.entry("SqsManagedSseEnabled")).isEqualTo("false");
    Map<String, String> unset =
        Map.of("Policy", "", "KmsMasterKeyId", "", "KmsDataKeyReusePeriodSeconds", "300");
    probe.call("SetQueueAttributes", "QueueUrl", name, "Attributes", unset);
    assertThat(all(probe, name).body()).doesNotContain("Kms", "Statement");
    SqsProbe.Said some =
        probe.call(
            "GetQueueAttributes", "QueueUrl", name, "AttributeNames", List.of("DelaySeconds"));
    assertThat(some.body()).contains("DelaySeconds").doesNotContain("QueueArn");
    assertThat(probe.call("GetQueueAttributes", "QueueUrl", name).body())
        .doesNotContain("DelaySeconds");
  }

  private static SqsProbe.Said all(SqsProbe probe, String queue) throws Exception {
    return probe.call("GetQueueAttributes", "QueueUrl", queue, "AttributeNames", List.of("All"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFifoQueueHasAttributesOfItsOwn(boolean query) throws Exception {
    SqsProbe probe = probe(query);
    String name = "attributes-" + query + ".fifo";
    Map<String, String> attributes =
        Map.of(
            "FifoQueue", "True",
            "ContentBasedDeduplication", "true",
            "DeduplicationScope", "messageGroup",
            "FifoThroughputLimit", "perMessageGroupId");
    assertThat(probe.call("CreateQueue", "QueueName", name, "Attributes", attributes).status())
        .isEqualTo(200);
    assertThat(probe.call("CreateQueue", "QueueName", name, "Attributes", attributes).status())
        .isEqualTo(200);
    SqsProbe.Said all = all(probe, name);
    assertThat(all.entry("FifoQueue")).isEqualTo("true");
    assertThat(all.entry("ContentBasedDeduplication")).isEqualTo("true");
    assertThat(all.entry("DeduplicationScope")).isEqualTo("messageGroup");
    assertThat(all.entry("FifoThroughputLimit")).isEqualTo("perMessageGroupId");
    SqsProbe.Said taken =
        probe.call(
            "CreateQueue",
            "QueueName",
            name,
            "Attributes",
            Map.of("FifoQueue", "true", "ContentBasedDeduplication", "false"));
    assertThat(taken.message())
        .isEqualTo(
            "A queue already exists with the same name and a different value for attribute"
                + " ContentBasedDeduplication");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void tagsAreKept(boolean query) throws Exception {
    SqsProbe probe = probe(query);
    String name = "tags-" + query;
    probe.call("CreateQueue", "QueueName", name, "tags", Map.of("made", "with"));
    probe.call("TagQueue", "QueueUrl", name, "Tags", Map.of("tag1", "value1", "tag2", ""));
    SqsProbe.Said tags = probe.call("ListQueueTags", "QueueUrl", name);
    assertThat(tags.entry("made")).isEqualTo("with");
    assertThat(tags.entry("tag1")).isEqualTo("value1");
    assertThat(tags.entry("tag2")).isEmpty();
    probe.call("UntagQueue", "QueueUrl", name, "TagKeys", List.of("made", "tag1", "tag2"));
    assertThat(probe.call("ListQueueTags", "QueueUrl", name).body())
        .doesNotContain("\"Tags\"", "<Tag>");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void permissionsAreWrittenIntoThePolicy(boolean query) throws Exception {
    SqsProbe probe = probe(query);
    String name = "permissions-" + query;
    probe.call("CreateQueue", "QueueName", name);
    SqsProbe.Said added =
        probe.call(
            "AddPermission",
            "QueueUrl",
            name,
            "Label",
            "l1",
            "AWSAccountIds",
            List.of("111111111111", "668614515564"),
            "Actions",
            List.of("ReceiveMessage"));
    assertThat(added.status()).as(added.body()).isEqualTo(200);
    String arn = "arn:aws:sqs:us-east-1:000000000000:" + name;
    assertThat(policy(probe, name))
        .isEqualTo(
            "{\"Version\":\"2008-10-17\",\"Id\":\"%s/SQSDefaultPolicy\",\"Statement\":[{\"Sid\":\"l1\",\"Effect\":\"Allow\",\"Principal\":{\"AWS\":[\"arn:aws:iam::111111111111:root\",\"arn:aws:iam::668614515564:root\"]},\"Action\":\"SQS:ReceiveMessage\",\"Resource\":\"%s\"}]}"
                .formatted(arn, arn));
    SqsProbe.Said again =
        probe.call(
            "AddPermission",
            "QueueUrl",
            name,
            "Label",
            "l1",
            "AWSAccountIds",
            List.of("111111111111"),
            "Actions",
            List.of("*"));
    assertThat(again.message())
        .isEqualTo("Value l1 for parameter Label is invalid. Reason: Already exists.");
    assertThat(probe.call("RemovePermission", "QueueUrl", name, "Label", "l1").status())
        .isEqualTo(200);
    assertThat(all(probe, name).body()).doesNotContain("Statement");
  }

  /** Templates name what they want even where it is so anyhow. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aQueueThatHasADefaultIsTheOneThatIsAskedForByIt(boolean query) throws Exception {
    SqsProbe probe = probe(query);
    String name = "usual-" + query;
    probe.call("CreateQueue", "QueueName", name);
    for (String attribute : List.of("SqsManagedSseEnabled", "VisibilityTimeout", "DelaySeconds")) {
      String value = all(probe, name).entry(attribute);
      SqsProbe.Said again =
          probe.call("CreateQueue", "QueueName", name, "Attributes", Map.of(attribute, value));
      assertThat(again.status() + again.message()).as(attribute).isEqualTo("200");
    }
    SqsProbe.Said other =
        probe.call(
            "CreateQueue",
            "QueueName",
            name,
            "Attributes",
            Map.of("SqsManagedSseEnabled", "false"));
    assertThat(other.code()).isEqualTo("QueueAlreadyExists");
    assertThat(other.message()).endsWith("different value for attribute SqsManagedSseEnabled");
  }

  /** It would be another character when the queue is read back. */
  @Test
  void halfASurrogatePairIsInNoTextThatAQueueKeeps() throws Exception {
    SqsProbe probe = rig.json();
    probe.call("CreateQueue", "QueueName", "halves");
    String half = "\ud800";
    var refused =
        List.of(
            probe.call("TagQueue", "QueueUrl", "halves", "Tags", Map.of("a", half)),
            probe.call(
                "SetQueueAttributes",
                "QueueUrl",
                "halves",
                "Attributes",
                Map.of("KmsMasterKeyId", half)),
            probe.call(
                "CreateQueue", "QueueName", "halves2", "Attributes", Map.of("Policy", half)));
    assertThat(refused).extracting(SqsProbe.Said::code).containsOnly("MalformedInput");
    String pair = "\ud83d\ude00";
    assertThat(probe.call("TagQueue", "QueueUrl", "halves", "Tags", Map.of("a", pair)).status())
        .isEqualTo(200);
    assertThat(probe.call("ListQueueTags", "QueueUrl", "halves").entry("a")).isEqualTo(pair);
  }

  private static String policy(SqsProbe probe, String queue) throws Exception {
    return probe
        .call("GetQueueAttributes", "QueueUrl", queue, "AttributeNames", List.of("Policy"))
        .entry("Policy");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void queuesAreListedInPages(boolean query) throws Exception {
    SqsProbe probe = probe(query);
    String prefix = "page-" + query + "-";
    for (int i = 0; i < 5; i++) {
      probe.call("CreateQueue", "QueueName", prefix + i);
    }
    SqsProbe.Said all = probe.call("ListQueues", "QueueNamePrefix", prefix);
    assertThat(urls(all)).hasSize(5).first().isEqualTo(probe.url(prefix + 0));
    assertThat(all.body()).doesNotContain("NextToken");
    SqsProbe.Said first = probe.call("ListQueues", "QueueNamePrefix", prefix, "MaxResults", 2);
    SqsProbe.Said rest =
        probe.call(
            "ListQueues",
            "QueueNamePrefix",
            prefix,
            "MaxResults",
            3,
            "NextToken",
            first.value("NextToken"));
    assertThat(urls(first)).containsExactly(probe.url(prefix + 0), probe.url(prefix + 1));
    assertThat(urls(rest)).hasSize(3).last().isEqualTo(probe.url(prefix + 4));
    assertThat(rest.body()).doesNotContain("NextToken");
    assertThat(urls(probe.call("ListQueues", "QueueNamePrefix", "none-"))).isEmpty();
  }

  /** In JSON they are one list, in XML one element each. */
  private static List<String> urls(SqsProbe.Said said) {
    return java.util.regex.Pattern.compile("http://[^\"<]+")
        .matcher(said.body().replace("http://queue.amazonaws.com/", ""))
        .results()
        .map(java.util.regex.MatchResult::group)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void deadLetterQueuesKnowTheirSources(boolean query) throws Exception {
    SqsProbe probe = probe(query);
    String dead = "dead-" + query;
    probe.call("CreateQueue", "QueueName", dead);
    String policy =
        "{\"deadLetterTargetArn\":\"arn:aws:sqs:us-east-1:000000000000:%s\",\"maxReceiveCount\":\"2\"}"
            .formatted(dead);
    for (String source : List.of("source-a-" + query, "source-b-" + query)) {
      probe.call("CreateQueue", "QueueName", source, "Attributes", Map.of("RedrivePolicy", policy));
    }
    SqsProbe.Said sources = probe.call("ListDeadLetterSourceQueues", "QueueUrl", dead);
    assertThat(urls(sources))
        .containsExactly(probe.url("source-a-" + query), probe.url("source-b-" + query));
    assertThat(all(probe, "source-a-" + query).entry("RedrivePolicy"))
        .isEqualTo(policy.replace("\"2\"", "2"));
    probe.call(
        "SetQueueAttributes",
        "QueueUrl",
        "source-a-" + query,
        "Attributes",
        Map.of("RedrivePolicy", ""));
    assertThat(all(probe, "source-a-" + query).body()).doesNotContain("RedrivePolicy");
    assertThat(urls(probe.call("ListDeadLetterSourceQueues", "QueueUrl", dead))).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aTargetMustBeThereOfTheSameKindAndLetItself(boolean query) throws Exception {
    SqsProbe probe = probe(query);
    String shut = "shut-" + query;
    probe.call(
        "CreateQueue",
        "QueueName",
        shut,
        "Attributes",
        Map.of("RedriveAllowPolicy", "{\"redrivePermission\":\"denyAll\"}"));
    String policy =
        "{\"deadLetterTargetArn\":\"arn:aws:sqs:us-east-1:000000000000:%s\",\"maxReceiveCount\":1}";
    SqsProbe.Said denied =
        probe.call(
            "CreateQueue",
            "QueueName",
            "wants-" + query,
            "Attributes",
            Map.of("RedrivePolicy", policy.formatted(shut)));
    assertThat(denied.message())
        .endsWith("does not have permission to use it as a dead letter queue.");
    SqsProbe.Said kind =
        probe.call(
            "CreateQueue",
            "QueueName",
            "kind-" + query + ".fifo",
            "Attributes",
            Map.of("FifoQueue", "true", "RedrivePolicy", policy.formatted(shut)));
    assertThat(kind.message())
        .endsWith("Dead-letter queue must be same type of queue as the source.");
  }
}
