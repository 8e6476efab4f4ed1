package dev.ron.mailbox.sqs;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every limit and its text, over both protocols. */
final class SqsRefusalsTest {
  private static final String MISSING = "MissingParameter";
  private static final String PARAMETER = "InvalidParameterValue";
  private static final String OWN = "AWS.SimpleQueueService.";
  private static final String NO_NAME =
      "Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length";
  private static final String BAD_ID =
      "A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can"
          + " be at most 80 letters long.";
  private static final String CHARACTERS =
      "Invalid characters found. Valid unicode characters are #x9 | #xA | #xD | #x20 to #xD7FF |"
          + " #xE000 to #xFFFD | #x10000 to #x10FFFF";

  private static SqsRig rig;

  @BeforeAll
  static void start() throws Exception {
    rig = new SqsRig(null, null);
    SqsProbe probe = rig.json();
    probe.call("CreateQueue", "QueueName", "plain");
    probe.call(
        "CreateQueue", "QueueName", "small", "Attributes", Map.of("MaximumMessageSize", "1024"));
    probe.call("CreateQueue", "QueueName", "a.fifo", "Attributes", Map.of("FifoQueue", "true"));
  }

  @AfterAll
  static void stop() throws Exception {
    rig.close();
  }

  /**
   * One line of the table.
   *
   * @param status 400 for most
   */
  record Row(String action, List<Object> members, int status, String code, String message) {
    @Override
    public String toString() {
      String what = members.size() < 2 ? "" : members.get(members.size() - 2).toString();
      return action + " " + what + " -> " + code;
    }
  }

  private static Row row(String code, String message, String action, Object... members) {
    return new Row(action, List.of(members), 400, code, message);
  }

  private static Row row(
      int status, String code, String message, String action, Object... members) {
    return new Row(action, List.of(members), status, code, message);
  }

  private static String text(int length) {
    return "a".repeat(length);
  }

  private static Row sending(String message, Map<String, Object> attributes) {
    return row(
        PARAMETER,
        message,
        "SendMessage",
        "QueueUrl",
        "plain",
        "MessageBody",
        "b",
        "MessageAttributes",
        attributes);
  }

  private static Map<String, Object> attribute(String name, String type, String value) {
    return Map.of(name, Map.of("DataType", type, "StringValue", value));
  }

