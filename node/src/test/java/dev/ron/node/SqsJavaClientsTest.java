package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.amazon.sqs.javamessaging.ProviderConfiguration;
import com.amazon.sqs.javamessaging.SQSConnection;
import com.amazon.sqs.javamessaging.SQSConnectionFactory;
import dev.ron.capability.KeyPair;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;
import software.amazon.awssdk.services.sqs.model.ReceiptHandleIsInvalidException;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SqsException;

/**
 * The AWS SDK for Java, and JMS over it, against a node that the launcher has started; nothing is
 * changed but the endpoint and the keys.
 */
@Timeout(120)
final class SqsJavaClientsTest {
  @TempDir private static Path folder;

  private static LaunchedNode node;
  private static KeyPair pair;
  private static SqsClient client;

  @BeforeAll
  static void start() throws Exception {
    node = LaunchedNode.up(folder, "node.services=mailbox");
    pair = ClientScript.pair(node.capability());
    client = client(pair.secret(), node.url("sqs"));
  }

  /** As a program has it, but that it comes again at once, and often. */
  private static SqsClient client(String secret, URI door) {
    return SqsClient.builder()
        .endpointOverride(door)
        .overrideConfiguration(
            o ->
                o.retryStrategy(
                    r -> r.maxAttempts(12).backoffStrategy(BackoffStrategy.retryImmediately())))
        .region(Region.US_EAST_1)
        .httpClientBuilder(UrlConnectionHttpClient.builder())
        .credentialsProvider(
            StaticCredentialsProvider.create(
                AwsBasicCredentials.create(pair.accessKeyId(), secret)))
        .build();
  }

  @AfterAll
  static void stop() {
    client.close();
    node.close();
  }

  @Test
  void theSdkSendsReceivesAndDeletes() {
    String url = client.createQueue(b -> b.queueName("sdk").tags(Map.of("a", "b"))).queueUrl();
    assertThat(client.listQueueTags(b -> b.queueUrl(url)).tags()).containsEntry("a", "b");
    Map<String, MessageAttributeValue> attributes =
        Map.of(
            "text",
            MessageAttributeValue.builder().dataType("String").stringValue("ü<&>").build(),
            "bytes",
            MessageAttributeValue.builder()
                .dataType("Binary.x")
                .binaryValue(SdkBytes.fromByteArray(new byte[] {0, 1, -1}))
                .build());
    // The client computes the sums of body and attributes itself, and throws if they differ.
    String id =
        client
            .sendMessage(b -> b.queueUrl(url).messageBody("one ü").messageAttributes(attributes))
            .messageId();
    var got =
        client
            .receiveMessage(
                b ->
                    b.queueUrl(url)
                        .waitTimeSeconds(5)
                        .messageSystemAttributeNames(MessageSystemAttributeName.ALL)
                        .messageAttributeNames("All"))
            .messages();
    assertThat(got).hasSize(1);
    assertThat(got.getFirst().messageId()).isEqualTo(id);
    assertThat(got.getFirst().messageAttributes()).isEqualTo(attributes);
    assertThat(got.getFirst().attributes())
        .containsEntry(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT, "1");
    client.changeMessageVisibility(
        b -> b.queueUrl(url).receiptHandle(got.getFirst().receiptHandle()).visibilityTimeout(60));
    client.deleteMessage(b -> b.queueUrl(url).receiptHandle(got.getFirst().receiptHandle()));
    var batch =
        client.sendMessageBatch(b -> b.queueUrl(url).entries(entry("a", "x"), entry("b", "y")));
    assertThat(batch.successful()).hasSize(2);
    assertThat(batch.hasFailed()).isFalse();
    assertThat(
            client
                .getQueueAttributes(b -> b.queueUrl(url).attributeNames(QueueAttributeName.ALL))
                .attributes())
        .containsEntry(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES, "2");
    client.purgeQueue(b -> b.queueUrl(url));
    client.deleteQueue(b -> b.queueUrl(url));
  }

