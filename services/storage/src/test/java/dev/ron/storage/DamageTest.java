package dev.ron.storage;

import static dev.ron.storage.Rig.address;
import static dev.ron.storage.Rig.bytes;
import static dev.ron.storage.Rig.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.testkit.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Bits flip at rest: never a wrong byte, healed where there is a copy, told where there is none.
 */
final class DamageTest {
  @TempDir private Path folder;

  private Rig two(String... more) throws Exception {
    return two(folder, more);
  }

  /** Two directories in a folder, and two copies of everything. */
  private static Rig two(Path in, String... more) throws Exception {
    var settings = new ArrayList<>(List.of(more));
    settings.add(Rig.dirs(in.resolve("a"), in.resolve("b")));
    settings.add("durability.replication=2");
    return Rig.open(in, settings.toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 70_000, 199_999})
  void aBadGroupIsReadFromTheOtherCopyAndHealed(int offset) throws Exception {
    for (String each : List.of("a", "b")) {
      byte[] object = bytes(offset + each.charAt(0), 200_000);
      boolean noticed;
      Path in = folder.resolve("run-" + each);
      try (Rig rig = two(in)) {
        assertThat(rig.put(object).statusCode()).isEqualTo(201);
        assertThat(Damager.flipInside(in.resolve(each), object, offset)).isTrue();
        assertThat(rig.get("/o/" + address(object)).body()).isEqualTo(object);
        // Only the copy that is preferred is read.
        noticed = rig.metricValue("integrity_fail_total{reason=\"corrupt\"}") > 0;
        if (noticed) {
          Rig.eventually(
              "healed", () -> rig.metricValue("repairs_total{outcome=\"repaired\"}") == 1);
          assertThat(rig.metricValue("damaged_objects")).isZero();
        }
      }
      if (noticed) {
        try (Rig alone = Rig.open(in.resolve(each))) {
          assertThat(alone.get("/o/" + address(object)).body())
              .as("what was healed is durable")
              .isEqualTo(object);
        }
      }
    }
  }

  @Test
  void whereAllCopiesAreGoodSomewhereTheObjectIsReadAndHealed() throws Exception {
    byte[] object = bytes(2, 300_000);
    try (Rig rig = two()) {
      rig.put(object);
      Damager.flipInside(folder.resolve("a"), object, 10);
      Damager.flipInside(folder.resolve("b"), object, 250_000);
      assertThat(rig.get("/o/" + address(object)).body()).isEqualTo(object);
      Rig.eventually("both healed", () -> rig.metricValue("damaged_objects") == 0);
    }
    for (String each : List.of("a", "b")) {
      try (Rig rig = Rig.open(folder.resolve(each))) {
        assertThat(rig.get("/o/" + address(object)).body()).as(each).isEqualTo(object);
      }
    }
  }

  @Test
  void withoutAnotherCopyTheAnswerIs502AndTheRestIsUnaffected() throws Exception {
    byte[] bad = bytes(3, 300_000);
    byte[] good = bytes(4, 300_000);
    try (Rig rig = Rig.open(folder)) {
      rig.put(bad);
      rig.put(good);
      Damager.flipInside(folder, bad, 0);
      assertThat(words(rig.get("/o/" + address(bad)))).startsWith("502 ").contains("integrity");
      assertThat(rig.get("/o/" + address(bad), "Range", "bytes=70000-70100").statusCode())
          .as("a group that is good")
          .isEqualTo(206);
      assertThat(rig.get("/o/" + address(good)).body()).isEqualTo(good);
      assertThat(words(rig.get("/repair")))
          .contains("\"damaged\":{\"objects\":1,\"some\":[\"" + address(bad));
      assertThat(rig.metricValue("integrity_fail_total{reason=\"corrupt\"}")).isPositive();
      assertThat(rig.put(bad).statusCode()).as("putting it again repairs it").isEqualTo(201);
      assertThat(rig.get("/o/" + address(bad)).body()).isEqualTo(bad);
      assertThat(words(rig.get("/repair"))).contains("\"damaged\":{\"objects\":0");
    }
  }

