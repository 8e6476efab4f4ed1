package dev.ron.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A drain under load: what was acknowledged is there after the next start. */
final class DoorDrainTest {
  private static final int WRITERS = 4;
  private static final int ROUNDS = 3;

  @TempDir private Path folder;

  private final Map<String, byte[]> acknowledged = new ConcurrentHashMap<>();

  @Test
  @Timeout(120)
  void whatWasAcknowledgedIsThereAfterADrain() throws Exception {
    for (int round = 0; round <= ROUNDS; round++) {
      try (var rig = new DoorRig(folder, "s3.names.checkpoint_period=1s");
          HttpClient http = HttpClient.newHttpClient()) {
        var client = new DoorClient(http, rig.port());
        if (round == 0) {
          assertThat(client.put("/bucket", new byte[0])).isEqualTo(200);
        }
        for (Map.Entry<String, byte[]> object : acknowledged.entrySet()) {
          assertThat(client.get(object.getKey()).body())
              .as("%s in round %d", object.getKey(), round)
              .isEqualTo(object.getValue());
        }
        if (round < ROUNDS) {
          loadAndDrain(rig, client, round);
        }
      }
    }
  }

  private void loadAndDrain(DoorRig rig, DoorClient client, int round) throws Exception {
    List<Thread> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      String prefix = "/bucket/%d-%d-".formatted(round, i);
      writers.add(Thread.ofVirtual().start(() -> write(client, prefix)));
    }
    int before = acknowledged.size();
    DoorRig.eventually("the load is on", () -> acknowledged.size() > before + 40);
    assertThat(rig.drain().clean()).isTrue();
    for (Thread writer : writers) {
      writer.join();
    }
  }

  private void write(DoorClient client, String prefix) {
    try {
      for (int number = 0; ; number++) {
        // Every other one goes into blocks.
        byte[] body = ByteBuffer.allocate(number % 2 == 0 ? 100 : 8000).putInt(number).array();
        if (client.put(prefix + number, body) != 200) {
          return;
        }
        acknowledged.put(prefix + number, body);
      }
    } catch (Exception drained) {
      // what was under way is unknown and stays out of the ledger
    }
  }
}
