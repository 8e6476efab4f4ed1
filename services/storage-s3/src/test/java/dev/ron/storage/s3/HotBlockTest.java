package dev.ron.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Objects whose blocks are in verified memory: the same bytes, behind the same rights. */
final class HotBlockTest {
  private static final String HITS = "verified_memory_hits_total";

  @TempDir private Path folder;

  @Test
  void blocksThatAreReadOftenComeFromMemory() throws Exception {
    try (var rig = new DoorRig(folder);
        HttpClient http = HttpClient.newHttpClient()) {
      var client = new DoorClient(http, rig.port());
      assertThat(client.put("/bucket", new byte[0])).isEqualTo(200);
      // In the row, in one block, in two.
      for (int size : new int[] {4096, 65_536, (4 << 20) + 70_000}) {
        byte[] object = new byte[size];
        new SplittableRandom(size).nextBytes(object);
        String path = "/bucket/" + size;
        assertThat(client.put(path, object)).isEqualTo(200);
        long before = rig.metric(HITS);
        for (int i = 0; i < 4; i++) {
          assertThat(client.get(path).body()).isEqualTo(object);
        }
        assertThat(rig.metric(HITS) > before).isEqualTo(size > 4096);
        HttpResponse<byte[]> range =
            client.send("GET", path, new byte[0], "Range", "bytes=1000-3999");
        assertThat(range.statusCode()).isEqualTo(206);
        assertThat(range.body()).isEqualTo(Arrays.copyOfRange(object, 1000, 4000));
        HttpResponse<byte[]> across =
            client.send("GET", path, new byte[0], "Range", "bytes=" + (size / 2) + "-");
        assertThat(across.body()).isEqualTo(Arrays.copyOfRange(object, size / 2, size));
        HttpRequest unsigned =
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + rig.port() + path)).build();
        assertThat(http.send(unsigned, BodyHandlers.discarding()).statusCode()).isEqualTo(403);
        assertThat(client.delete(path)).isEqualTo(204);
        assertThat(client.get(path).statusCode()).isEqualTo(404);
      }
    }
  }
}
