package dev.ron.bench.queue;

import dev.ron.bench.process.CpuTime;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

/**
 * A queue by the AWS SDK for Java v2, as people's programs are: requests are signed, sums of
 * answers are checked, calls are named. It costs this process more than most servers.
 *
 * <p>Threading: thread-safe, as the client is; each line is its worker's.
 */
final class SqsSdk implements QueueServer {
  /** The client of the JDK keeps five connections to a server, and makes all others anew. */
  private static final String CONNECTIONS = "http.maxConnections";

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final QueueServer server;
  private final SqsClient client;
  private final String url;

  /**
   * @param server whose queue {@code bench} is spoken to at the port; it is not ended with this
   */
  SqsSdk(QueueServer server, int port, int connections) {
    this.server = server;
    System.setProperty(CONNECTIONS, Integer.toString(connections));
    URI door = URI.create("http://127.0.0.1:" + port);
    this.url = door + "/000000000000/bench";
    this.client =
        SqsClient.builder()
            .endpointOverride(door)
            .region(Region.US_EAST_1)
            .httpClientBuilder(
                UrlConnectionHttpClient.builder().connectionTimeout(LIMIT).socketTimeout(LIMIT))
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("bench", "bench")))
            .build();
  }

  @Override
  public QueueLine line() {
    return new Line(client, url);
  }

  @Override
  public CpuTime cpuTime() {
    return server.cpuTime();
  }

  @Override
  public void close() {
    client.close();
  }

  private record Line(SqsClient client, String url) implements QueueLine {
    @Override
    public void send(byte[] body, String key) {
      String text = SqsLine.text(body);
      client.sendMessage(b -> b.queueUrl(url).messageBody(text));
    }

    @Override
    public boolean handleOne() {
      List<Message> got =
          client.receiveMessage(b -> b.queueUrl(url).visibilityTimeout(30)).messages();
      for (Message each : got) {
        client.deleteMessage(b -> b.queueUrl(url).receiptHandle(each.receiptHandle()));
      }
      return !got.isEmpty();
    }

    @Override
    public void close() {}
  }
}
