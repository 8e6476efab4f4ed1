package dev.ron.storage.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three machines in one process, with real sockets between them. */
@Timeout(240)
final class DoorClusterTest {
  private static final String LISTING = "/bucket?list-type=2&max-keys=1000";

  @TempDir private Path folder;

  private static byte[] bytes(int size, long seed) {
    byte[] bytes = new byte[size];
    new SplittableRandom(seed).nextBytes(bytes);
    return bytes;
  }

  @Test
  void whatOneMachineTookTheOthersReadListAndDelete() throws Exception {
    try (var machines = new DoorMachines(folder)) {
      for (String name : DoorMachines.NAMES) {
        machines.start(name);
      }
      machines.awaitBucket("a", "bucket");
      byte[] small = "small".getBytes(UTF_8);
      byte[] large = bytes(5 << 20, 1);
      for (int round = 0; round < 4; round++) {
        for (String writer : DoorMachines.NAMES) {
          String key = "/bucket/" + writer + "-" + round;
          assertThat(machines.client(writer).put(key, round % 2 == 0 ? small : large))
              .isEqualTo(200);
          for (String reader : DoorMachines.NAMES) {
            var read = machines.client(reader).get(key);
            assertThat(read.statusCode()).as("%s at %s", key, reader).isEqualTo(200);
            assertThat(read.body()).isEqualTo(round % 2 == 0 ? small : large);
            assertThat(DoorClient.text(machines.client(reader).get("/bucket?list-type=2")))
                .contains("<Key>" + writer + "-" + round + "</Key>");
          }
        }
      }
      assertThat(machines.client("b").upload("/bucket/parts", large)).isEqualTo(200);
      assertThat(machines.client("c").get("/bucket/parts").body()).isEqualTo(large);
      assertThat(
              machines
                  .client("c")
                  .put("/bucket/copy", new byte[0], "x-amz-copy-source", "/bucket/parts"))
          .isEqualTo(200);
      assertThat(machines.client("a").get("/bucket/copy").body()).isEqualTo(large);
      assertThat(machines.client("c").delete("/bucket/a-0")).isEqualTo(204);
      for (String reader : DoorMachines.NAMES) {
        assertThat(machines.client(reader).get("/bucket/a-0").statusCode()).isEqualTo(404);
      }
      conditions(machines);
      recordsAreAgreedOnAndNoClients(machines);
      noClientIsHeldOnceTwoAreGone(machines);
    }
  }

  /** Of the parts of a node that keep them: one holds, on all machines, and no request names it. */
  private static void recordsAreAgreedOnAndNoClients(DoorMachines machines) throws Exception {
    byte[] first = "a's".getBytes(UTF_8);
    assertThat(machines.machine("a").records().agree("k/1", first)).isEqualTo(first);
    assertThat(machines.machine("b").records().agree("k/1", "b's".getBytes(UTF_8)))
        .isEqualTo(first);
    machines.machine("c").records().replace("k/2", new byte[] {2});
    assertThat(machines.machine("a").records().record("k/2").orElseThrow()).containsExactly(2);
    assertThat(machines.machine("b").records().all("k/")).containsOnlyKeys("k/1", "k/2");
    assertThat(machines.machine("b").records().record("none")).isEmpty();
    assertThat(DoorClient.text(machines.client("b").get("/")))
        .contains("<Name>bucket</Name>")
        .doesNotContain("records");
    assertThat(machines.client("b").get("/ron--records?list-type=2").statusCode()).isEqualTo(404);
    assertThat(machines.client("b").get("/ron--records/k/1").statusCode()).isEqualTo(404);
    assertThat(machines.client("b").put("/ron--records", new byte[0])).isEqualTo(400);
  }

  /** A read could miss what the two took last, and names of theirs may have lost a right since. */
  private static void noClientIsHeldOnceTwoAreGone(DoorMachines machines) throws Exception {
    machines.stop("b");
    machines.stop("c");
    DoorClient left = machines.client("a");
    assertThat(left.get("/bucket/b-0").statusCode()).isEqualTo(503);
    assertThat(left.put("/bucket/alone", new byte[1])).isEqualTo(503);
    for (int i = 0; i < 3; i++) {
      Instant begun = Instant.now();
      assertThat(left.get("/bucket/b-0").statusCode()).isEqualTo(503);
      assertThat(left.put("/bucket/alone", new byte[1])).isEqualTo(503);
      assertThat(Duration.between(begun, Instant.now())).isLessThan(Duration.ofSeconds(5));
    }
  }

