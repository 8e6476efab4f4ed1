package dev.ron.mailbox;

import static dev.ron.mailbox.Rig.field;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.mailbox.core.MailboxScript;
import dev.ron.mailbox.core.state.Attempts;
import dev.ron.mailbox.core.state.ShardLimits;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Dead letters are sent again: as many, as fast and as far as there is room. */
@Timeout(120)
final class ReprocessTest {
  private static final ShardLimits ONE_ATTEMPT =
      new ShardLimits(
          10, 10, 1000, 10, 10, new Attempts(1, MailboxScript.LIMITS.attempts().backoff()));

  @TempDir private Path folder;

  @Test
  void theyComeBackAtTheRateThatIsAskedFor() throws IOException {
    MailboxScript.play(
        ONE_ATTEMPT,
        """
        0      send      m1        -> m1
        0      send      m2        -> m2
        0      send      m3        -> m3
        0      receive   r1  1     -> m1
        0      receive   r2  1     -> m2
        0      receive   r3  1     -> m3
        1      reprocess rate=1 limit=2 -> 2
        1      dead                -> m3:max-attempts:1:visibility-timeout
        1      receive   r4  5000  -> m1
        1000   receive   r5  5000  -> empty
        1001   receive   r5  5000  -> m2
        1002   reprocess           -> 1
        1002   receive   r6  5000  -> m3
        """);
  }

  @Test
  void theFilterSaysWhichAndAnIdSaysOne() throws Exception {
    try (Rig rig = Rig.open(folder, "max_attempts=1")) {
      String first = dead(rig, "a", "1");
      String second = dead(rig, "b", "2");
      String none = "200 {\"ok\":true,\"count\":0}";
      String one = "200 {\"ok\":true,\"count\":1}";
      assertThat(rig.post("/v1/dlq/reprocess", "{\"topic\":\"c\"}")).isEqualTo(none);
      assertThat(rig.post("/v1/dlq/reprocess", "{\"reason\":\"integrity\"}")).isEqualTo(none);
      assertThat(rig.post("/v1/dlq/reprocess", "{\"reason\":\"boredom\"}"))
          .startsWith("400 ")
          .contains("reason: is none a message can die of");
      assertThat(rig.post("/v1/dlq/reprocess", "{\"topic\":\"a\"}")).isEqualTo(one);
      assertThat(rig.post("/v1/dlq/" + first + "/reprocess", ""))
          .startsWith("404 ")
          .contains("unknown-message");
      assertThat(rig.post("/v1/dlq/" + second + "/reprocess", "")).isEqualTo(one);
      assertThat(rig.get("/v1/dlq")).isEqualTo("200 {\"messages\":[]}");
      assertThat(rig.post("/v1/recv", "{\"topic\":\"b\"}")).contains(second, "\"attempt\":1");
    }
  }

  /** Sends a message and refuses it; its id. */
  private static String dead(Rig rig, String topic, String key) throws Exception {
    rig.send(topic, key);
    String received = rig.post("/v1/recv", "{\"topic\":\"%s\"}".formatted(topic));
    String receipt = "{\"receipt\":\"%s\"}".formatted(field(received, "receipt"));
    String id = field(received, "msg_id");
    assertThat(rig.post("/v1/nack/" + id, receipt)).startsWith("200 ");
    return id;
  }

  @Test
  void deadLettersThatDoNotFitStayAndTheAnswerSaysSo() throws Exception {
    try (Rig rig = Rig.open(folder, "shard_count=1", "shard_capacity=4", "max_attempts=1")) {
      for (int i = 0; i < 4; i++) {
        rig.send("t", "dies" + i);
        String received = rig.post("/v1/recv", "{\"topic\":\"t\"}");
        rig.post(
            "/v1/nack/" + field(received, "msg_id"),
            "{\"receipt\":\"%s\"}".formatted(field(received, "receipt")));
      }
      rig.send("t", "a");
      rig.send("t", "b");
      rig.send("t", "c");
      assertThat(rig.post("/v1/dlq/reprocess", "{\"topic\":\"t\"}"))
          .isEqualTo(
              "200 {\"ok\":true,\"count\":1,\"left\":3,"
                  + "\"why\":\"shard_capacity is at its limit of 4; retry after the time given\"}");
      assertThat(rig.post("/v1/dlq/reprocess", "{\"topic\":\"t\"}"))
          .startsWith("429 ")
          .contains("shard_capacity");
      String left = field(rig.get("/v1/dlq"), "msg_id");
      assertThat(rig.post("/v1/dlq/" + left + "/reprocess", "{}")).startsWith("429 ");
      assertThat(rig.get("/v1/dlq/" + left)).startsWith("200 ");
      // The loop publishes its figures after its answers.
      String saturation = "saturation{queue=\"ready\",shard=\"0\"}";
      Rig.eventually("all places are taken", () -> rig.metric(saturation) >= 1);
      assertThat(rig.metric(saturation)).isEqualTo(1);
    }
  }
}
