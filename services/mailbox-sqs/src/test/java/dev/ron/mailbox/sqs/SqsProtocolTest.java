package dev.ron.mailbox.sqs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The exact shapes of both protocols. */
final class SqsProtocolTest {
  private static final byte[] NONE = {};

  private static SqsRig rig;
  private static SqsProbe probe;

  @BeforeAll
  static void start() throws Exception {
    rig = new SqsRig(null, null);
    probe = rig.json();
    probe.call("CreateQueue", "QueueName", "q");
    probe.call("CreateQueue", "QueueName", "recent");
    probe.call("DeleteQueue", "QueueUrl", "recent");
    probe.call("CreateQueue", "QueueName", "purged");
    probe.call("PurgeQueue", "QueueUrl", "purged");
  }

  @AfterAll
  static void stop() throws Exception {
    rig.close();
  }

  private static HttpResponse<String> json(String action, String body, String... fields)
      throws Exception {
    String[] all = new String[fields.length + 4];
    all[0] = "content-type";
    all[1] = "application/x-amz-json-1.0";
    all[2] = "x-AMZ-target";
    all[3] = "AmazonSQS." + action;
    System.arraycopy(fields, 0, all, 4, fields.length);
    return probe.send("/", body.getBytes(UTF_8), all);
  }

  @Test
  void anErrorInJsonNamesItsShapeAndItsOldCode() throws Exception {
    HttpResponse<String> said =
        json("GetQueueUrl", "{\"QueueName\":\"none\"}", "x-amzn-query-mode", "true");
    assertThat(said.statusCode()).isEqualTo(400);
    assertThat(said.body())
        .isEqualTo(
            "{\"__type\":\"com.amazonaws.sqs#QueueDoesNotExist\",\"message\":\"The specified queue"
                + " does not exist.\"}");
    assertThat(said.headers().firstValue("x-amzn-query-error"))
        .hasValue("AWS.SimpleQueueService.NonExistentQueue;Sender");
    assertThat(said.headers().firstValue("Content-Type")).hasValue("application/x-amz-json-1.0");
    assertThat(UUID.fromString(said.headers().firstValue("x-amzn-RequestId").orElse("")))
        .isNotNull();
    assertThat(json("GetQueueUrl", "{}").body())
        .isEqualTo(
            "{\"__type\":\"com.amazon.coral.service#MissingRequiredParameterException\",\"message\":\"The"
                + " request must contain the parameter QueueName.\"}");
  }

  /** One request that ends in the shape; some need another before it. */
  record Shaped(int status, String type, String code, String action, String body) {
    @Override
    public String toString() {
      return type;
    }
  }

