package dev.ron.mailbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.mailbox.core.ShardLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A folder that is opened with another {@code shard_count}, as clients see it. */
final class RebalanceHttpTest {
  private static final int TOPICS = 12;

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({"8,3", "3,8", "1,8", "8,1"})
  void clientsNoticeNothing(int before, int after) throws Exception {
    var ids = new ArrayList<String>();
    try (Rig rig = Rig.open(folder, "shard_count=" + before)) {
      for (int i = 0; i < TOPICS; i++) {
        ids.add(Rig.field(rig.send("topic-" + i, "key-" + i), "msg_id"));
      }
    }
    try (Rig rig = Rig.open(folder, "shard_count=" + after)) {
      for (int i = 0; i < TOPICS; i++) {
        assertThat(rig.send("topic-" + i, "key-" + i))
            .as("a key that was sent before the change")
            .isEqualTo("200 {\"msg_id\":\"%s\",\"duplicate\":true}".formatted(ids.get(i)));
      }
      assertThat(rig.post("/v1/send/batch", batch("key-1", "aGVsbG8=")))
          .as("the same key with other bytes")
          .contains("idem-mismatch");
      for (int i = 0; i < TOPICS; i++) {
        String got = rig.post("/v1/recv", "{\"topic\":\"topic-%d\"}".formatted(i));
        assertThat(Rig.field(got, "msg_id")).isEqualTo(ids.get(i));
        String receipt = "{\"receipt\":\"%s\"}".formatted(Rig.field(got, "receipt"));
        assertThat(rig.post("/v1/ack/" + ids.get(i), receipt)).startsWith("200");
        assertThat(rig.post("/v1/ack/" + ids.get(i), "{}")).as("again").startsWith("200");
        assertThat(rig.post("/v1/recv", "{\"topic\":\"topic-%d\"}".formatted(i)))
            .isEqualTo("200 {\"messages\":[]}");
      }
    }
  }

  private static String batch(String key, String payload) {
    return "{\"messages\":[{\"topic\":\"topic-1\",\"idem_key\":\"%s\",\"payload_b64\":\"%s\"}]}"
        .formatted(key, payload);
  }

  @Test
  void neitherTheBacklogOfBeforeNorNewMessagesKeepTheOtherWaiting() throws Exception {
    // Its main shard was not the one shard that there is after the change.
    String topic =
        IntStream.range(0, 100)
            .mapToObj(i -> "topic-" + i)
            .filter(each -> ShardLayout.of(8).shard(each, "") != 0)
            .findFirst()
            .orElseThrow();
    Set<String> old;
    try (Rig rig = Rig.open(folder, "shard_count=8")) {
      old = sendThree(rig, topic, "old");
    }
    try (Rig rig = Rig.open(folder, "shard_count=1")) {
      Set<String> fresh = sendThree(rig, topic, "new");
      var first = new HashSet<String>();
      for (int i = 0; i < 2; i++) {
        String got = rig.post("/v1/recv", "{\"topic\":\"%s\"}".formatted(topic));
        first.add(Rig.field(got, "msg_id"));
      }
      assertThat(first).anyMatch(old::contains).anyMatch(fresh::contains);
    }
  }

  private static Set<String> sendThree(Rig rig, String topic, String key) throws Exception {
    var ids = new HashSet<String>();
    for (int i = 0; i < 3; i++) {
      ids.add(Rig.field(rig.send(topic, key + i), "msg_id"));
    }
    return ids;
  }
}
