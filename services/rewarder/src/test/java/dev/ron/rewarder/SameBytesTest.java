package dev.ron.rewarder;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import dev.ron.testkit.Golden;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The same accounting in any form, order and split, by any number of workers: the same bytes. */
@Timeout(300)
final class SameBytesTest {
  private static final String POLICY =
      Rig.POLICY.replace("floor", "largest-remainder").replace("refuse", "hold");

  @TempDir private Path folder;

  private record Line(String actor, String metric, long units) {}

  private static List<Line> lines(int count, long seed) {
    var random = new SplittableRandom(seed);
    var lines = new ArrayList<Line>();
    for (int i = 0; i < count; i++) {
      String metric = i % 997 == 0 ? "lies" : random.nextBoolean() ? "bytes_served" : "uptime";
      lines.add(
          new Line(
              "did:ron:actor-" + random.nextInt(count / 4 + 1), metric, random.nextLong(1L << 40)));
    }
    return lines;
  }

  private static String csv(List<Line> lines) {
    var text = new StringBuilder("actor,metric,units\n");
    for (Line line : lines) {
      text.append(line.actor()).append(',').append(line.metric()).append(',');
      text.append(line.units()).append('\n');
    }
    return text.toString();
  }

  private static String json(List<Line> lines) {
    var text = new StringBuilder();
    for (Line line : lines) {
      text.append("{\"actor\":\"").append(line.actor()).append("\",\"metric\":\"");
      text.append(line.metric()).append("\",\"units\":\"").append(line.units()).append("\"}\n");
    }
    return text.toString();
  }