  @Test
  void damageBehindTheHeadCutsTheConnection() throws Exception {
    byte[] object = bytes(5, 1 << 20);
    try (Rig rig = Rig.open(folder)) {
      rig.put(object);
      Damager.flipInside(folder, object, 900_000);
      assertThatThrownBy(() -> rig.get("/o/" + address(object))).isInstanceOf(IOException.class);
      assertThat(words(rig.get("/o/" + address(object) + "?proof=bao", "Range", "bytes=0-9")))
          .startsWith("200 ");
      assertThatThrownBy(() -> rig.get("/o/" + address(object) + "?proof=bao"))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void theScrubberFindsAndHealsWhatIsNotRead() throws Exception {
    byte[] object = bytes(6, 150_000);
    try (Rig rig = two("durability.scrub_period=1s", "verify=once")) {
      rig.put(object);
      rig.get("/o/" + address(object));
      for (String each : List.of("a", "b")) {
        double before = rig.metricValue("repairs_total{outcome=\"repaired\"}");
        Damager.flipInside(folder.resolve(each), object, 100_000);
        Rig.eventually(
            "scrubbed and healed",
            () -> rig.metricValue("repairs_total{outcome=\"repaired\"}") > before);
      }
    }
    for (String each : List.of("a", "b")) {
      try (Rig rig = Rig.open(folder.resolve(each))) {
        assertThat(rig.get("/o/" + address(object)).body()).as(each).isEqualTo(object);
      }
    }
  }

  @Test
  void bitsFlippedAnywhereWhileItRunsAndWhileItIsDown() throws Exception {
    flipAnywhere(2);
  }

  @Test
  @Tag("long")
  void bitsFlippedAnywhereAgainAndAgain() throws Exception {
    flipAnywhere(20);
  }

  private void flipAnywhere(int times) throws Exception {
    var objects = new ArrayList<byte[]>();
    for (int i = 0; i < 30; i++) {
      objects.add(bytes(100 + i, i % 3 == 0 ? 150_000 : 3_000));
    }
    try (Rig rig = two()) {
      for (byte[] object : objects) {
        assertThat(rig.put(object).statusCode()).isEqualTo(201);
      }
    }
    Seeds.forEach(
        times,
        (_, random) -> {
          // One directory at a time: damage that was not found in both is a loss no store survives.
          Path hit = folder.resolve(random.nextBoolean() ? "a" : "b");
          String down = Damager.flipAnywhere(hit, random);
          try (Rig rig = two("durability.plan_period=100ms", "durability.scrub_period=1s")) {
            String running = Damager.flipAnywhere(hit, random);
            for (byte[] object : objects) {
              assertThat(rig.get("/o/" + address(object)).body())
                  .as("after %s and %s", down, running)
                  .isEqualTo(object);
            }
            int cycle = scrubCycle(rig);
            Rig.eventually("a whole cycle of the scrubber", () -> scrubCycle(rig) >= cycle + 2);
            Rig.eventually(
                "two good copies of everything",
                () ->
                    rig.metricValue("damaged_objects") == 0 && rig.metricValue("rf_observed") == 2);
          }
        });
  }

  private static int scrubCycle(Rig rig) {
    return figure(rig, "cycle");
  }

  @Test
  void aDirectoryThatWasReplacedByAnEmptyOneIsFilledAgain() throws Exception {
    var objects = new ArrayList<byte[]>();
    try (Rig rig = two()) {
      for (int i = 0; i < 20; i++) {
        objects.add(bytes(200 + i, 10_000));
        rig.put(objects.getLast());
      }
    }
    try (var files = Files.walk(folder.resolve("a"))) {
      files.sorted(java.util.Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    }
    try (Rig rig = two("durability.plan_period=100ms")) {
      Rig.eventually("refilled", () -> rig.metricValue("rf_observed") == 2);
      assertThat(rig.metricValue("repair_bytes_total")).isEqualTo(200_000);
    }
    try (Rig rig = Rig.open(folder.resolve("a"))) {
      for (byte[] object : objects) {
        assertThat(rig.get("/o/" + address(object)).body()).isEqualTo(object);
      }
    }
  }

  @Test
  void aDirectoryThatJoinsTakesItsShareAndTheOldCopiesGo() throws Exception {
    var objects = new ArrayList<byte[]>();
    try (Rig rig = Rig.open(folder.resolve("a"))) {
      for (int i = 0; i < 40; i++) {
        objects.add(bytes(300 + i, 2_000));
        rig.put(objects.getLast());
      }
    }
    try (Rig rig =
        Rig.open(
            folder,
            Rig.dirs(folder.resolve("a"), folder.resolve("b")),
            "durability.plan_period=100ms")) {
      Rig.eventually("moved", () -> rig.metricValue("repairs_total{outcome=\"dropped\"}") > 5);
      Rig.eventually(
          "every object once",
          () -> {
            try {
              String homes = words(rig.get("/repair"));
              homes = homes.substring(homes.indexOf("\"homes\""));
              int first = Integer.parseInt(Rig.field(homes, "objects"));
              String rest = homes.substring(homes.indexOf("\"objects\"") + 9);
              return first + Integer.parseInt(Rig.field(rest, "objects")) == 40;
            } catch (IOException | InterruptedException e) {
              throw new AssertionError(e);
            }
          });
      for (byte[] object : objects) {
        assertThat(rig.get("/o/" + address(object)).body()).isEqualTo(object);
      }
    }
  }

  @Test
  void aDeleteIsNeverUndoneByARepairUnderWay() throws Exception {
    byte[] object = bytes(7, 120_000);
    try (Rig rig = Rig.open(folder.resolve("a"))) {
      rig.put(object);
    }
    try (Rig rig = two("durability.plan_period=100ms", "durability.repair_rate=64KiB/s")) {
      Rig.eventually("the copy has begun", () -> plans(rig) == 1);
      String path = "/o/" + address(object);
      assertThat(words(rig.send("DELETE", path, new byte[0])))
          .startsWith("503 ")
          .contains("pinned");
      assertThat(rig.get(path).body()).isEqualTo(object);
      Rig.eventually("the copy is made", () -> plans(rig) == 0);
      Rig.eventually("no reader holds it any more", () -> deletes(rig, path));
      double round = rig.metricValue("repairs_total{outcome=\"repaired\"}");
      int before = round(rig);
      Rig.eventually("two more rounds", () -> round(rig) >= before + 2);
      assertThat(rig.get(path).statusCode()).isEqualTo(404);
      assertThat(rig.metricValue("repairs_total{outcome=\"repaired\"}")).isEqualTo(round);
    }
  }

  private static boolean deletes(Rig rig, String path) {
    try {
      return rig.send("DELETE", path, new byte[0]).statusCode() == 204;
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static int plans(Rig rig) {
    return figure(rig, "all");
  }

  private static int round(Rig rig) {
    return figure(rig, "number");
  }

  private static int figure(Rig rig, String name) {
    try {
      return Integer.parseInt(Rig.field(words(rig.get("/repair")), name));
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