  /** The SDK repeats what it was not answered; each message is there once, and a group in order. */
  @Test
  void nothingIsSentTwiceWhenAnswersAreCut() throws Exception {
    String plain = client.createQueue(b -> b.queueName("cut")).queueUrl();
    String fifo =
        client
            .createQueue(
                b ->
                    b.queueName("cut.fifo")
                        .attributes(Map.of(QueueAttributeName.FIFO_QUEUE, "true")))
            .queueUrl();
    var sent = new ArrayList<String>();
    try (var proxy = new CutAnswers(node.url("sqs").getPort(), Long.getLong("ron.seed", 1));
        SqsClient cut = client(pair.secret(), URI.create("http://127.0.0.1:" + proxy.port()))) {
      for (int i = 0; i < 30; i++) {
        String body = "m" + i;
        cut.sendMessage(b -> b.queueUrl(plain).messageBody(body));
        cut.sendMessageBatch(
            b -> b.queueUrl(plain).entries(entry("a", body + "a"), entry("b", body + "b")));
        cut.sendMessage(
            b ->
                b.queueUrl(fifo)
                    .messageBody(body)
                    .messageGroupId("g")
                    .messageDeduplicationId(body));
        sent.add(body);
      }
      assertThat(proxy.cuts()).isGreaterThan(10);
    }
    assertThat(everything(fifo)).isEqualTo(sent);
    assertThat(everything(plain)).hasSize(3 * sent.size()).doesNotHaveDuplicates();
  }

  private static SendMessageBatchRequestEntry entry(String id, String body) {
    return SendMessageBatchRequestEntry.builder().id(id).messageBody(body).build();
  }

  private static List<String> everything(String url) {
    var bodies = new ArrayList<String>();
    while (true) {
      var got = client.receiveMessage(b -> b.queueUrl(url).maxNumberOfMessages(10)).messages();
      if (got.isEmpty()) {
        return bodies;
      }
      for (var each : got) {
        bodies.add(each.body());
        client.deleteMessage(b -> b.queueUrl(url).receiptHandle(each.receiptHandle()));
      }
    }
  }

  @Test
  void theSdkKnowsOurErrorsAsItsExceptions() {
    assertThatThrownBy(() -> client.getQueueUrl(b -> b.queueName("none")))
        .isInstanceOf(QueueDoesNotExistException.class);
    String url = client.createQueue(b -> b.queueName("errors")).queueUrl();
    assertThatThrownBy(() -> client.deleteMessage(b -> b.queueUrl(url).receiptHandle("x")))
        .isInstanceOf(ReceiptHandleIsInvalidException.class);
    assertThatThrownBy(() -> client.receiveMessage(b -> b.queueUrl(url).maxNumberOfMessages(11)))
        .isInstanceOf(SqsException.class)
        .hasMessageContaining("Must be between 1 and 10, if provided.");
    try (SqsClient other = client("wrong", node.url("sqs"))) {
      assertThatThrownBy(other::listQueues)
          .isInstanceOf(SqsException.class)
          .satisfies(e -> assertThat(((SqsException) e).statusCode()).isEqualTo(403));
    }
  }

  @Test
  void theSdkPagesThroughQueues() {
    for (int i = 0; i < 5; i++) {
      String name = "paged-" + i;
      client.createQueue(b -> b.queueName(name));
    }
    assertThat(
            client.listQueuesPaginator(b -> b.queueNamePrefix("paged-").maxResults(2)).queueUrls())
        .hasSize(5);
  }

  @Test
  void jmsSendsReceivesAndAcknowledges() throws Exception {
    String url = client.createQueue(b -> b.queueName("jms")).queueUrl();
    var factory = new SQSConnectionFactory(new ProviderConfiguration(), client);
    SQSConnection connection = factory.createConnection();
    try {
      Session session = connection.createSession(false, Session.CLIENT_ACKNOWLEDGE);
      var queue = session.createQueue("jms");
      TextMessage message = session.createTextMessage("from JMS");
      message.setIntProperty("number", 7);
      session.createProducer(queue).send(message);
      MessageConsumer consumer = session.createConsumer(queue);
      connection.start();
      Message got = consumer.receive(20_000);
      assertThat(((TextMessage) got).getText()).isEqualTo("from JMS");
      assertThat(got.getIntProperty("number")).isEqualTo(7);
      got.acknowledge();
      assertThat(consumer.receiveNoWait()).isNull();
      assertThat(
              client
                  .getQueueAttributes(b -> b.queueUrl(url).attributeNames(QueueAttributeName.ALL))
                  .attributes())
          .containsEntry(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES, "0")
          .containsEntry(QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE, "0");
    } finally {
      // Ends the long poll by which JMS looks ahead, or its close would wait for that.
      client.deleteQueue(b -> b.queueUrl(url));
      connection.close();
    }
  }
}