  private static void conditions(DoorMachines machines) throws Exception {
    byte[] body = "x".getBytes(UTF_8);
    int made = 0;
    for (String name : DoorMachines.NAMES) {
      int status = machines.client(name).put("/bucket/once", body, "if-none-match", "*");
      assertThat(status).isIn(200, 412);
      made += status == 200 ? 1 : 0;
    }
    assertThat(made).as("If-None-Match: * holds once on three machines").isEqualTo(1);
  }

  @Test
  void aMachineThatWasAwayCatchesUpByTheLog() throws Exception {
    try (var machines = trimmed()) {
      fill(machines, 0, 100);
      machines.stop("c");
      fill(machines, 100, 200);
      machines.start("c");
      complete(machines, "c", 200);
      assertThat(machines.said).as("the log was enough").noneMatch(each -> each.contains("rows-"));
    }
  }

  /**
   * The log is let go only by whole segments, and writers share its entries, so changes are made
   * until its first segment is gone.
   */
  @Test
  @Tag("long")
  @Timeout(600)
  void aMachineThatLostItsRowsGetsACopy() throws Exception {
    try (var machines = trimmed()) {
      for (int round = 0; !hasBeginning(machines, "a") || !hasBeginning(machines, "b"); round++) {
        assertThat(round).as("rounds of changes without a segment let go").isLessThan(40);
        fill(machines, 0, 200);
      }
      machines.stop("c");
      Path names = machines.folder("c").resolve("s3").resolve("names-shared");
      try (var all = Files.walk(names)) {
        for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
      fill(machines, 200, 290);
      machines.start("c");
      complete(machines, "c", 290);
      assertThat(machines.said)
          .as("the log alone was not enough")
          .anyMatch(each -> each.matches("(?s)c .*rows-fetched.*"))
          .anyMatch(each -> each.matches("(?s)c .*rows-installed.*"));
      assertThat(machines.client("c").put("/bucket/after", new byte[1])).isEqualTo(200);
      assertThat(machines.client("a").get("/bucket/after").statusCode()).isEqualTo(200);
    }
  }

  /** Whether a machine's log does not go back to the first entry any more. */
  private static boolean hasBeginning(DoorMachines machines, String name) throws Exception {
    Path log = machines.folder(name).resolve("s3").resolve("names-shared").resolve("raft");
    try (var files = Files.walk(log)) {
      return files.noneMatch(
          each -> each.getFileName().toString().matches("log_(0-.*|inprogress_0)"));
    }
  }

  /** Three machines that let go of their log soon. */
  private DoorMachines trimmed() throws Exception {
    var machines =
        new DoorMachines(folder, "s3.cluster.log_entries=100", "s3.cluster.log_segment=64KiB");
    for (String name : DoorMachines.NAMES) {
      machines.start(name);
    }
    machines.awaitBucket("a", "bucket");
    return machines;
  }

  /** By several writers: a put alone waits for two disks, a fifth of a second on a busy machine. */
  private static void fill(DoorMachines machines, int from, int to) throws Exception {
    try (ExecutorService writers = Executors.newFixedThreadPool(8)) {
      List<Future<Integer>> puts =
          IntStream.range(from, to).mapToObj(i -> writers.submit(() -> put(machines, i))).toList();
      for (Future<Integer> put : puts) {
        assertThat(put.get()).isEqualTo(200);
      }
    }
  }

  private static int put(DoorMachines machines, int number) throws Exception {
    String name = List.of("a", "b").get(number % 2);
    return machines.client(name).put("/bucket/key-%04d".formatted(number), bytes(3000, number));
  }

  private static void complete(DoorMachines machines, String at, int count) throws Exception {
    HttpResponse<byte[]> listing = machines.client(at).get(LISTING);
    // A machine that has just come says so until it has found the one that leads.
    Instant limit = Instant.now().plusSeconds(90);
    while (listing.statusCode() == 503 && Instant.now().isBefore(limit)) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
      listing = machines.client(at).get(LISTING);
    }
    assertThat(listing.statusCode()).as(DoorClient.text(listing)).isEqualTo(200);
    assertThat(DoorClient.text(listing).split("<Key>", -1)).hasSize(count + 1);
    for (int i = 0; i < count; i += 17) {
      assertThat(machines.client(at).get("/bucket/key-%04d".formatted(i)).body())
          .isEqualTo(bytes(3000, i));
    }
  }

