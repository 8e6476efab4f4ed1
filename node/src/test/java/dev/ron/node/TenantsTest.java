package dev.ron.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.capability.caveat.Caveat;
import dev.ron.kernel.time.Deadline;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One table of tenants, which every door of a node honours, live on reload. */
@Timeout(180)
class TenantsTest {
  @TempDir private Path folder;
  private final HttpClient client = HttpClient.newHttpClient();

  private Path file(String tenants) throws Exception {
    return Files.writeString(folder.resolve("ron.toml"), tenants);
  }

  private HttpResponse<String> ask(
      RunningNode node, String service, String path, String tenant, String body) throws Exception {
    String token = node.keys().mint(List.of(new Caveat.Tenant(tenant)));
    var request =
        HttpRequest.newBuilder(URI.create(node.url(service) + path))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json");
    request =
        body.isEmpty() ? request.GET() : request.POST(HttpRequest.BodyPublishers.ofString(body));
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  /** Of requests that follow each other at once one is refused, even on a slow machine. */
  private void assertRefused(RunningNode node, String service, String path) throws Exception {
    HttpResponse<String> answer = ask(node, service, path, "acme", "");
    for (int i = 0; i < 20 && answer.statusCode() != 429; i++) {
      answer = ask(node, service, path, "acme", "");
    }
    assertThat(answer.statusCode()).as(service + path + ": " + answer.body()).isEqualTo(429);
    assertThat(answer.body()).contains("\"code\":\"tenant-rate\"", "\"tenant\":\"acme\"");
    assertThat(answer.headers().firstValue("Retry-After")).contains("1");
  }

  private HttpResponse<String> send(RunningNode node, String tenant, String key) throws Exception {
    String form =
        "{\"topic\":\"t\",\"idem_key\":\"%s\",\"payload_b64\":\"aGVsbG8=\"}".formatted(key);
    return ask(node, "mailbox", "/v1/send", tenant, form);
  }

  @Test
  void everyDoorHoldsATenantToItsRateAndAReloadChangesIt() throws Exception {
    Path file = file("[[tenants]]\nname = \"acme\"\nrequests_per_second = 1\n");
    try (RunningNode node = RunningNode.start(folder.resolve("data"), Map.of(), file)) {
      assertRefused(node, "mailbox", "/v1/topics");
      assertRefused(node, "storage", "/o/b3:" + "0".repeat(64));
      assertRefused(node, "edge", "/edge/packs");
      assertRefused(node, "rewarder", "/rewarder/epochs");
      assertRefused(node, "gateway", "/v1/topics");
      assertThat(send(node, "other", "k").statusCode()).isEqualTo(200);
      file("[[tenants]]\nname = \"acme\"\nqueued = \"0B\"\n");
      assertThat(node.node().reload().await(Deadline.NEVER).isRefused()).isFalse();
      HttpResponse<String> full = send(node, "acme", "new");
      assertThat(full.statusCode()).isEqualTo(507);
      assertThat(full.body()).contains("\"tenant\":\"acme\"", "\"limit\":\"queued\"");
      file("[[tenants]]\nname = \"acme\"\nweight = 0\n");
      assertThat(node.node().reload().await(Deadline.NEVER).isRefused()).isTrue();
      assertThat(send(node, "acme", "new").statusCode()).as("nothing changed").isEqualTo(507);
      file("");
      assertThat(node.node().reload().await(Deadline.NEVER).isRefused()).isFalse();
      assertThat(send(node, "acme", "new").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void sqsRefusesInItsOwnWords() throws Exception {
    Path file = file("[[tenants]]\nname = \"acme\"\nrequests_per_second = 2\n");
    var settings = Map.of("node.services", "mailbox", "mailbox.sqs.enabled", "true");
    try (RunningNode node = RunningNode.start(folder.resolve("data"), settings, file)) {
      HttpResponse<String> answer = sqs(node, "CreateQueue", "{\"QueueName\":\"q\"}");
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      for (int i = 0; i < 5 && answer.statusCode() == 200; i++) {
        answer = sqs(node, "ListQueues", "{}");
      }
      assertThat(answer.body()).contains("RequestThrottled", "requests_per_second = 2");
      assertThat(answer.headers().firstValue("Retry-After")).contains("1");
      file("[[tenants]]\nname = \"acme\"\nqueued = \"4B\"\n");
      assertThat(node.node().reload().await(Deadline.NEVER).isRefused()).isFalse();
      String account = account(sqs(node, "GetQueueUrl", "{\"QueueName\":\"q\"}").body());
      String send = "{\"QueueUrl\":\"http://x/%s/q\",\"MessageBody\":\"hello\"}".formatted(account);
      HttpResponse<String> over = sqs(node, "SendMessage", send);
      assertThat(over.body()).contains("OverLimit", "tenant acme", "queued = 4");
      assertThat(sqs(node, "SendMessage", send.replace("hello", "hi")).statusCode()).isEqualTo(200);
    }
  }

  private static String account(String body) {
    String[] parts = body.replaceAll(".*\"QueueUrl\":\"([^\"]*)\".*", "$1").split("/", -1);
    return parts[parts.length - 2];
  }

  private HttpResponse<String> sqs(RunningNode node, String action, String body) throws Exception {
    String token = node.keys().mint(List.of(new Caveat.Tenant("acme")));
    return client.send(
        HttpRequest.newBuilder(URI.create(node.url("sqs")))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/x-amz-json-1.0")
            .header("X-Amz-Target", "AmazonSQS." + action)
            .POST(HttpRequest.BodyPublishers.ofString(body, UTF_8))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "name = 'acme'\\nweight = 0                  | tenants[0].weight",
        "name = 'acme'\\nweight = 1001               | 1 to 1000",
        "name = 'acme'\\nstored = 5                  | needs a unit and quotes",
        "name = 'acme'\\nstored = '5 gigs'           | must be a size",
        "name = 'acme'\\nrequests_per_second = -1    | 0 to 4294967296",
        "name = 'acme'\\nbytes_in_per_second = '5GiB'| 0B to 4GiB",
        "name = 'a b'                                | must be 1 to 64 of",
        "weight = 2                                  | tenants[0].name",
        "name = 'acme'\\nrate = 2                    | tenants[0].rate is not a known key",
        "name = 'acme'\\n[[tenants]]\\nname = 'acme' | \"acme\" is listed twice",
      })
  void whatIsWrongIsNamed(String entry, String named) throws Exception {
    Path file = file("[[tenants]]\n" + entry.replace("\\n", "\n") + "\n");
    assertThatThrownBy(() -> NodeSettings.load(Map.of(), Map.of(), Optional.of(file)))
        .hasMessageContaining(named.strip());
  }
}
