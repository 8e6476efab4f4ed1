package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.LiveFiles;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Another user of the machine reads nothing of a node, however the shell that started it is set.
 */
@Timeout(60)
final class DataFolderTest {
  @TempDir private Path machine;

  @Test
  void everyFileOfANodeThatWorkedIsItsOwnersAlone() throws Exception {
    Path data = machine.resolve("deep/data");
    try (RunningNode node = RunningNode.start(data, Map.of());
        HttpClient client = HttpClient.newHttpClient()) {
      String token = node.keys().adminToken();
      assertThat(post(client, node.url("storage") + "/o", token, "private bytes")).isEqualTo(201);
      String message = "{\"topic\":\"t\",\"idem_key\":\"k\",\"payload_b64\":\"c2VjcmV0\"}";
      assertThat(post(client, node.url("mailbox") + "/v1/send", token, message)).isEqualTo(200);
      assertThat(LiveFiles.under(data))
          .hasSizeGreaterThan(10)
          .allSatisfy(DataFolderTest::isItsOwnersAlone);
    }
  }

  private static int post(HttpClient client, String url, String token, String body)
      throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build();
    return client.send(request, BodyHandlers.discarding()).statusCode();
  }

  private static void isItsOwnersAlone(Path path) throws Exception {
    // A part of a snapshot may have got its name since it was listed.
    if (!Files.exists(path)) {
      return;
    }
    // RocksDB gives its files the modes of the process, which the launcher narrows; the folder that
    // they lie in is ours, and no other user gets through it.
    if (path.getParent().endsWith("names/rows")) {
      isItsOwnersAlone(path.getParent());
      return;
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
        .as(path.toString())
        .endsWith("------");
  }

  @Test
  void aFolderThatWasOpenIsClosedAndSaidSo() throws Exception {
    Path data = Files.createDirectory(machine.resolve("data"));
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(DataFolder.make(data)).contains("it was rwxr-xr-x and is rwx------ now");
    isItsOwnersAlone(data);
    assertThat(DataFolder.make(data)).isEmpty();
  }
}
