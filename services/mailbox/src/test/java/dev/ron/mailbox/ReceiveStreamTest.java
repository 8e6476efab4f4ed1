package dev.ron.mailbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The stream gives what the client has credit for, and goes on as credit comes back. */
@Timeout(30)
final class ReceiveStreamTest {
  @TempDir private Path folder;

  @Test
  void noMoreIsOpenThanTheClientAskedFor() throws Exception {
    try (Rig rig = Rig.open(folder);
        HttpClient http = HttpClient.newHttpClient()) {
      for (int i = 0; i < 6; i++) {
        rig.send("t", "k" + i);
      }
      try (InputStream body = stream(http, rig, "{\"topic\":\"t\",\"credit\":2}");
          var lines = new BufferedReader(new InputStreamReader(body, UTF_8))) {
        String first = envelope(lines);
        String second = envelope(lines);
        assertThat(inFlight(rig)).as("two and no more").isEqualTo("2");
        assertThat(Rig.field(first, "idem_key")).isEqualTo("k0");
        ack(rig, first);
        String third = envelope(lines);
        assertThat(Rig.field(third, "idem_key")).isEqualTo("k2");
        assertThat(inFlight(rig)).isEqualTo("2");
        nack(rig, second);
        String again = envelope(lines);
        assertThat(Rig.field(again, "idem_key")).isEqualTo("k1");
        assertThat(Rig.field(again, "attempt")).isEqualTo("2");
        ack(rig, third);
        ack(rig, again);
        assertThat(Rig.field(envelope(lines), "idem_key")).isEqualTo("k3");
      }
    }
  }

  @Test
  void aMessageThatComesLaterIsHandedOutAtOnce() throws Exception {
    try (Rig rig = Rig.open(folder);
        HttpClient http = HttpClient.newHttpClient()) {
      try (InputStream body = stream(http, rig, "{\"topic\":\"t\"}");
          var lines = new BufferedReader(new InputStreamReader(body, UTF_8))) {
        rig.send("t", "later");
        assertThat(Rig.field(envelope(lines), "idem_key")).isEqualTo("later");
      }
    }
  }

  @Test
  void aWrongFormIsRefusedBeforeAnythingFlows() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      assertThat(rig.post("/v1/recv/stream", "{\"topic\":\"t\",\"credit\":0}"))
          .startsWith("400 ")
          .contains("credit");
    }
  }

  private static InputStream stream(HttpClient http, Rig rig, String form)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + rig.wired.door().port() + "/v1/recv/stream"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(form))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofInputStream()).body();
  }

  /** The next line that is not a sign of life. */
  private static String envelope(BufferedReader lines) throws IOException {
    String line = lines.readLine();
    while (line.isEmpty()) {
      line = lines.readLine();
    }
    return line;
  }

  private static String inFlight(Rig rig) throws Exception {
    return Rig.field(rig.get("/v1/topics/t"), "in_flight");
  }

  private static void ack(Rig rig, String envelope) throws Exception {
    settle(rig, "ack", envelope, "");
  }

  private static void nack(Rig rig, String envelope) throws Exception {
    settle(rig, "nack", envelope, ",\"delay_ms\":0");
  }

  private static void settle(Rig rig, String verb, String envelope, String more) throws Exception {
    String form = "{\"receipt\":\"" + Rig.field(envelope, "receipt") + "\"" + more + "}";
    assertThat(rig.post("/v1/" + verb + "/" + Rig.field(envelope, "msg_id"), form))
        .startsWith("200 ");
  }
}