  private static List<Map<String, Object>> entries(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> Map.<String, Object>of("Id", "e" + i, "MessageBody", "b"))
        .toList();
  }

  static List<Row> rows() {
    var rows = new ArrayList<Row>();
    queues(rows);
    attributes(rows);
    messages(rows);
    fifo(rows);
    batches(rows);
    receives(rows);
    moves(rows);
    return rows;
  }

  private static void queues(List<Row> rows) {
    rows.add(row(MISSING, "The request must contain the parameter QueueName.", "CreateQueue"));
    for (String name : List.of("", "a b", "ä", text(81), "a/b", "x.fifo", "a.b")) {
      rows.add(row(PARAMETER, NO_NAME, "CreateQueue", "QueueName", name));
    }
    rows.add(
        row(
            PARAMETER,
            "The name of a FIFO queue can only include alphanumeric characters, hyphens, or"
                + " underscores, must end with .fifo suffix and be 1 to 80 in length",
            "CreateQueue",
            "Attributes",
            Map.of("FifoQueue", "true"),
            "QueueName",
            "nofifo"));
    rows.add(
        row(
            "QueueAlreadyExists",
            "A queue already exists with the same name and a different value for attribute"
                + " DelaySeconds",
            "CreateQueue",
            "QueueName",
            "plain",
            "Attributes",
            Map.of("DelaySeconds", "5")));
    rows.add(row(MISSING, "The request must contain the parameter QueueUrl.", "DeleteQueue"));
    rows.add(row(MISSING, "The request must contain the parameter QueueName.", "GetQueueUrl"));
    rows.add(
        row(
            PARAMETER,
            "Value 1001 for parameter MaxResults is invalid. Reason: Must be between 1 and 1000, if"
                + " provided.",
            "ListQueues",
            "MaxResults",
            1001));
    rows.add(
        row(PARAMETER, "Invalid or expired next token.", "ListQueues", "NextToken", "not base64!"));
    rows.add(
        row(
            MISSING,
            "The request must contain the parameter Tags.",
            "TagQueue",
            "QueueUrl",
            "plain",
            "Tags",
            Map.of()));
    rows.add(
        row(
            PARAMETER,
            "Tag keys must be between 1 and 128 characters in length.",
            "UntagQueue",
            "QueueUrl",
            "plain",
            "TagKeys",
            List.of()));
    rows.add(
        row(
            404,
            "InvalidAddress",
            "The address http://host/a/b/c/d/e is not valid for this endpoint.",
            "PurgeQueue",
            "QueueUrl",
            "http://host/a/b/c/d/e"));
    rows.add(
        row(
            PARAMETER,
            "Value nolabel for parameter Label is invalid. Reason: can't find label.",
            "RemovePermission",
            "QueueUrl",
            "plain",
            "Label",
            "nolabel"));
    for (String absent : List.of("Label", "AWSAccountId", "ActionName")) {
      var members = new ArrayList<Object>(List.of("QueueUrl", "plain"));
      members.addAll(absent.equals("Label") ? List.of() : List.of("Label", "l"));
      members.addAll(
          absent.equals("AWSAccountId")
              ? List.of()
              : List.of("AWSAccountIds", List.of("111111111111")));
      members.addAll(
          absent.equals("ActionName") ? List.of() : List.of("Actions", List.of("SendMessage")));
      rows.add(
          row(
              MISSING,
              "The request must contain the parameter " + absent + ".",
              "AddPermission",
              members.toArray()));
    }
    rows.add(
        row(
            PARAMETER,
            "Value SQS:DeleteQueue for parameter ActionName is invalid. Reason: Only the queue"
                + " owner is allowed to invoke this action.",
            "AddPermission",
            "QueueUrl",
            "plain",
            "Label",
            "l",
            "AWSAccountIds",
            List.of("111111111111"),
            "Actions",
            List.of("DeleteQueue")));
    rows.add(
        row(
            403,
            "OverLimit",
            "8 Actions were found, maximum allowed is 7.",
            "AddPermission",
            "QueueUrl",
            "plain",
            "Label",
            "l",
            "AWSAccountIds",
            List.of("111111111111"),
            "Actions",
            List.of("a", "b", "c", "d", "e", "f", "g", "h")));
  }

  private static void attributes(List<Row> rows) {
    for (Map.Entry<String, String> each :
        List.of(
            entry("DelaySeconds", "901"),
            entry("DelaySeconds", "-1"),
            entry("DelaySeconds", "x"),
            entry("MaximumMessageSize", "1023"),
            entry("MaximumMessageSize", "1048577"),
            entry("MessageRetentionPeriod", "59"),
            entry("MessageRetentionPeriod", "1209601"),
            entry("ReceiveMessageWaitTimeSeconds", "21"),
            entry("VisibilityTimeout", "43201"),
            entry("KmsDataKeyReusePeriodSeconds", "59"),
            entry("SqsManagedSseEnabled", "maybe"),
            entry("Policy", "{"))) {
      rows.add(
          row(
              "InvalidAttributeValue",
              "Invalid value for the parameter " + each.getKey() + ".",
              "SetQueueAttributes",
              "QueueUrl",
              "plain",
              "Attributes",
              Map.of(each.getKey(), each.getValue())));
    }
    for (String name : List.of("Foobar", "QueueArn", "CreatedTimestamp", "FifoQueue")) {
      rows.add(
          row(
              "InvalidAttributeName",
              "Unknown Attribute " + name + ".",
              "SetQueueAttributes",
              "QueueUrl",
              "plain",
              "Attributes",
              Map.of(name, "true")));
    }
    for (Map.Entry<String, String> each :
        List.of(
            entry("ContentBasedDeduplication", "maybe"),
            entry("ContentBasedDeduplication", ""),
            entry("DeduplicationScope", "group"),
            entry("DeduplicationScope", "messagegroup"),
            entry("FifoThroughputLimit", "perMessageGroup"),
            entry("FifoThroughputLimit", "queue"))) {
      rows.add(
          row(
              "InvalidAttributeValue",
              "Invalid value for the parameter " + each.getKey() + ".",
              "SetQueueAttributes",
              "QueueUrl",
              "a.fifo",
              "Attributes",
              Map.of(each.getKey(), each.getValue())));
      rows.add(
          row(
              "InvalidAttributeValue",
              "Invalid value for the parameter " + each.getKey() + ".",
              "CreateQueue",
              "QueueName",
              "wrong.fifo",
              "Attributes",
              Map.of("FifoQueue", "true", each.getKey(), each.getValue())));
    }
    for (String name : List.of("FifoQueue", "ContentBasedDeduplication")) {
      rows.add(
          row(
              "InvalidAttributeName",
              "Unknown Attribute " + name + ".",
              "CreateQueue",
              "QueueName",
              "q",
              "Attributes",
              Map.of(name, "false")));
    }
    rows.add(
        row(
            PARAMETER,
            NO_NAME,
            "CreateQueue",
            "Attributes",
            Map.of("FifoQueue", "false"),
            "QueueName",
            "q.fifo"));
    String one = "\"sourceQueueArns\":[\"arn:aws:sqs:us-east-1:000000000000:q\"]}";
    for (Map.Entry<String, String> each :
        List.of(
            entry("[", "Amazon SQS can't create the redrive policy. Reason: invalid JSON."),
            entry(
                "{\"redrivePermission\":\"some\"}",
                "Redrive permission must be one of allowAll, denyAll, byQueue."),
            entry("{" + one, "Redrive permission must be one of allowAll, denyAll, byQueue."),
            entry(
                "{\"redrivePermission\":\"byQueue\"}",
                "sourceQueueArns must be given with byQueue, and only then."),
            entry(
                "{\"redrivePermission\":\"denyAll\"," + one,
                "sourceQueueArns must be given with byQueue, and only then."),
            entry(
                "{\"redrivePermission\":\"byQueue\",\"sourceQueueArns\":[\"q\"]}",
                "Invalid value in sourceQueueArns."))) {
      rows.add(
          row(
              PARAMETER,
              "Value %s for parameter RedriveAllowPolicy is invalid. Reason: %s"
                  .formatted(each.getKey(), each.getValue()),
              "SetQueueAttributes",
              "QueueUrl",
              "plain",
              "Attributes",
              Map.of("RedriveAllowPolicy", each.getKey())));
    }
    for (String name : List.of("DeduplicationScope", "FifoThroughputLimit")) {
      rows.add(
          row(
              "InvalidAttributeName",
              "You can specify the " + name + " only when FifoQueue is set to true.",
              "CreateQueue",
              "QueueName",
              "q",
              "Attributes",
              Map.of(name, "queue")));
    }
    rows.add(
        row(
            "InvalidAttributeValue",
            "Invalid value for the parameter FifoQueue. Reason: Modifying queue type is not"
                + " supported.",
            "SetQueueAttributes",
            "QueueUrl",
            "a.fifo",
            "Attributes",
            Map.of("FifoQueue", "false")));
    rows.add(
        row(
            "InvalidAttributeName",
            "You can use one type of server-side encryption (SSE) at one time. You can either"
                + " enable KMS SSE or SQS SSE.",
            "SetQueueAttributes",
            "QueueUrl",
            "plain",
            "Attributes",
            Map.of("KmsMasterKeyId", "k", "SqsManagedSseEnabled", "true")));
    rows.add(
        row(
            "InvalidAttributeName",
            "Unknown Attribute Foobar.",
            "GetQueueAttributes",
            "QueueUrl",
            "plain",
            "AttributeNames",
            List.of("Foobar")));
    for (Map.Entry<String, String> each :
        List.of(
            entry("{", "Amazon SQS can't create the redrive policy. Reason: invalid JSON."),
            entry(
                "{\"maxReceiveCount\":1}",
                "Redrive policy does not contain mandatory attribute: deadLetterTargetArn."),
            entry(
                "{\"deadLetterTargetArn\":\"arn:aws:sqs:us-east-1:000000000000:none\"}",
                "Redrive policy does not contain mandatory attribute: maxReceiveCount."))) {
      rows.add(
          row(
              PARAMETER,
              "Value %s for parameter RedrivePolicy is invalid. Reason: %s"
                  .formatted(each.getKey(), each.getValue()),
              "SetQueueAttributes",
              "QueueUrl",
              "plain",
              "Attributes",
              Map.of("RedrivePolicy", each.getKey())));
    }
    String none = "{\"deadLetterTargetArn\":\"arn:aws:sqs:us-east-1:000000000000:none\",";
    rows.add(
        row(
            PARAMETER,
            "Value %s\"maxReceiveCount\":1001} for parameter RedrivePolicy is invalid. Reason: Invalid value for maxReceiveCount: 1001, valid values are from 1 to 1000 both inclusive."
                .formatted(none),
            "SetQueueAttributes",
            "QueueUrl",
            "plain",
            "Attributes",
            Map.of("RedrivePolicy", none + "\"maxReceiveCount\":1001}")));
    rows.add(
        row(
            PARAMETER,
            "Value %s\"maxReceiveCount\":3} for parameter RedrivePolicy is invalid. Reason: Dead letter target does not exist."
                .formatted(none),
            "SetQueueAttributes",
            "QueueUrl",
            "plain",
            "Attributes",
            Map.of("RedrivePolicy", none + "\"maxReceiveCount\":3}")));
  }

  private static void messages(List<Row> rows) {
    rows.add(
        row(
            MISSING,
            "The request must contain the parameter MessageBody.",
            "SendMessage",
            "QueueUrl",
            "plain",
            "MessageBody",
            ""));
    for (String body : List.of("\0", "\b", "\u0013", "\uFFFF", "a\uFFFE")) {
      rows.add(
          row(
              "InvalidMessageContents",
              CHARACTERS,
              "SendMessage",
              "QueueUrl",
              "plain",
              "MessageBody",
              body));
    }
    rows.add(
        row(
            PARAMETER,
            "One or more parameters are invalid. Reason: Message must be shorter than 1048576"
                + " bytes.",
            "SendMessage",
            "QueueUrl",
            "plain",
            "MessageBody",
            text(1048577)));
    rows.add(
        row(
            PARAMETER,
            "One or more parameters are invalid. Reason: Message must be shorter than 1024 bytes.",
            "SendMessage",
            "QueueUrl",
            "small",
            "MessageAttributes",
            attribute("n", "String", "v"),
            "MessageBody",
            text(1017)));
    rows.add(
        row(
            PARAMETER,
            "Value 901 for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and"
                + " <= 900.",
            "SendMessage",
            "QueueUrl",
            "plain",
            "MessageBody",
            "b",
            "DelaySeconds",
            901));
    rows.add(
        row(
            PARAMETER,
            "Message (user) attribute 'n' must contain a non-empty value of type 'String'.",
            "SendMessage",
            "QueueUrl",
            "plain",
            "MessageBody",
            "b",
            "MessageAttributes",
            attribute("n", "String", "")));
    rows.add(
        row(
            PARAMETER,
            "Can't cast the value of message (user) attribute 'n' to a number.",
            "SendMessage",
            "QueueUrl",
            "plain",
            "MessageBody",
            "b",
            "MessageAttributes",
            attribute("n", "Number", "one")));
    rows.add(
        row(
            PARAMETER,
            CHARACTERS,
            "SendMessage",
            "QueueUrl",
            "plain",
            "MessageBody",
            "b",
            "MessageAttributes",
            attribute("n", "String", "\b")));
    for (String name : List.of("", "a b", "a\u20ac", "a:b", "a/b")) {
      rows.add(
          sending(
              "Message (user) attribute name '%s' is invalid: only letters, digits, periods, hyphens and underscores are allowed."
                  .formatted(name),
              attribute(name, "String", "v")));
    }
    for (String type : List.of("Number", "Binary")) {
      rows.add(
          sending(
              "Message (user) attribute 'n' must contain a non-empty value of type '%s'."
                  .formatted(type),
              Map.of(
                  "n",
                  Map.of(
                      "DataType",
                      type,
                      type.equals("Binary") ? "BinaryValue" : "StringValue",
                      ""))));
      rows.add(
          sending(
              "Message (user) attribute 'n' must contain a non-empty value of type '%s'."
                  .formatted(type),
              Map.of("n", Map.of("DataType", type))));
    }
    for (Map<String, String> untyped :
        List.of(Map.of("StringValue", "v"), Map.of("DataType", "", "StringValue", "v"))) {
      rows.add(sending("The message attribute 'n' must contain a DataType.", Map.of("n", untyped)));
    }
    for (String number : List.of("1x", "NaN", "0x10", "1".repeat(129))) {
      rows.add(
          sending(
              "Can't cast the value of message (user) attribute 'n' to a number.",
              attribute("n", "Number", number)));
    }
    for (String name : List.of("aWs.x", "AMAZON.x", ".x", "x.", "x..y")) {
      rows.add(
          row(
              PARAMETER,
              "Message (user) attribute name '%s' is invalid: it may not begin with AWS. or Amazon., begin or end with a period, or have two in a row."
                  .formatted(name),
              "SendMessage",
              "QueueUrl",
              "plain",
              "MessageBody",
              "b",
              "MessageAttributes",
              attribute(name, "String", "v")));
    }
    rows.add(
        row(
            PARAMETER,
            "Message (user) attribute names can have up to 256 characters.",
            "SendMessage",
            "QueueUrl",
            "plain",
            "MessageBody",
            "b",
            "MessageAttributes",
            attribute(text(257), "String", "v")));
    for (String type : List.of("Invalid", "string", "Number." + text(257))) {
      rows.add(
          row(
              PARAMETER,
              "The type of message (user) attribute 'n' is invalid. You must use only the following"
                  + " supported type prefixes: Binary, Number, String.",
              "SendMessage",
              "QueueUrl",
              "plain",
              "MessageBody",
              "b",
              "MessageAttributes",
              attribute("n", type, "v")));
    }
    for (String list : List.of("StringListValues", "BinaryListValues")) {
      rows.add(
          row(
              OWN + "UnsupportedOperation",
              "Message attribute list values in SendMessage operation are not supported.",
              "SendMessage",
              "QueueUrl",
              "plain",
              "MessageBody",
              "b",
              "MessageAttributes",
              Map.of("n", Map.of("DataType", "String", list, List.of("dg==")))));
    }
    rows.add(
        row(
            PARAMETER,
            "Message system attribute 'SenderId' is not valid: only AWSTraceHeader of type String"
                + " is.",
            "SendMessage",
            "QueueUrl",
            "plain",
            "MessageBody",
            "b",
            "MessageSystemAttributes",
            attribute("SenderId", "String", "v")));
    rows.add(
        row(
            "AWS.SimpleQueueService.NonExistentQueue",
            "The specified queue does not exist.",
            "SendMessage",
            "QueueUrl",
            "none",
            "MessageBody",
            "b"));
    // What another queue's name begins with is not that queue, nor held to its limits.
    rows.add(
        row(
            "AWS.SimpleQueueService.NonExistentQueue",
            "The specified queue does not exist.",
            "SendMessage",
            "QueueUrl",
            "smal",
            "MessageBody",
            "b".repeat(1025)));
    rows.add(
        row(
            "AWS.SimpleQueueService.NonExistentQueue",
            "The specified queue does not exist.",
            "SendMessageBatch",
            "QueueUrl",
            "none",
            "Entries",
            List.of(Map.of("Id", "a", "MessageBody", "b"))));
    rows.add(
        row(
            "AWS.SimpleQueueService.NonExistentQueue",
            "The specified queue does not exist.",
            "DeleteMessage",
            "QueueUrl",
            "none",
            "ReceiptHandle",
            "unknown"));
    rows.add(
        row(
            "AWS.SimpleQueueService.NonExistentQueue",
            "The specified queue does not exist.",
            "DeleteMessageBatch",
            "QueueUrl",
            "none",
            "Entries",
            List.of(Map.of("Id", "a", "ReceiptHandle", "unknown"))));
  }

  private static void fifo(List<Row> rows) {
    rows.add(
        row(
            MISSING,
            "The request must contain the parameter MessageGroupId.",
            "SendMessage",
            "QueueUrl",
            "a.fifo",
            "MessageBody",
            "b",
            "MessageDeduplicationId",
            "d"));
    rows.add(
        row(
            PARAMETER,
            "The queue should either have ContentBasedDeduplication enabled or"
                + " MessageDeduplicationId provided explicitly",
            "SendMessage",
            "QueueUrl",
            "a.fifo",
            "MessageBody",
            "b",
            "MessageGroupId",
            "g"));
    rows.add(
        row(
            PARAMETER,
            "Value 2 for parameter DelaySeconds is invalid. Reason: The request include parameter"
                + " that is not valid for this queue type.",
            "SendMessage",
            "QueueUrl",
            "a.fifo",
            "MessageBody",
            "b",
            "MessageGroupId",
            "g",
            "MessageDeduplicationId",
            "d",
            "DelaySeconds",
            2));
    rows.add(
        row(
            PARAMETER,
            "Value d for parameter MessageDeduplicationId is invalid. Reason: The request includes"
                + " a parameter that is not valid for this queue type.",
            "SendMessage",
            "QueueUrl",
            "plain",
            "MessageBody",
            "b",
            "MessageDeduplicationId",
            "d"));
    for (String id : List.of("", "group 123", text(129))) {
      for (String name : List.of("MessageGroupId", "MessageDeduplicationId")) {
        rows.add(
            row(
                PARAMETER,
                "Value %s for parameter %s is invalid. Reason: %s can only include alphanumeric and punctuation characters. 1 to 128 in length."
                    .formatted(id, name, name),
                "SendMessage",
                "QueueUrl",
                "a.fifo",
                "MessageBody",
                "b",
                name,
                id));
      }
    }
  }

  private static void batches(List<Row> rows) {
    for (String action :
        List.of("SendMessageBatch", "DeleteMessageBatch", "ChangeMessageVisibilityBatch")) {
      rows.add(
          row(
              OWN + "EmptyBatchRequest",
              "There should be at least one " + action + "RequestEntry in the request.",
              action,
              "QueueUrl",
              "plain"));
      rows.add(
          row(
              OWN + "TooManyEntriesInBatchRequest",
              "Maximum number of entries per request are 10. You have sent 20.",
              action,
              "QueueUrl",
              "plain",
              "Entries",
              entries(20)));
      for (String id : List.of("invalid:id", "", text(81))) {
        rows.add(
            row(
                OWN + "InvalidBatchEntryId",
                BAD_ID,
                action,
                "QueueUrl",
                "plain",
                "Entries",
                List.of(Map.of("Id", id, "MessageBody", "b"))));
      }
      rows.add(
          row(
              OWN + "BatchEntryIdsNotDistinct",
              "Id one repeated.",
              action,
              "QueueUrl",
              "plain",
              "Entries",
              List.of(
                  Map.of("Id", "one", "MessageBody", "b"),
                  Map.of("Id", "one", "MessageBody", "c"))));
    }
    rows.add(
        row(
            OWN + "BatchRequestTooLong",
            "Batch requests cannot be longer than 1048576 bytes. You have sent 1048577 bytes.",
            "SendMessageBatch",
            "QueueUrl",
            "plain",
            "Entries",
            List.of(
                Map.of("Id", "a", "MessageBody", text(1048576)),
                Map.of("Id", "b", "MessageBody", "b"))));
    rows.add(
        row(
            PARAMETER,
            "The request must contain the parameter MessageGroupId.",
            "SendMessageBatch",
            "QueueUrl",
            "a.fifo",
            "Entries",
            List.of(Map.of("Id", "a", "MessageBody", "b", "MessageDeduplicationId", "d"))));
    rows.add(
        row(
            PARAMETER,
            "The queue should either have ContentBasedDeduplication enabled or"
                + " MessageDeduplicationId provided explicitly",
            "SendMessageBatch",
            "QueueUrl",
            "a.fifo",
            "Entries",
            List.of(Map.of("Id", "a", "MessageBody", "b", "MessageGroupId", "g"))));
  }

  private static void receives(List<Row> rows) {
    for (int max : new int[] {0, 11}) {
      rows.add(
          row(
              PARAMETER,
              "Value %d for parameter MaxNumberOfMessages is invalid. Reason: Must be between 1 and 10, if provided."
                  .formatted(max),
              "ReceiveMessage",
              "QueueUrl",
              "plain",
              "MaxNumberOfMessages",
              max));
    }
    for (int wait : new int[] {-1, 21}) {
      rows.add(
          row(
              PARAMETER,
              "Value %d for parameter WaitTimeSeconds is invalid. Reason: Must be >= 0 and <= 20, if provided."
                  .formatted(wait),
              "ReceiveMessage",
              "QueueUrl",
              "plain",
              "WaitTimeSeconds",
              wait));
    }
    rows.add(
        row(
            PARAMETER,
            "Value 43201 for parameter VisibilityTimeout is invalid. Reason: Must be between 0 and"
                + " 43200, if provided.",
            "ReceiveMessage",
            "QueueUrl",
            "plain",
            "VisibilityTimeout",
            43201));
    for (String action : List.of("DeleteMessage", "ChangeMessageVisibility")) {
      rows.add(
          row(
              "ReceiptHandleIsInvalid",
              "The input receipt handle \"garbage\" is not a valid receipt handle.",
              action,
              "QueueUrl",
              "plain",
              "ReceiptHandle",
              "garbage",
              "VisibilityTimeout",
              1));
    }
    rows.add(
        row(
            MISSING,
            "The request must contain the parameter VisibilityTimeout.",
            "ChangeMessageVisibility",
            "QueueUrl",
            "plain",
            "ReceiptHandle",
            "x"));
    rows.add(
        row(
            MISSING,
            "The request must contain the parameter ReceiptHandle.",
            "DeleteMessage",
            "QueueUrl",
            "plain"));
  }

  private static void moves(List<Row> rows) {
    String arn = "arn:aws:sqs:us-east-1:000000000000:";
    rows.add(
        row(
            404,
            "ResourceNotFoundException",
            "The resource that you specified for the SourceArn parameter doesn't exist.",
            "StartMessageMoveTask",
            "SourceArn",
            arn + "none"));
    rows.add(
        row(
            PARAMETER,
            "Source queue must be configured as a Dead Letter Queue.",
            "StartMessageMoveTask",
            "SourceArn",
            arn + "plain"));
    rows.add(
        row(
            PARAMETER,
            "You must use this format to specify the SourceArn:"
                + " arn:<partition>:<service>:<region>:<account-id>:<resource-id>",
            "ListMessageMoveTasks",
            "SourceArn",
            "invalid"));
    rows.add(
        row(
            PARAMETER,
            "Value for parameter TaskHandle is invalid.",
            "CancelMessageMoveTask",
            "TaskHandle",
            "foobared"));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void isRefusedInBothProtocols(Row row) throws Exception {
    for (SqsProbe probe : List.of(rig.json(), rig.query())) {
      SqsProbe.Said said = probe.call(row.action(), row.members().toArray());
      String message =
          probe.isQuery() && row.message().equals("The specified queue does not exist.")
              ? "The specified queue does not exist for this wsdl version."
              : row.message();
      assertThat(List.of(said.status(), said.code(), said.message()))
          .as(probe.isQuery() ? "query" : "json")
          .isEqualTo(List.of(row.status(), row.code(), message));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPurgeIsOnceAMinute(boolean query) throws Exception {
    SqsProbe probe = query ? rig.query() : rig.json();
    String queue = "purged-" + query;
    probe.call("CreateQueue", "QueueName", queue);
    assertThat(probe.call("PurgeQueue", "QueueUrl", queue).status()).isEqualTo(200);
    SqsProbe.Said said = probe.call("PurgeQueue", "QueueUrl", queue);
    assertThat(List.of(said.status(), said.code(), said.message()))
        .isEqualTo(
            List.of(
                403,
                OWN + "PurgeQueueInProgress",
                "Only one PurgeQueue operation on " + queue + " is allowed every 60 seconds."));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aNameIsBlockedForAMinuteAfterItsDelete(boolean query) throws Exception {
    SqsProbe probe = query ? rig.query() : rig.json();
    String queue = "deleted-" + query;
    probe.call("CreateQueue", "QueueName", queue);
    assertThat(probe.call("DeleteQueue", "QueueUrl", queue).status()).isEqualTo(200);
    SqsProbe.Said said = probe.call("CreateQueue", "QueueName", queue);
    assertThat(List.of(said.status(), said.code(), said.message()))
        .isEqualTo(
            List.of(
                400,
                OWN + "QueueDeletedRecently",
                "You must wait 60 seconds after deleting a queue before you can create another with"
                    + " the same name."));
  }

  /** The batch itself is answered as one of which none failed is. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aBatchOfWhichAllFailIsAnswered(boolean query) throws Exception {
    SqsProbe probe = query ? rig.query() : rig.json();
    String shorter =
        "One or more parameters cannot be validated. Reason: Message must be shorter than 1024"
            + " bytes.";
    String handle = "The input receipt handle \"bad\" is not a valid receipt handle.";
    for (String action :
        List.of("SendMessageBatch", "DeleteMessageBatch", "ChangeMessageVisibilityBatch")) {
      boolean sends = action.equals("SendMessageBatch");
      var entries = new ArrayList<Map<String, Object>>();
      for (String id : List.of("a", "b")) {
        entries.add(
            sends
                ? Map.of("Id", id, "MessageBody", text(1025))
                : Map.of("Id", id, "ReceiptHandle", "bad", "VisibilityTimeout", 1));
      }
      SqsProbe.Said said = probe.call(action, "QueueUrl", "small", "Entries", entries);
      assertThat(said.status()).as(action).isEqualTo(200);
      assertThat(said.values("Id")).as(action).containsExactly("a", "b");
      assertThat(said.values("SenderFault")).as(action).containsExactly("true", "true");
      String code = sends ? PARAMETER : "ReceiptHandleIsInvalid";
      assertThat(said.values("Code")).as(action).containsExactly(code, code);
      String why = sends ? shorter : handle;
      assertThat(said.values("Message")).as(action).containsExactly(why, why);
      assertThat(said.body()).doesNotContain("Successful", action + "ResultEntry");
    }
  }
}