  static List<Shaped> shapes() {
    String own = "com.amazonaws.sqs#";
    String coral = "com.amazon.coral.service#";
    String old = "AWS.SimpleQueueService.";
    String entry = "{'Id':'a','MessageBody':'b'}";
    String batch = "{'QueueUrl':'q','Entries':[%s]}";
    String list = "{'n':{'DataType':'String','StringListValues':['v']}}";
    String eight = "['a','b','c','d','e','f','g','h']";
    String huge = "{'Id':'%s','MessageBody':'" + "a".repeat(600_000) + "'}";
    String attributes = "{'QueueUrl':'q','Attributes':%s}";
    return List.of(
        new Shaped(
            400,
            own + "QueueDoesNotExist",
            old + "NonExistentQueue",
            "DeleteQueue",
            "{'QueueUrl':'none'}"),
        new Shaped(
            400,
            own + "QueueNameExists",
            "QueueAlreadyExists",
            "CreateQueue",
            "{'QueueName':'q','Attributes':{'DelaySeconds':'5'}}"),
        new Shaped(
            400,
            own + "QueueDeletedRecently",
            old + "QueueDeletedRecently",
            "CreateQueue",
            "{'QueueName':'recent'}"),
        new Shaped(
            400,
            own + "BatchEntryIdsNotDistinct",
            old + "BatchEntryIdsNotDistinct",
            "SendMessageBatch",
            batch.formatted(entry + "," + entry)),
        new Shaped(
            400,
            own + "EmptyBatchRequest",
            old + "EmptyBatchRequest",
            "SendMessageBatch",
            batch.formatted("")),
        new Shaped(
            400,
            own + "InvalidBatchEntryId",
            old + "InvalidBatchEntryId",
            "SendMessageBatch",
            batch.formatted(entry.replace("'a'", "'a b'"))),
        new Shaped(
            400,
            own + "TooManyEntriesInBatchRequest",
            old + "TooManyEntriesInBatchRequest",
            "SendMessageBatch",
            batch.formatted(String.join(",", Collections.nCopies(11, entry)))),
        new Shaped(
            400,
            own + "BatchRequestTooLong",
            old + "BatchRequestTooLong",
            "SendMessageBatch",
            batch.formatted(huge.formatted("a") + "," + huge.formatted("b"))),
        new Shaped(
            403,
            own + "PurgeQueueInProgress",
            old + "PurgeQueueInProgress",
            "PurgeQueue",
            "{'QueueUrl':'purged'}"),
        new Shaped(
            400,
            own + "UnsupportedOperation",
            old + "UnsupportedOperation",
            "SendMessage",
            "{'QueueUrl':'q','MessageBody':'b','MessageAttributes':%s}".formatted(list)),
        new Shaped(
            403,
            own + "OverLimit",
            "OverLimit",
            "AddPermission",
            "{'QueueUrl':'q','Label':'l','AWSAccountIds':['111111111111'],'Actions':%s}"
                .formatted(eight)),
        new Shaped(
            404,
            own + "ResourceNotFoundException",
            "ResourceNotFoundException",
            "StartMessageMoveTask",
            "{'SourceArn':'arn:aws:sqs:us-east-1:000000000000:none'}"),
        new Shaped(
            400,
            own + "ReceiptHandleIsInvalid",
            "ReceiptHandleIsInvalid",
            "DeleteMessage",
            "{'QueueUrl':'q','ReceiptHandle':'garbage'}"),
        new Shaped(
            400,
            own + "InvalidMessageContents",
            "InvalidMessageContents",
            "SendMessage",
            "{'QueueUrl':'q','MessageBody':'\\u0000'}"),
        new Shaped(
            400,
            own + "InvalidAttributeName",
            "InvalidAttributeName",
            "SetQueueAttributes",
            attributes.formatted("{'Foobar':'1'}")),
        new Shaped(
            400,
            own + "InvalidAttributeValue",
            "InvalidAttributeValue",
            "SetQueueAttributes",
            attributes.formatted("{'DelaySeconds':'901'}")),
        new Shaped(
            404,
            own + "InvalidAddress",
            "InvalidAddress",
            "PurgeQueue",
            "{'QueueUrl':'http://host/a/b/c/d/e'}"),
        new Shaped(
            400,
            coral + "InvalidParameterValueException",
            "InvalidParameterValue",
            "CreateQueue",
            "{'QueueName':'a b'}"),
        new Shaped(
            400,
            coral + "MissingRequiredParameterException",
            "MissingParameter",
            "DeleteQueue",
            "{}"),
        new Shaped(400, coral + "SerializationException", "MalformedInput", "CreateQueue", "{"),
        new Shaped(
            404,
            coral + "UnknownOperationException",
            "UnknownOperationException",
            "NoSuchAction",
            "{}"));
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void everyShapeHasItsNameItsOldCodeAndItsStatus(Shaped shaped) throws Exception {
    HttpResponse<String> said = json(shaped.action(), shaped.body().replace('\'', '"'));
    assertThat(said.statusCode()).isEqualTo(shaped.status());
    assertThat(JsonMapper.shared().readTree(said.body()).path("__type").asString(""))
        .isEqualTo(shaped.type());
    assertThat(said.headers().firstValue("x-amzn-query-error")).hasValue(shaped.code() + ";Sender");
  }

  @Test
  void anErrorInXmlHasItsDetail() throws Exception {
    HttpResponse<String> said = probe.send("/?Action=GetQueueUrl&QueueName=none", NONE);
    String id = said.headers().firstValue("x-amzn-RequestId").orElse("");
    assertThat(said.body())
        .isEqualTo(
            "<?xml version=\"1.0\"?><ErrorResponse xmlns=\"http://queue.amazonaws.com/doc/2012-11-05/\"><Error><Type>Sender</Type><Code>AWS.SimpleQueueService.NonExistentQueue</Code><Message>The specified queue does not exist for this wsdl version.</Message><Detail/></Error><RequestId>%s</RequestId></ErrorResponse>"
                .formatted(id));
    assertThat(said.headers().firstValue("Content-Type")).hasValue("text/xml");
  }

  @Test
  void anAnswerInXmlIsWrapped() throws Exception {
    HttpResponse<String> said = probe.send("/?Action=GetQueueUrl&QueueName=q", NONE);
    String id = said.headers().firstValue("x-amzn-RequestId").orElse("");
    assertThat(said.body())
        .isEqualTo(
            "<?xml version=\"1.0\"?><GetQueueUrlResponse xmlns=\"http://queue.amazonaws.com/doc/2012-11-05/\"><GetQueueUrlResult><QueueUrl>%s</QueueUrl></GetQueueUrlResult><ResponseMetadata><RequestId>%s</RequestId></ResponseMetadata></GetQueueUrlResponse>"
                .formatted(probe.url("q"), id));
    assertThat(probe.send("/000000000000/q?Action=ReceiveMessage", NONE).body())
        .contains("<ReceiveMessageResult/>");
    assertThat(probe.send("/000000000000/q?Action=TagQueue&Tag.1.Key=a&Tag.1.Value=b", NONE).body())
        .doesNotContain("TagQueueResult")
        .contains("<TagQueueResponse ");
    assertThat(json("ReceiveMessage", "{\"QueueUrl\":\"q\"}").body()).isEqualTo("{}");
  }

  @Test
  void theAddressOfAQueueTakesItsActions() throws Exception {
    assertThat(
            probe
                .send("/000000000000/q?Action=GetQueueAttributes&AttributeName.1=QueueArn", NONE)
                .body())
        .contains(
            "<Attribute><Name>QueueArn</Name><Value>arn:aws:sqs:us-east-1:000000000000:q</Value></Attribute>");
    for (String action : List.of("CreateQueue", "ListQueues", "FooBar")) {
      HttpResponse<String> said =
          probe.send("/000000000000/q?Action=" + action + "&QueueName=other", NONE);
      assertThat(said.statusCode()).isEqualTo(400);
      assertThat(said.body())
          .contains(
              "<Code>InvalidAction</Code><Message>The action %s is not valid for this endpoint.</Message>"
                  .formatted(action));
    }
    HttpResponse<String> missing = probe.send("/000000000000/q?Action=SendMessage", NONE);
    assertThat(missing.body())
        .contains("<Code>MissingParameter</Code>", "the parameter MessageBody.");
    HttpResponse<String> none = probe.send("/000000000000/q", NONE, "Accept", "application/json");
    assertThat(none.statusCode()).isEqualTo(404);
    assertThat(none.body()).contains("<UnknownOperationException/>");
    probe.call("CreateQueue", "QueueName", "q2");
    assertThat(
            probe
                .send(
                    "/000000000000/q?Action=GetQueueAttributes&AttributeName.1=QueueArn&QueueUrl="
                        + probe.url("q2"),
                    NONE)
                .body())
        .contains(":q2<");
    HttpResponse<String> posted =
        probe.send(
            "/000000000000/q",
            "Action=SendMessage&MessageBody=a+b%2B%C3%A4".getBytes(UTF_8),
            "Content-Type",
            "application/x-www-form-urlencoded");
    assertThat(posted.body()).contains("<MD5OfMessageBody>");
    HttpResponse<String> jsonThere =
        probe.send(
            "/000000000000/q",
            "{}".getBytes(UTF_8),
            "Content-Type",
            "application/x-amz-json-1.0",
            "X-Amz-Target",
            "AmazonSQS.ReceiveMessage");
    assertThat(jsonThere.body()).contains("\"Body\":\"a b+ä\"");
  }

  @Test
  void anEmptyListOfAFormIsAnEmptyText() throws Exception {
    for (String list : List.of("Entries=", "SendMessageBatchRequestEntry=")) {
      assertThat(probe.send("/000000000000/q?Action=SendMessageBatch&" + list, NONE).body())
          .contains("<Code>AWS.SimpleQueueService.EmptyBatchRequest</Code>");
    }
    String names = "MessageAttributeNames=&AttributeNames=&MessageSystemAttributeName=";
    assertThat(probe.send("/000000000000/q?Action=ReceiveMessage&" + names, NONE).statusCode())
        .isEqualTo(200);
    assertThat(probe.send("/?Action=CreateQueue&QueueName=q&Attributes=&Tags=", NONE).statusCode())
        .isEqualTo(200);
    assertThat(
            probe.send("/000000000000/q?Action=GetQueueAttributes&AttributeName=All", NONE).body())
        .as("a list of one without its number")
        .contains("<Name>QueueArn</Name>");
  }

  @Test
  void aFormCanBeAnsweredInJson() throws Exception {
    HttpResponse<String> said =
        probe.send("/?Action=ListQueues", NONE, "Accept", "application/json");
    JsonNode listed = JsonMapper.shared().readTree(said.body());
    assertThat(listed.path("ListQueuesResponse").path("ListQueuesResult").path("QueueUrls").size())
        .isPositive();
    assertThat(said.headers().firstValue("Content-Type")).hasValue("application/json");
    JsonNode attributes =
        JsonMapper.shared()
            .readTree(
                probe
                    .send(
                        "/000000000000/q?Action=GetQueueAttributes&AttributeName.1=DelaySeconds",
                        NONE,
                        "Accept",
                        "application/json")
                    .body())
            .path("GetQueueAttributesResponse")
            .path("GetQueueAttributesResult")
            .path("Attributes");
    assertThat(attributes.path(0).path("Name").asString("")).isEqualTo("DelaySeconds");
    probe.call("CreateQueue", "QueueName", "negotiated");
    probe.call("SendMessage", "QueueUrl", "negotiated", "MessageBody", "a\rb&quot;");
    String receive = "/000000000000/negotiated?Action=ReceiveMessage";
    JsonNode messages =
        JsonMapper.shared()
            .readTree(probe.send(receive, NONE, "Accept", "application/json").body())
            .path("ReceiveMessageResponse")
            .path("ReceiveMessageResult")
            .path("messages");
    assertThat(messages.path(0).path("Body").asString("")).isEqualTo("a\rb&quot;");
    JsonNode error =
        JsonMapper.shared()
            .readTree(
                probe
                    .send("/000000000000/q?Action=ListQueues", NONE, "Accept", "application/json")
                    .body());
    assertThat(error.path("Error").path("Code").asString("")).isEqualTo("InvalidAction");
  }

  @Test
  void whatCannotBeReadIsRefused() throws Exception {
    for (String body : List.of("{", "[]", "{\"QueueName\":5}", "{\"QueueName\":{}}", "\u0000")) {
      HttpResponse<String> said = json("CreateQueue", body);
      assertThat(said.statusCode()).as(body).isEqualTo(400);
      assertThat(said.body()).as(body).contains("SerializationException");
    }
    assertThat(json("ReceiveMessage", "{\"QueueUrl\":\"q\",\"MaxNumberOfMessages\":\"1\"}").body())
        .contains("STRING_VALUE can not be converted to an Integer");
    assertThat(json("NoSuchAction", "{}").statusCode()).isEqualTo(404);
    assertThat(json("NoSuchAction", "{}").body())
        .isEqualTo("{\"__type\":\"com.amazon.coral.service#UnknownOperationException\"}");
    for (String form :
        List.of("Action=ListQueues&a=%zz", "Action=ListQueues&a=%FF", "Action=ListQueues&a=%4")) {
      HttpResponse<String> said = probe.send("/", form.getBytes(UTF_8));
      assertThat(said.statusCode()).as(form).isEqualTo(400);
      assertThat(said.body()).contains("<Code>MalformedInput</Code>");
    }
    String many = "Action=ListQueues" + "&a=1".repeat(2100);
    assertThat(probe.send("/", many.getBytes(UTF_8)).statusCode()).isEqualTo(400);
    assertThat(
            json("ListQueues", "{\"Unknown\":{\"x\":[1]},\"QueueNamePrefix\":\"q\"}").statusCode())
        .as("members of later models are let pass")
        .isEqualTo(200);
  }

  @Test
  void theUrlsOfQueuesBeginWithTheHostThatWasAsked() throws Exception {
    var request =
        "POST / HTTP/1.1\r\nHost: localhost:%d\r\nContent-Length: 30\r\nConnection: close\r\n\r\nAction=GetQueueUrl&QueueName=q"
            .formatted(rig.port());
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), rig.port())) {
      socket.getOutputStream().write(request.getBytes(UTF_8));
      String answer = new String(socket.getInputStream().readAllBytes(), UTF_8);
      assertThat(answer)
          .contains("<QueueUrl>http://localhost:%d/000000000000/q<".formatted(rig.port()));
    }
  }

  @Test
  void regionsAndAccountsAreApartAndHomeHasTheShortPath() throws Exception {
    String authorization =
        "AWS4-HMAC-SHA256 Credential=%s/20260101/%s/sqs/aws4_request, SignedHeaders=host,"
            + " Signature=00";
    String there =
        json(
                "CreateQueue",
                "{\"QueueName\":\"far\"}",
                "Authorization",
                authorization.formatted("test", "eu-north-1"))
            .body();
    assertThat(there).contains("/queue/eu-north-1/000000000000/far\"");
    assertThat(json("GetQueueUrl", "{\"QueueName\":\"far\"}").statusCode()).isEqualTo(400);
    String other =
        json(
                "CreateQueue",
                "{\"QueueName\":\"q\"}",
                "Authorization",
                authorization.formatted("111111111111", "us-east-1"))
            .body();
    assertThat(other).contains("/111111111111/q\"");
  }

  @Test
  void messagesAreSeenWithoutBeingReceived() throws Exception {
    probe.call("CreateQueue", "QueueName", "seen");
    probe.call("SendMessage", "QueueUrl", "seen", "MessageBody", "look at me");
    for (String target :
        List.of(
            "/_aws/sqs/messages?QueueUrl=" + probe.url("seen"),
            "/_aws/sqs/messages/us-east-1/000000000000/seen")) {
      for (int i = 0; i < 2; i++) {
        HttpResponse<String> said = probe.send(target, NONE);
        assertThat(said.statusCode()).as(said.body()).isEqualTo(200);
        assertThat(said.body()).contains("<Body>look at me</Body>", "<ReceiveMessageResult>");
      }
    }
    assertThat(
            probe
                .call("ReceiveMessage", "QueueUrl", "seen", "AttributeNames", List.of("All"))
                .entry("ApproximateReceiveCount"))
        .isEqualTo("1");
    String hidden = "/_aws/sqs/messages?QueueUrl=" + probe.url("seen");
    assertThat(probe.send(hidden, NONE).body()).doesNotContain("look at me");
    assertThat(probe.send(hidden + "&ShowInvisible=true", NONE).body()).contains("look at me");
  }

  @Test
  void healthIsForEveryone() throws Exception {
    assertThat(probe.send("/health", NONE).body()).isEqualTo("OK");
  }

  @Test
  void aCallThatAnSdkRepeatsIsKnownAgain() throws Exception {
    probe.call("CreateQueue", "QueueName", "again");
    String body =
        JsonMapper.shared().writeValueAsString(Map.of("QueueUrl", "again", "MessageBody", "once"));
    String id = UUID.randomUUID().toString();
    String first = json("SendMessage", body, "amz-sdk-invocation-id", id).body();
    String second = json("SendMessage", body, "amz-sdk-invocation-id", id).body();
    assertThat(second).isEqualTo(first);
    assertThat(json("SendMessage", body).body()).isNotEqualTo(first);
    String batch =
        "{\"QueueUrl\":\"again\",\"Entries\":[{\"Id\":\"a\",\"MessageBody\":\"x\"},{\"Id\":\"b\",\"MessageBody\":\"x\"}]}";
    String third = json("SendMessageBatch", batch, "amz-sdk-invocation-id", id).body();
    assertThat(json("SendMessageBatch", batch, "amz-sdk-invocation-id", id).body())
        .isEqualTo(third);
    SqsProbe.Said counted =
        probe.call("GetQueueAttributes", "QueueUrl", "again", "AttributeNames", List.of("All"));
    assertThat(counted.entry("ApproximateNumberOfMessages")).isEqualTo("4");
  }
}
