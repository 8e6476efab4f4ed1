package dev.ron.node.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.kernel.time.SystemTime;
import dev.ron.node.RunningNode;
import dev.ron.node.Said;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** The same bytes at both doors of the storage: neither opens or collects the other's. */
@Timeout(120)
@ResourceLock(Resources.SYSTEM_OUT)
final class BlocksApartTest {
  @TempDir private Path folder;

  private static HttpResponse<byte[]> send(
      HttpClient client, String method, URI to, String token, byte[] body) throws Exception {
    var request =
        HttpRequest.newBuilder(to)
            .header("Authorization", "Bearer " + token)
            .method(method, HttpRequest.BodyPublishers.ofByteArray(body));
    return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  private static void s3(RunningNode node, String... words) throws Exception {
    String[] all = new String[words.length + 5];
    all[0] = "s3";
    System.arraycopy(words, 0, all, 1, words.length);
    all[words.length + 1] = "--endpoint";
    all[words.length + 2] = node.url("s3");
    all[words.length + 3] = "--cap";
    all[words.length + 4] = node.keys().adminToken();
    Said said = Said.by(all);
    assertThat(said.exit()).as(said.err()).isZero();
  }

  private static long blocks(HttpClient client, RunningNode node) throws Exception {
    URI metrics = URI.create(node.node().adminUrl() + "/api/s3/metrics");
    String text =
        new String(
            send(client, "GET", metrics, node.keys().adminToken(), new byte[0]).body(), UTF_8);
    return text.lines()
        .filter(line -> line.startsWith("content_objects"))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  @Test
  void aGuessedAddressOpensNoBlockAndNoObjectIsCollected() throws Exception {
    byte[] bytes = new byte[100_000];
    new Random(1).nextBytes(bytes);
    Path file = Files.write(folder.resolve("file"), bytes);
    var settings =
        Map.of(
            "storage.public_read", "true",
            "storage.s3.garbage.grace", "0s",
            "storage.s3.garbage.period", "100ms");
    try (RunningNode node = RunningNode.start(folder.resolve("data"), settings);
        HttpClient client = HttpClient.newHttpClient()) {
      String token = node.keys().adminToken();
      URI object =
          URI.create(node.url("storage") + "/o/" + new Address(Blake3.hash(bytes)).toString());
      s3(node, "mb", "s3://apart");
      s3(node, "cp", file.toString(), "s3://apart/file");
      assertThat(blocks(client, node)).isOne();
      assertThat(send(client, "GET", object, token, new byte[0]).statusCode()).isEqualTo(404);
      assertThat(send(client, "PUT", object, token, bytes).statusCode()).isEqualTo(201);
      s3(node, "rm", "s3://apart/file");
      var time = new SystemTime();
      for (int look = 0; look < 600 && blocks(client, node) > 0; look++) {
        time.sleepUntil(time.now().plus(Duration.ofMillis(50)));
      }
      assertThat(blocks(client, node)).as("the block is collected").isZero();
      HttpResponse<byte[]> read = send(client, "GET", object, token, new byte[0]);
      assertThat(read.statusCode()).isEqualTo(200);
      assertThat(read.body()).isEqualTo(bytes);
    }
  }
}
