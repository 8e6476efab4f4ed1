package dev.ron.storage;

import static dev.ron.storage.Rig.address;
import static dev.ron.storage.Rig.bytes;
import static dev.ron.storage.Rig.words;
import static dev.ron.storage.TenantAttempts.ACME;
import static dev.ron.storage.TenantAttempts.OPERATOR;
import static dev.ron.storage.TenantAttempts.ask;
import static dev.ron.storage.TenantAttempts.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.disk.RealDisk;
import dev.ron.kernel.time.SystemTime;
import dev.ron.testkit.FaultyDisk;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Disks that are full, read-only, slow or gone: nothing acknowledged is lost, all is told. */
@Timeout(120)
final class DiskTroubleTest {
  @TempDir private Path folder;

  @Test
  void aFullDiskRefusesWritesServesReadsAndSaysSo() throws Exception {
    List<byte[]> kept = new ArrayList<>();
    try (TinyDisk _ = TinyDisk.mount(folder.resolve("disk"), "8m")) {
      try (Rig rig = Rig.open(folder.resolve("disk"), "free_min=64KiB")) {
        HttpResponse<byte[]> refused = null;
        for (int i = 0; i < 50 && refused == null; i++) {
          byte[] object = bytes(i, 700_000);
          HttpResponse<byte[]> answer = rig.put(object);
          if (answer.statusCode() == 201) {
            kept.add(object);
          } else {
            refused = answer;
          }
        }
        assertThat(words(refused)).startsWith("507 ").contains("\"code\":\"full\"");
        assertThat(kept).hasSizeBetween(5, 11);
        Rig.eventually("not ready", () -> !rig.scope.readiness().ready());
        assertThat(words(rig.get("/readyz"))).startsWith("503 ").contains("data-dir-0");
        assertThat(words(rig.put(bytes(99, 700_000)))).startsWith("507 ");
        assertAllThere(rig, kept);
      }
      try (Rig rig =
          Rig.open(folder.resolve("disk"), "free_min=0B", "durability.delete_grace=0s")) {
        assertAllThere(rig, kept);
        byte[] first = kept.removeFirst();
        byte[] second = kept.removeFirst();
        // A tombstone needs a little room; a full disk may refuse it, but not lose anything else.
        assertThat(isDeleted(rig, first)).isEqualTo(isGone(rig, first));
        assertThat(isDeleted(rig, second)).isEqualTo(isGone(rig, second));
        assertAllThere(rig, kept);
      }
    }
  }

  /** What is full for objects has room for what makes room, or it would stay full. */
  @Test
  void fromAFullDiskCanBeDeleted() throws Exception {
    byte[] mine = bytes(1, 100_000);
    byte[] shared = bytes(2, 100_000);
    byte[] late = bytes(3, 100_000);
    Path data = folder.resolve("disk");
    try (TinyDisk _ = TinyDisk.mount(data, "32m")) {
      var settings =
          Rig.table(data, "free_min=16MiB", "public_read=false", "durability.delete_grace=0s");
      try (Rig rig = new Rig(settings, new RealDisk(), TenantAttempts.verifier())) {
        assertThat(status(rig, ACME, "PUT", mine, "")).isEqualTo(201);
        assertThat(status(rig, ACME, "PUT", shared, "")).isEqualTo(201);
        assertThat(status(rig, OPERATOR, "PUT", shared, "")).isEqualTo(200);
        assertThat(status(rig, OPERATOR, "PUT", late, "")).isEqualTo(201);
        String upload =
            Rig.field(words(ask(rig, ACME, "POST", "/o/uploads", new byte[0])), "upload");
        Path other = Files.write(data.resolve("other"), new byte[20 << 20]);
        Rig.eventually("not ready", () -> !rig.scope.readiness().ready());
        assertThat(status(rig, ACME, "PUT", bytes(9, 9), "")).isEqualTo(507);
        assertThat(status(rig, ACME, "DELETE", mine, "")).isEqualTo(204);
        assertThat(status(rig, ACME, "DELETE", shared, "")).isEqualTo(204);
        assertThat(status(rig, OPERATOR, "DELETE", late, "")).isEqualTo(204);
        Rig.eventually("its bytes go too", () -> list(rig, OPERATOR).equals(address(shared) + ""));
        assertThat(words(ask(rig, ACME, "PUT", "/o/uploads/" + upload + "/0", bytes(9, 9))))
            .as("parts leave the same room")
            .startsWith("507 ");
        Files.delete(other);
        Rig.eventually("ready again", () -> rig.scope.readiness().ready());
      }
      try (Rig rig = new Rig(settings, new RealDisk(), TenantAttempts.verifier())) {
        assertThat(list(rig, OPERATOR)).isEqualTo(address(shared) + "");
        assertThat(status(rig, ACME, "GET", shared, "")).isEqualTo(404);
      }
    }
  }

