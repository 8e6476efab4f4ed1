package dev.ron.storage;

import static dev.ron.storage.Rig.address;
import static dev.ron.storage.Rig.bytes;
import static dev.ron.storage.Rig.words;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.SeedRow;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Disks that do not answer: requests end, the other disks serve, and it all comes back. */
@Timeout(120)
final class HungDiskTest {
  private static final String[] SOON = {"disk_timeout=1s", "hot.memory=0B", "pools.get=2"};

  @TempDir private Path folder;
  private final HungDisk hung = new HungDisk();

  @Test
  @SeedRow("S06")
  void requestsThatWaitForItEndAndTheNextAreToldAtOnce() throws Exception {
    byte[] object = bytes(1, 200_000);
    try (Rig rig = Rig.on(hung.disk(), folder, SOON);
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      assertThat(rig.put(object).statusCode()).isEqualTo(201);
      hung.hang(folder);
      try {
        var waiting = new ArrayList<Future<HttpResponse<byte[]>>>();
        for (int i = 0; i < 6; i++) {
          waiting.add(callers.submit(() -> rig.get("/o/" + address(object))));
        }
        for (Future<HttpResponse<byte[]>> each : waiting) {
          assertThat(words(each.get())).containsPattern("^50[34] ");
        }
        assertThat(words(rig.get("/readyz"))).startsWith("503 ").contains("has not answered a");
        assertThat(words(rig.get("/o/" + address(object))))
            .startsWith("503 ")
            .contains("has not answered a");
        assertThat(words(rig.put(bytes(2, 100)))).startsWith("503 ");
        assertThat(rig.metricValue("io_timeouts_total{op=\"disk\"}")).isPositive();
      } finally {
        hung.letGo();
      }
      Rig.eventually("ready again", () -> rig.scope.readiness().ready());
      assertThat(rig.get("/o/" + address(object)).body()).isEqualTo(object);
      assertThat(rig.put(bytes(3, 100)).statusCode()).isEqualTo(201);
    }
  }

  @Test
  void theOtherDiskServesWhatBothHave() throws Exception {
    List<byte[]> kept = new ArrayList<>();
    Path a = folder.resolve("a");
    Path b = folder.resolve("b");
    try (Rig rig = Rig.on(hung.disk(), folder, with(Rig.dirs(a, b), "durability.replication=2"));
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 8; i++) {
        kept.add(bytes(i, 80_000));
        assertThat(rig.put(kept.getLast()).statusCode()).isEqualTo(201);
      }
      hung.hang(b, "read");
      try {
        // As many as there are places, and more, run into the disk before it is known to hang.
        var first = new ArrayList<Future<HttpResponse<byte[]>>>();
        for (byte[] object : kept) {
          first.add(callers.submit(() -> rig.get("/o/" + address(object))));
        }
        for (Future<HttpResponse<byte[]>> each : first) {
          assertThat(words(each.get())).containsPattern("^(200|503|504) ");
        }
        for (byte[] object : kept) {
          assertThat(rig.get("/o/" + address(object)).body()).isEqualTo(object);
        }
        assertThat(words(rig.get("/readyz"))).contains("data-dir-1").doesNotContain("data-dir-0");
      } finally {
        hung.letGo();
      }
      Rig.eventually("ready again", () -> rig.scope.readiness().ready());
    }
  }

  @Test
  void aPutWhoseFlushHangsIsNotAcknowledgedAndFoundOnlyWhole() throws Exception {
    byte[] object = bytes(1, 5000);
    try (Rig rig = Rig.on(hung.disk(), folder, SOON)) {
      hung.hang(folder, "flush");
      try {
        assertThat(words(rig.put(object))).startsWith("503 ");
      } finally {
        hung.letGo();
      }
      Rig.eventually("ready again", () -> rig.scope.readiness().ready());
      assertThat(rig.put(object).statusCode()).isIn(200, 201);
      assertThat(rig.get("/o/" + address(object)).body()).isEqualTo(object);
    }
  }

  private static String[] with(String... more) {
    var all = new ArrayList<>(List.of(SOON));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }
}