  private static byte[] gzip(byte[] plain) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(bytes)) {
      gzip.write(plain);
    }
    return bytes.toByteArray();
  }

  private byte[] parquet(String csv, String options) throws Exception {
    Path in = Files.writeString(folder.resolve("in.csv"), csv);
    Path out = folder.resolve("out.parquet");
    Files.deleteIfExists(out);
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duck.createStatement()) {
      statement.execute(
          "COPY (SELECT actor, metric, %s FROM read_csv('%s', all_varchar=true)) TO '%s' (FORMAT parquet, %s)"
              .formatted(
                  options.contains("BIGINT")
                      ? "units::BIGINT AS units"
                      : options.contains("DECIMAL") ? "units::DECIMAL(38,0) AS units" : "units",
                  in,
                  out,
                  options.replaceAll(" *(BIGINT|DECIMAL) *", "")));
    }
    return Files.readAllBytes(out);
  }

  /** Everything a run says besides where its accounting lay. */
  private static String outcome(Rig rig, String epoch, byte[] accounting) throws Exception {
    String manifest =
        rig.compute(
            epoch,
            rig.seal(accounting),
            rig.ledger(epoch, "1000000000007"),
            rig.seal(POLICY),
            true);
    assertThat(manifest).startsWith("200 ");
    return manifest.replaceAll(
            "\"(accounting|ledger|run_key|commitment|epoch|key|sig)\":\"[^\"]*\"", "")
        + rig.get("/rewarder/epochs/" + epoch + "/allocations?limit=1000000")
        + rig.get("/rewarder/epochs/" + epoch + "/held");
  }

  @Test
  void everyFormOrderSplitAndNumberOfWorkersGivesTheSameBytes() throws Exception {
    List<Line> lines = lines(60_000, 1);
    var shuffled = new ArrayList<>(lines);
    Collections.shuffle(shuffled, new Random(2));
    String csv = csv(lines);
    byte[] plain = csv.getBytes(UTF_8);
    List<byte[]> forms = new ArrayList<>();
    forms.add(csv(shuffled).getBytes(UTF_8));
    forms.add(json(lines).getBytes(UTF_8));
    forms.add(json(shuffled).getBytes(UTF_8));
    forms.add(gzip(plain));
    forms.add(Zstd.compress(plain));
    forms.add(Zstd.compress(json(shuffled).getBytes(UTF_8), 9));
    forms.add(parquet(csv, "COMPRESSION snappy, ROW_GROUP_SIZE 4096"));
    forms.add(parquet(csv, "BIGINT COMPRESSION zstd, ROW_GROUP_SIZE 10000"));
    forms.add(parquet(csv, "DECIMAL COMPRESSION gzip"));
    forms.add(parquet(csv, "BIGINT COMPRESSION uncompressed"));
    String expected;
    try (Rig rig = Rig.open(folder.resolve("w1"), "workers=1")) {
      expected = outcome(rig, "e", plain);
      assertThat(expected).contains("\"held_actors\":");
    }
    int form = 0;
    for (int workers : new int[] {1, 2, 3, 8, 16}) {
      // Little memory, so that some of them spill.
      String memory = "memory_bytes=" + (workers % 2 == 0 ? "1MiB" : "64MiB");
      try (Rig rig = Rig.open(folder.resolve("w" + workers + "x"), "workers=" + workers, memory)) {
        assertThat(outcome(rig, "plain", plain)).as("%d workers", workers).isEqualTo(expected);
        for (int i = 0; i < 2; i++, form++) {
          assertThat(outcome(rig, "f" + form, forms.get(form)))
              .as("%d workers, form %d", workers, form)
              .isEqualTo(expected);
        }
        if (workers == 8) {
          assertThat(outcome(rig, "parts", parts(rig, lines))).isEqualTo(expected);
        }
      }
    }
    assertThat(form).isEqualTo(forms.size());
  }

  /** The same lines in five inputs of different forms. */
  private static byte[] parts(Rig rig, List<Line> lines) throws IOException {
    var list = new StringBuilder();
    for (int part = 0; part < 5; part++) {
      var some = new ArrayList<Line>();
      for (int i = part; i < lines.size(); i += 5) {
        some.add(lines.get(i));
      }
      byte[] bytes = (part % 2 == 0 ? csv(some) : json(some)).getBytes(UTF_8);
      list.append(rig.seal(part == 3 ? Zstd.compress(bytes) : bytes)).append('\n');
    }
    return list.toString().getBytes(UTF_8);
  }

  /** Two small epochs, byte for byte, kept in the repository. */
  @Test
  void goldenManifests() throws Exception {
    String pools =
        Rig.POLICY
            .replace("floor", "largest-remainder")
            .replace("refuse", "hold")
            .replace(
                "\"signatures\":[]",
                "\"pools\":[{\"name\":\"traffic\",\"share_ppm\":600000,\"metrics\":[\"bytes_served\"]},"
                    + "{\"name\":\"presence\",\"share_ppm\":300000,\"metrics\":[\"uptime\"]}]");
    List<Line> lines = lines(40, 7);
    try (Rig rig = Rig.open(folder)) {
      for (String[] each :
          new String[][] {{"floor", Rig.POLICY.replace("refuse", "hold")}, {"pools", pools}}) {
        String manifest =
            rig.compute(
                each[0],
                rig.seal(csv(lines)),
                rig.ledger(each[0], "123456789012345678901"),
                rig.seal(each[1]),
                true);
        String shown =
            manifest.substring(4).replaceAll("\"attestations\":\\[[^\\]]*\\],", "")
                + "\n"
                + rig.get("/rewarder/epochs/" + each[0] + "/allocations").substring(4)
                + rig.get("/rewarder/epochs/" + each[0] + "/held").substring(4);
        Golden.matches(
            "services/rewarder/src/test/resources/dev/ron/rewarder/golden-" + each[0] + ".txt",
            shown);
      }
    }
  }

  @Test
  void aBadLineIsNamedByItsNumberWhoeverReadsIt() throws Exception {
    List<Line> lines = lines(50_000, 3);
    String csv = csv(lines).replace(",lies,", ",uptime,");
    String[] split = csv.split("\n", -1);
    split[40_001] = "someone,uptime,minus";
    split[45_000] = "someone,uptime";
    byte[] bad = String.join("\n", split).getBytes(UTF_8);
    for (int workers : new int[] {1, 4}) {
      try (Rig rig = Rig.open(folder.resolve("bad" + workers), "workers=" + workers)) {
        for (byte[] form : List.of(bad, gzip(bad))) {
          String address = rig.seal(form);
          assertThat(
                  rig.compute(
                      "e" + form.length,
                      address,
                      rig.ledger("e" + form.length, "5"),
                      rig.seal(Rig.POLICY),
                      false))
              .startsWith("409 ")
              .contains(", line 40002: not-a-number");
        }
      }
    }
  }
}
