package dev.ron.mailbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClusterSmokeTest {
  @TempDir private Path folder;

  @Test
  void everyMachineTakesSendsAndHandsThemOut() throws Exception {
    try (var nodes = new Nodes(folder)) {
      nodes.startAll();
      nodes.awaitAllReady();
      for (int i = 0; i < 30; i++) {
        String node = Nodes.NAMES.get(i % 3);
        HttpResponse<String> sent =
            nodes.post(
                node,
                "/v1/send?topic=t%d&idem_key=k%d".formatted(i % 5, i),
                "application/octet-stream",
                new byte[100]);
        assertThat(sent.statusCode()).as(sent.body()).isEqualTo(200);
      }
      int received = 0;
      for (int i = 0; i < 15; i++) {
        HttpResponse<String> got =
            nodes.post(
                Nodes.NAMES.get(i % 3),
                "/v1/recv",
                "application/json",
                "{\"topic\":\"t%d\",\"max_messages\":2}".formatted(i % 5).getBytes(UTF_8));
        assertThat(got.statusCode()).as(got.body()).isEqualTo(200);
        var found =
            java.util.regex.Pattern.compile("\"msg_id\":\"(\\w+)\".*?\"receipt\":\"(\\w+)\"")
                .matcher(got.body());
        while (found.find()) {
          received++;
          HttpResponse<String> acked =
              nodes.post(
                  Nodes.NAMES.get((i + 1) % 3),
                  "/v1/ack/" + found.group(1),
                  "application/json",
                  "{\"receipt\":\"%s\"}".formatted(found.group(2)).getBytes(UTF_8));
          assertThat(acked.statusCode()).as(acked.body()).isEqualTo(200);
        }
      }
      assertThat(received).isEqualTo(30);
    }
  }
}
