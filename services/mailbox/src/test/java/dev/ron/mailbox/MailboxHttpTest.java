package dev.ron.mailbox;

import static dev.ron.mailbox.Rig.field;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Blake3;
import dev.ron.testkit.NoThreadsLeft;
import dev.ron.testkit.SeedRow;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(NoThreadsLeft.class)
final class MailboxHttpTest {
  @TempDir private Path folder;

  @Test
  void aMessageIsSentReceivedAndAcknowledged() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      String sent = rig.send("orders", "k1");
      assertThat(sent).startsWith("200 ").contains("\"duplicate\":false");
      assertThat(rig.send("orders", "k1"))
          .isEqualTo(sent.replace("\"duplicate\":false", "\"duplicate\":true"));
      String received = rig.post("/v1/recv", "{\"topic\":\"orders\"}");
      String id = field(received, "msg_id");
      assertThat(id).isEqualTo(field(sent, "msg_id"));
      assertThat(field(received, "payload_b64")).isEqualTo("azE=");
      assertThat(field(received, "attempt")).isEqualTo("1");
      assertThat(rig.post("/v1/recv", "{\"topic\":\"orders\"}")).isEqualTo("200 {\"messages\":[]}");
      assertThat(rig.post("/v1/ack/" + id, "{\"receipt\":\"0000000000000000\"}"))
          .startsWith("409 ")
          .contains("receipt-expired");
      String receipt = "{\"receipt\":\"" + field(received, "receipt") + "\"}";
      assertThat(rig.post("/v1/extend/" + id, receipt)).isEqualTo("200 {\"ok\":true}");
      assertThat(rig.post("/v1/ack/" + id, receipt)).isEqualTo("200 {\"ok\":true}");
      assertThat(rig.post("/v1/ack/" + id, receipt)).isEqualTo("200 {\"ok\":true}");
      assertThat(rig.post("/v1/nack/" + id, receipt)).startsWith("404 ");
    }
  }

  @Test
  void aRawBodyIsThePayload() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      HttpResponse<String> answer =
          rig.exchange(
              "/v1/send?topic=a.b&idem_key=raw%201", "text/plain", "hello".getBytes(UTF_8), "");
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.headers().firstValue("Ron-Durability")).contains("always");
      String received = rig.post("/v1/recv", "{\"topic\":\"a.b\"}");
      assertThat(field(received, "payload_b64")).isEqualTo("aGVsbG8=");
      assertThat(field(received, "idem_key")).isEqualTo("raw 1");
      answer = rig.exchange("/v1/send?topic=a", "text/plain", new byte[1], "");
      assertThat(answer.body()).contains("schema").contains("idem_key");
    }
  }

  /** In UTF-8 all halves are one character: two keys would be one, and two groups. */
  @Test
  void halvesOfSurrogatePairsAreNoText() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      String form = "{\"topic\":\"t\",\"idem_key\":\"%s\",\"payload_b64\":\"\",%s}";
      for (String half : List.of("\\ud800", "\\udfff", "\\udc00\\ud800")) {
        List<String> wrong =
            List.of(
                form.formatted("k" + half, "\"delay_ms\":0"),
                form.formatted("k", "\"group\":\"%s\"".formatted(half)),
                form.formatted("k", "\"sticky\":\"%s\"".formatted(half)),
                form.formatted("k", "\"attrs\":{\"a\":\"%s\"}".formatted(half)));
        for (String each : wrong) {
          assertThat(rig.post("/v1/send", each)).as(each).startsWith("400 ").contains("schema");
        }
      }
      String pair = "\\ud83d\\ude00";
      String whole = form.formatted(pair, "\"attrs\":{\"a\":\"%s\"}".formatted(pair));
      assertThat(rig.post("/v1/send", whole)).startsWith("200 ");
      assertThat(rig.post("/v1/recv", "{\"topic\":\"t\"}"))
          .contains("\"idem_key\":\"%s\"".formatted(pair), "{\"a\":\"%s\"}".formatted(pair));
    }
  }

  @Test
  void aPayloadIsHeldToTheHashThatCameWithIt() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      byte[] payload = "hello".getBytes(UTF_8);
      String right = Blake3.hash(payload).hex();
      String wrong = right.replace(right.charAt(0), right.charAt(0) == '0' ? '1' : '0');
      assertThat(rig.hashed("/v1/send?topic=t&idem_key=a", payload, wrong))
          .startsWith("422 ")
          .contains("integrity");
      assertThat(rig.hashed("/v1/send?topic=t&idem_key=a", payload, right)).startsWith("200 ");
    }
  }

  @Test
  void aPayloadPastItsLimitIsRefused() throws Exception {
    try (Rig rig = Rig.open(folder, "payload_bytes=1KiB")) {
      var answer = rig.exchange("/v1/send?topic=t&idem_key=a", "text/plain", new byte[1025], "");
      assertThat(answer.statusCode() + answer.body()).startsWith("413").contains("frame-too-large");
      answer = rig.exchange("/v1/send?topic=t&idem_key=a", "text/plain", new byte[1024], "");
      assertThat(answer.statusCode()).isEqualTo(200);
    }
  }

  @Test
  void aLongPollEndsWithTheFirstMessageAlsoOfAStickyShard() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      for (int i = 0; i < 8; i++) {
        String sticky = "s" + i;
        CompletableFuture<String> poll =
            CompletableFuture.supplyAsync(
                () -> {
                  try {
                    return rig.post("/v1/recv", "{\"topic\":\"t\",\"wait_ms\":20000}");
                  } catch (Exception e) {
                    throw new AssertionError(e);
                  }
                });
        String sent =
            rig.post(
                "/v1/send",
                "{\"topic\":\"t\",\"idem_key\":\"%s\",\"payload_b64\":\"\",\"sticky\":\"%s\"}"
                    .formatted(sticky, sticky));
        assertThat(field(poll.get(), "msg_id")).isEqualTo(field(sent, "msg_id"));
      }
    }
  }

  @Test
  void stickyMessagesAreFoundWithoutWaiting() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      for (int i = 0; i < 20; i++) {
        rig.post(
            "/v1/send",
            "{\"topic\":\"t\",\"idem_key\":\"%d\",\"payload_b64\":\"\",\"sticky\":\"%d\"}"
                .formatted(i, i));
      }
      String received = rig.post("/v1/recv", "{\"topic\":\"t\",\"max_messages\":100}");
      assertThat(received.split("msg_id", -1)).hasSize(21);
    }
  }

  @Test
  void aBatchIsAnsweredInOrder() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      String one = "{\"topic\":\"t\",\"idem_key\":\"%s\",\"payload_b64\":\"%s\"}";
      String sent =
          rig.post(
              "/v1/send/batch",
              "{\"messages\":["
                  + String.join(
                      ",",
                      one.formatted("a", "AA=="),
                      one.formatted("b", "AA=="),
                      one.formatted("a", "AA=="),
                      one.formatted("a", "AQ=="))
                  + "]}");
      assertThat(sent)
          .matches(
              "200 \\{\"results\":\\[\\{\"msg_id\":\"(\\w{26})\",\"duplicate\":false\\},"
                  + "\\{\"msg_id\":\"\\w{26}\",\"duplicate\":false\\},"
                  + "\\{\"msg_id\":\"\\1\",\"duplicate\":true\\},"
                  + "\\{\"code\":\"idem-mismatch\",.*\\]\\}");
      String received = rig.post("/v1/recv", "{\"topic\":\"t\",\"max_messages\":10}");
      String entries =
          received
              .substring(4)
              .replaceAll(
                  "\\{\"msg_id\":\"(\\w+)\"[^{}]*\\{\\}[^{}]*\"receipt\":\"(\\w+)\"[^{}]*\\}",
                  "{\"msg_id\":\"$1\",\"receipt\":\"$2\"}")
              .replace("\"messages\"", "\"entries\"");
      assertThat(rig.post("/v1/ack", entries))
          .isEqualTo("200 {\"results\":[{\"ok\":true},{\"ok\":true}]}");
      assertThat(rig.get("/v1/topics")).isEqualTo("200 {\"topics\":[]}");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '!',
      value = {
        "{\"topic\":\"t\",\"idem_key\":\"k\",\"payload_b64\":\"\",\"nope\":1} | nope: is not a"
            + " known",
        "{\"topic\":\"t\",\"topic\":\"t\",\"idem_key\":\"k\",\"payload_b64\":\"\"} | topic: is"
            + " there twice",
        "{\"idem_key\":\"k\",\"payload_b64\":\"\"} | topic: is missing",
        "{\"topic\":\"t\",\"payload_b64\":\"\"} | idem_key: is missing",
        "{\"topic\":\"t..u\",\"idem_key\":\"k\",\"payload_b64\":\"\"} | topic: must be",
        "{\"topic\":\"t\",\"idem_key\":\"\",\"payload_b64\":\"\"} | idem_key: must be",
        "{\"topic\":\"t\",\"idem_key\":\"k\",\"payload_b64\":\"?\"} | payload_b64: is not base64",
        "{\"topic\":\"t\",\"idem_key\":\"k\",\"payload_b64\":\"\",\"delay_ms\":-1} | delay_ms: must"
            + " be",
        "{\"topic\":\"t\",\"idem_key\":\"k\",\"payload_b64\":\"\",\"delay_ms\":1.5} | delay_ms:"
            + " must be",
        "{\"topic\":\"t\",\"idem_key\":\"k\",\"payload_b64\":\"\",\"attrs\":{\"a\":1}} | attrs.a:"
            + " must be text",
        "{\"topic\":\"t\",\"idem_key\":null,\"payload_b64\":\"\"} | idem_key: must not be null",
        "[] | $: must be a JSON object",
        "{} {} | $: is followed by more",
        "{\"topic\": | $: is not JSON",
      })
  void whatIsWrongIsNamed(String json, String detail) throws Exception {
    try (Rig rig = Rig.open(folder)) {
      assertThat(rig.post("/v1/send", json))
          .startsWith("400 {\"code\":\"schema\"")
          .contains(detail);
    }
  }

  @Test
  void aFormWithoutItsContentTypeIsToldWhatItLacks() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      byte[] form = "{\"topic\":\"t\"}".getBytes(UTF_8);
      String hint = "for a form in the body send Content-Type: application/json";
      assertThat(rig.exchange("/v1/send", "application/x-www-form-urlencoded", form, "").body())
          .contains("topic: is missing in the query; " + hint);
      assertThat(rig.exchange("/v1/send", "text/plain", form, "").body())
          .contains("topic: is missing in the query")
          .doesNotContain(hint);
    }
  }

  @Test
  void messagesAreSeenWithoutBeingReceivedAndAPurgeLetsThemGo() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      assertThat(rig.get("/v1/peek?topic=t")).isEqualTo("200 {\"messages\":[]}");
      assertThat(rig.get("/v1/peek")).startsWith("400 ").contains("topic");
      rig.send("t", "k1");
      rig.send("t", "k2");
      rig.send("other", "k3");
      String received = rig.post("/v1/recv", "{\"topic\":\"t\",\"max_messages\":1}");
      assertThat(rig.get("/v1/peek?topic=t"))
          .contains("\"state\":\"in-flight\"", "\"state\":\"ready\"", "\"payload_b64\":\"azI=\"")
          .doesNotContain("receipt");
      assertThat(rig.get("/v1/peek?topic=t&limit=1")).doesNotContain("azI=");
      assertThat(rig.post("/v1/purge", "{\"topic\":\"t\"}")).isEqualTo("200 {\"ok\":true}");
      assertThat(rig.get("/v1/peek?topic=t")).isEqualTo("200 {\"messages\":[]}");
      assertThat(rig.get("/v1/peek?topic=other")).contains("k3");
      // The consumer that had one learns that it is gone.
      assertThat(
              rig.post(
                  "/v1/ack/" + field(received, "msg_id"),
                  "{\"receipt\":\"" + field(received, "receipt") + "\"}"))
          .startsWith("404 ");
      assertThat(rig.post("/v1/purge", "{\"topic\":\"sqs/000000000000/q\"}"))
          .startsWith("400 ")
          .contains("PurgeQueue");
    }
    try (Rig rig = Rig.open(folder)) {
      assertThat(rig.get("/v1/peek?topic=t")).isEqualTo("200 {\"messages\":[]}");
      assertThat(rig.get("/v1/peek?topic=other")).contains("k3");
    }
  }

  @Test
  void deadLettersAreListedShownSentAgainAndDropped() throws Exception {
    try (Rig rig = Rig.open(folder, "max_attempts=1")) {
      rig.send("t", "k");
      String received = rig.post("/v1/recv", "{\"topic\":\"t\"}");
      String id = field(received, "msg_id");
      rig.post("/v1/nack/" + id, "{\"reason\":\"cannot read it\"}");
      String listed = rig.get("/v1/dlq?topic=t");
      assertThat(listed)
          .contains(id, "max-attempts", "cannot read it")
          .doesNotContain("payload_b64");
      assertThat(rig.get("/v1/dlq/" + id)).contains("\"payload_b64\":\"aw==\"");
      String copied =
          rig.post("/v1/dlq/" + id + "/copy", "{\"idem_key\":\"mended\",\"payload_b64\":\"AQ==\"}");
      assertThat(copied).startsWith("200 ").contains("\"duplicate\":false");
      assertThat(rig.post("/v1/ack/" + Rig.field(copied, "msg_id"), "{}")).startsWith("200 ");
      assertThat(rig.post("/v1/dlq/" + id + "/copy", "{}")).startsWith("400 ").contains("idem_key");
      assertThat(rig.post("/v1/dlq/reprocess", "{\"topic\":\"t\",\"limit\":10}"))
          .contains("\"count\":1");
      received = rig.post("/v1/recv", "{\"topic\":\"t\"}");
      assertThat(field(received, "msg_id")).isEqualTo(id);
      assertThat(field(received, "attempt")).isEqualTo("1");
      rig.post("/v1/nack/" + id, "{}");
      assertThat(rig.delete("/v1/dlq/" + id)).contains("\"count\":1");
      assertThat(rig.get("/v1/dlq/" + id)).startsWith("404 ").contains("unknown-message");
    }
  }

  @ParameterizedTest
  @CsvSource({
    // bytes of the payload, spaces beside it, status
    "1048576,      0, 200",
    "1048577,      0, 413",
    "1048576,  70000, 413",
    "4,      1500000, 413"
  })
  void aFormIsAsLongAsItsLargestPayloadNeeds(int bytes, int spaces, int status) throws Exception {
    String form =
        "{\"topic\":\"t\",%s\"idem_key\":\"k\",\"payload_b64\":\"%s\"}"
            .formatted(" ".repeat(spaces), Base64.getEncoder().encodeToString(new byte[bytes]));
    try (Rig rig = Rig.open(folder)) {
      assertThat(rig.post("/v1/send", form)).startsWith(status + " ");
    }
  }

  @Test
  void aFormMaySayThePayloadsHash() throws Exception {
    String form =
        "{\"topic\":\"t\",\"idem_key\":\"%s\",\"payload_b64\":\"aGk=\",\"payload_hash\":\"%s\"}";
    String hash = Blake3.hash("hi".getBytes(UTF_8)).hex();
    try (Rig rig = Rig.open(folder)) {
      assertThat(rig.post("/v1/send", form.formatted("a", hash))).startsWith("200 ");
      assertThat(rig.post("/v1/send", form.formatted("b", "00" + hash.substring(2))))
          .startsWith("422 ")
          .contains("integrity");
      assertThat(rig.get("/openapi.json")).containsPattern("/v1/send\"((?!/v1/).)*\"422\"");
    }
  }

  @Test
  @SeedRow("M42")
  void aVisibilityBelowTheLeastIsRefused() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      String ask = "{\"topic\":\"t\",\"visibility_ms\":%d}";
      assertThat(rig.post("/v1/recv", ask.formatted(249)))
          .startsWith("400 ")
          .contains("visibility_ms: must be");
      assertThat(rig.post("/v1/recv", ask.formatted(250))).startsWith("200 ");
    }
  }

  @Test
  void fullIsToldWithATimeToRetry() throws Exception {
    try (Rig rig = Rig.open(folder, "shard_count=1", "shard_capacity=1", "global_inflight=1")) {
      assertThat(rig.send("t", "a")).startsWith("200 ");
      assertThat(rig.send("t", "b"))
          .startsWith("429 ")
          .contains("saturated", "shard_capacity", "retry_after");
      assertThat(
              rig.post(
                  "/v1/send/batch",
                  "{\"messages\":[{\"topic\":\"t\",\"idem_key\":\"c\",\"payload_b64\":\"\"}]}"))
          .contains("saturated");
      assertThat(rig.get("/metrics"))
          .contains("busy_rejections_total{endpoint=\"/v1/send\"} 1.0")
          .contains("busy_rejections_total{endpoint=\"/v1/send/batch\"} 1.0");
      rig.post("/v1/recv", "{\"topic\":\"t\"}");
    }
  }

  @Test
  void whatWasAcknowledgedIsThereAfterARestart() throws Exception {
    String first;
    try (Rig rig = Rig.open(folder)) {
      first = rig.send("t", "a");
      rig.send("t", "b");
      String id = field(rig.post("/v1/recv", "{\"topic\":\"t\"}"), "msg_id");
      assertThat(id).isEqualTo(field(first, "msg_id"));
      rig.post("/v1/ack/" + id, "{}");
    }
    try (Rig rig = Rig.open(folder)) {
      assertThat(rig.send("t", "a")).contains(field(first, "msg_id"), "\"duplicate\":true");
      String received = rig.post("/v1/recv", "{\"topic\":\"t\",\"max_messages\":10}");
      assertThat(field(received, "idem_key")).isEqualTo("b");
      assertThat(received.split("msg_id", -1)).hasSize(2);
    }
  }

  @Test
  void amnesiaSaysSoAndForgets() throws Exception {
    for (int i = 0; i < 2; i++) {
      try (Rig rig = Rig.open(folder, "amnesia=true")) {
        assertThat(rig.get("/v1/topics")).isEqualTo("200 {\"topics\":[]}");
        var sent = rig.exchange("/v1/send?topic=t&idem_key=a", "text/plain", new byte[1], "");
        assertThat(sent.headers().firstValue("Ron-Durability")).contains("amnesia");
        assertThat(rig.get("/readyz")).contains("\"notes\":{\"durability\":\"amnesia\"}");
        assertThat(sent.body()).contains("\"duplicate\":false");
        assertThat(rig.post("/v1/recv", "{\"topic\":\"t\"}")).contains("\"attempt\":1");
      }
    }
  }

  @Test
  void flushByIntervalSaysSoAndKeepsWhatWasFlushed() throws Exception {
    try (Rig rig = Rig.open(folder, "flush=interval")) {
      var sent = rig.exchange("/v1/send?topic=t&idem_key=a", "text/plain", new byte[1], "");
      assertThat(sent.headers().firstValue("Ron-Durability")).contains("interval");
    }
    try (Rig rig = Rig.open(folder)) {
      assertThat(rig.post("/v1/recv", "{\"topic\":\"t\"}")).contains("\"attempt\":1");
    }
  }

  @Test
  void jsonInAnotherEncodingIsRefused() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      byte[] wide = "{\"topic\":\"t\"}".getBytes(java.nio.charset.StandardCharsets.UTF_16LE);
      assertThat(rig.exchange("/v1/recv", "application/json", wide, "").body())
          .contains("is not UTF-8");
    }
  }

  @Test
  @SeedRow({"M20", "M33", "M72", "M108"})
  void theMetricsOfTheSpecificationAreThere() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      rig.send("t", "a");
      rig.post("/v1/recv", "{\"topic\":\"t\"}");
      assertThat(rig.get("/metrics"))
          .contains(
              "queue_depth{queue=\"inbox\",shard=\"0\"} 0.0",
              "queue_depth{queue=\"ready\",shard=\"0\"}",
              "queue_dropped_total{queue=\"inbox\"} 0.0",
              "requeue_backoff_total 0.0",
              "reorder_depth_max{shard=\"",
              "saturation{queue=\"inbox\",shard=\"0\"} 0.0",
              "saturation{queue=\"ready\",shard=\"0\"}",
              "request_latency_seconds_count{op=\"send\"} 1",
              "bus_lagged_total{topic=\"events\"} 0.0",
              "enqueue_latency_seconds_count 1");
    }
  }
}
