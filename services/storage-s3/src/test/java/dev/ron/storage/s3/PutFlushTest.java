package dev.ron.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How often the disk is flushed for a small object, which lies beside its name in the log. */
@Timeout(120)
final class PutFlushTest {
  private static final String FLUSHES = "s3_journal_flush_seconds_count";
  private static final byte[] SMALL = new byte[4 << 10];

  @TempDir private Path folder;

  @Test
  void aSmallPutCostsOneFlushAndNoBlockAndPutsAtOnceShareThem() throws Exception {
    try (var rig = new DoorRig(folder);
        HttpClient http = HttpClient.newHttpClient()) {
      var client = new DoorClient(http, rig.port());
      assertThat(client.put("/bucket", new byte[0])).isEqualTo(200);
      long before = rig.metric(FLUSHES);
      for (int i = 0; i < 20; i++) {
        assertThat(client.put("/bucket/alone-" + i, SMALL)).isEqualTo(200);
      }
      long alone = rig.metric(FLUSHES) - before;
      assertThat(alone).as("flushes of 20 puts").isEqualTo(20);
      Set<Integer> answers = ConcurrentHashMap.newKeySet();
      List<Thread> writers = new ArrayList<>();
      for (int i = 0; i < 32; i++) {
        String key = "/bucket/together-" + i + "-";
        writers.add(Thread.ofVirtual().start(() -> put(client, key, answers)));
      }
      for (Thread writer : writers) {
        writer.join();
      }
      assertThat(answers).containsExactly(200);
      assertThat(rig.metric(FLUSHES) - before - alone).as("flushes of 320 puts").isLessThan(320);
      assertThat(rig.blocks()).isZero();
    }
  }

  private static void put(DoorClient client, String key, Set<Integer> answers) {
    try {
      for (int i = 0; i < 10; i++) {
        answers.add(client.put(key + i, SMALL));
      }
    } catch (Exception failed) {
      throw new AssertionError(failed);
    }
  }
}