  /** Nothing that a name leads to goes, and everything else does, on all machines. */
  @Test
  void whatNoNameLeadsToGoesOnAllMachinesAndNothingElse() throws Exception {
    try (var machines =
        new DoorMachines(folder, "s3.garbage.grace=1s", "s3.garbage.period=100ms")) {
      for (String name : DoorMachines.NAMES) {
        machines.start(name);
      }
      machines.awaitBucket("a", "bucket");
      byte[] kept = bytes(20_000, 1);
      byte[] dropped = bytes(20_000, 2);
      assertThat(machines.client("a").put("/bucket/kept", kept)).isEqualTo(200);
      assertThat(machines.client("b").put("/bucket/dropped", dropped)).isEqualTo(200);
      assertThat(machines.client("c").put("/bucket/again", dropped)).isEqualTo(200);
      assertThat(machines.client("a").delete("/bucket/dropped")).isEqualTo(204);
      assertThat(machines.client("c").delete("/bucket/again")).isEqualTo(204);
      for (String name : DoorMachines.NAMES) {
        DoorRig.eventually(
            name + " has one block left", () -> machines.machine(name).blocks() == 1);
      }
      for (String name : DoorMachines.NAMES) {
        assertThat(machines.client(name).get("/bucket/kept").body()).isEqualTo(kept);
      }
      // The log says a moment later than the disks that the bytes are gone, and refuses until then.
      DoorRig.eventually(
          "the same bytes are taken again",
          () -> machines.client("b").put("/bucket/dropped", dropped) == 200);
      assertThat(machines.client("c").get("/bucket/dropped").body()).isEqualTo(dropped);
    }
  }

  /** Bytes are refused until all machines have deleted them, and one that is away cannot. */
  @Test
  void bytesThatWereDeletedCanBePutAgainWhileAMachineIsAway() throws Exception {
    try (var machines =
        new DoorMachines(folder, "s3.garbage.grace=5s", "s3.garbage.period=100ms")) {
      for (String name : DoorMachines.NAMES) {
        machines.start(name);
      }
      machines.awaitBucket("a", "bucket");
      byte[] dropped = bytes(20_000, 3);
      assertThat(machines.client("a").put("/bucket/dropped", dropped)).isEqualTo(200);
      assertThat(machines.client("a").delete("/bucket/dropped")).isEqualTo(204);
      machines.stop("c");
      Instant end = Instant.now().plusSeconds(7);
      DoorRig.eventually("the grace is over", () -> Instant.now().isAfter(end));
      DoorRig.eventually(
          "the same bytes are taken again",
          () -> machines.client("b").put("/bucket/dropped", dropped) == 200);
      assertThat(machines.client("a").get("/bucket/dropped").body()).isEqualTo(dropped);
    }
  }

  /** It was to delete its bytes, and was lost before it did. */
  @Test
  void bytesThatALostMachineWasToDeleteCanBePutAgainOnceItIsLetGo() throws Exception {
    try (var machines = new DoorMachines(folder, "s3.garbage.grace=1s")) {
      machines.start("a", "s3.garbage.period=100ms");
      machines.start("b", "s3.garbage.period=100ms");
      machines.awaitBucket("a", "bucket");
      machines.start("c", "s3.garbage.period=1h", "s3.cluster.election=30s");
      byte[] dropped = bytes(20_000, 4);
      assertThat(machines.client("a").put("/bucket/dropped", dropped)).isEqualTo(200);
      DoorRig.eventually("c has them too", () -> machines.machine("c").blocks() == 1);
      assertThat(machines.client("a").delete("/bucket/dropped")).isEqualTo(204);
      for (String name : List.of("a", "b")) {
        DoorRig.eventually(name + " has deleted them", () -> machines.machine(name).blocks() == 0);
      }
      assertThat(machines.machine("c").blocks()).isEqualTo(1);
      machines.stop("c");
      assertThat(machines.client("a").put("/bucket/dropped", dropped)).isEqualTo(503);
      machines.letGo("c");
      DoorRig.eventually(
          "the same bytes are taken again",
          () -> machines.client("b").put("/bucket/dropped", dropped) == 200);
      assertThat(machines.client("a").get("/bucket/dropped").body()).isEqualTo(dropped);
    }
  }
}