  /** The addresses of a page. */
  private static String list(Rig rig, String token) {
    try {
      Matcher found =
          Pattern.compile("b3:[0-9a-f]{64}").matcher(TenantAttempts.list(rig, token, ""));
      return found.results().map(MatchResult::group).collect(Collectors.joining(" "));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aReadOnlyDiskServesReadsAndComesBack() throws Exception {
    byte[] before = bytes(1, 100_000);
    byte[] after = bytes(2, 100_000);
    try (TinyDisk disk = TinyDisk.mount(folder.resolve("disk"), "16m")) {
      try (Rig rig = Rig.open(folder.resolve("disk"))) {
        assertThat(rig.put(before).statusCode()).isEqualTo(201);
      }
      disk.readOnly(true);
      try (Rig rig = Rig.open(folder.resolve("disk"))) {
        assertThat(rig.get("/o/" + address(before)).body()).isEqualTo(before);
        assertThat(words(rig.put(after))).startsWith("503 ").containsIgnoringCase("read-only");
        Rig.eventually("not ready", () -> !rig.scope.readiness().ready());
        assertThat(words(rig.get("/readyz"))).contains("cannot be written");
        disk.readOnly(false);
        Rig.eventually("ready again", () -> rig.scope.readiness().ready());
        assertThat(rig.put(after).statusCode()).isEqualTo(201);
      }
      try (Rig rig = Rig.open(folder.resolve("disk"))) {
        assertAllThere(rig, List.of(before, after));
      }
    }
  }

  @Test
  void aDirectoryThatDisappearsTakesNothingAcknowledgedWithIt() throws Exception {
    List<byte[]> kept = new ArrayList<>();
    Path a = folder.resolve("a");
    Path b = folder.resolve("b");
    try (TinyDisk disk = TinyDisk.mount(b, "64m");
        Rig rig = Rig.open(folder, Rig.dirs(a, b), "durability.replication=2")) {
      for (int i = 0; i < 10; i++) {
        kept.add(bytes(i, 50_000));
        assertThat(rig.put(kept.getLast()).statusCode()).isEqualTo(201);
      }
      disk.pull();
      // The very next write must not count on the directory that went.
      assertThat(words(rig.put(bytes(50, 50_000))))
          .startsWith("503 ")
          .contains("1 of the 2 copies a write needs")
          .contains("is gone");
      assertAllThere(rig, kept);
      assertThat(words(rig.get("/readyz"))).startsWith("503 ").contains("is gone");
      assertThat(words(rig.get("/o/" + address(bytes(51, 5)))))
          .as("it is not known whether it is there")
          .startsWith("503 ");
      assertThat(words(rig.send("DELETE", "/o/" + address(kept.getFirst()), new byte[0])))
          .startsWith("503 ")
          .contains("would be undone");
    }
    try (Rig rig = Rig.open(a)) {
      assertAllThere(rig, kept);
    }
  }

  @Test
  void aRemovedDirectoryIsNoticedByTheNextWrite() throws Exception {
    Path only = folder.resolve("only");
    try (Rig rig = Rig.open(only)) {
      assertThat(rig.put(bytes(1, 100)).statusCode()).isEqualTo(201);
      Files.move(only, folder.resolve("elsewhere"));
      assertThat(words(rig.put(bytes(2, 100)))).startsWith("503 ").contains("is gone");
      assertThat(words(rig.get("/readyz"))).startsWith("503 ").contains("is gone");
    }
    try (Rig rig = Rig.open(folder.resolve("elsewhere"))) {
      assertAllThere(rig, List.of(bytes(1, 100)));
    }
  }

  @Test
  void oneDirectoryThatCannotBeOpenedDoesNotTakeTheOthersAlong() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "not a folder");
    try (Rig rig = Rig.open(folder, Rig.dirs(folder.resolve("a"), file))) {
      assertThat(rig.put(bytes(1, 100)).statusCode()).isEqualTo(201);
      assertThat(words(rig.get("/readyz")))
          .startsWith("503 ")
          .contains("data-dir-1")
          .contains("cannot be opened");
    }
    assertThatThrownBy(() -> Rig.open(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no data directory can be opened");
  }

  @Test
  void aSlowDiskMeansLateAnswersAndNoLoss() throws Exception {
    var disk = new FaultyDisk(new SystemTime(), new SplittableRandom(1));
    Path data = Path.of("/slow");
    byte[] object = bytes(1, 200_000);
    byte[] late = bytes(2, 200_000);
    try (Rig rig = Rig.on(disk, data)) {
      disk.slow(Duration.ofMillis(20));
      assertThat(rig.put(object).statusCode()).isEqualTo(201);
      disk.slow(Duration.ofMillis(400));
      HttpResponse<byte[]> answer = rig.put(late, "Request-Timeout", "300ms");
      assertThat(answer.statusCode()).isIn(503, 504);
      disk.slow(Duration.ZERO);
      assertThat(rig.get("/o/" + address(object)).body()).isEqualTo(object);
      assertThat(rig.put(late).statusCode()).isIn(200, 201);
      assertThat(rig.get("/o/" + address(late)).body()).isEqualTo(late);
    }
  }

  @Test
  void aFailingFlushIsNeverAcknowledged() throws Exception {
    for (int after = 0; after < 6; after++) {
      var disk = new FaultyDisk(new SystemTime(), new SplittableRandom(after));
      Path data = Path.of("/failing");
      List<byte[]> kept = new ArrayList<>();
      try (Rig rig = Rig.on(disk, data)) {
        disk.failFlushAfter(after);
        for (int i = 0; i < 8; i++) {
          byte[] object = bytes(i, i % 2 == 0 ? 500 : 150_000);
          int status = rig.put(object).statusCode();
          assertThat(status).isIn(201, 503);
          if (status == 201) {
            kept.add(object);
          }
        }
        assertThat(kept).hasSizeBetween(6, 8);
      }
      disk.crash();
      try (Rig rig = Rig.on(disk, data)) {
        assertAllThere(rig, kept);
      }
    }
  }

  /** What a full disk says to a delete: that it is done, or that there is no room to do it. */
  private static boolean isDeleted(Rig rig, byte[] object) throws Exception {
    HttpResponse<byte[]> answer = rig.send("DELETE", "/o/" + address(object), new byte[0]);
    assertThat(words(answer)).matches("(?s)(204|507) .*");
    return answer.statusCode() == 204;
  }

  private static boolean isGone(Rig rig, byte[] object) throws Exception {
    HttpResponse<byte[]> got = rig.get("/o/" + address(object));
    assertThat(got.statusCode()).isIn(200, 404);
    return got.statusCode() == 404;
  }

  private static void assertAllThere(Rig rig, List<byte[]> objects) throws Exception {
    for (byte[] object : objects) {
      HttpResponse<byte[]> got = rig.get("/o/" + address(object));
      assertThat(got.statusCode()).isEqualTo(200);
      assertThat(got.body()).isEqualTo(object);
    }
  }
}
