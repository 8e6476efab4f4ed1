package dev.ron.sparkepoch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.kernel.log.Log;
import dev.ron.rewarder.core.Calculus;
import dev.ron.rewarder.core.LedgerInput;
import dev.ron.rewarder.core.ScoreCursor;
import dev.ron.rewarder.core.Wide;
import dev.ron.rewarder.artifact.AllocationWriter;
import dev.ron.rewarder.input.FileInputs;
import dev.ron.rewarder.score.Aggregation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same root from a Spark job as from one process, for the same parts. */
final class SparkEpochTest {
  private static final byte[] POLICY =
      """
      {"id":"p","version":1,"weights_ppm":{"bytes_served":700000,"uptime":300000},\
      "rounding":"largest-remainder","min_payout_minor":"3","actor_cap_minor":null,\
      "pool_cap_minor":null,"on_bad_line":"hold",\
      "pools":[{"name":"up","share_ppm":250000,"metrics":["uptime"]},\
      {"name":"bytes","share_ppm":750000,"metrics":["bytes_served"]}],"signatures":[]}"""
          .getBytes(UTF_8);

  @TempDir private Path folder;

  private Address seal(byte[] bytes) throws IOException {
    var address = new Address(Blake3.hash(bytes));
    Files.write(
        Files.createDirectories(folder.resolve("inputs")).resolve(address.toString()), bytes);
    return address;
  }

  /** Every other part is JSON lines under zstd; some actors have bad lines, some are not ASCII. */
  private List<Address> parts(int count, int linesEach) throws IOException {
    var random = new SplittableRandom(7);
    var parts = new ArrayList<Address>();
    for (int part = 0; part < count; part++) {
      boolean json = part % 2 == 1;
      var text = new StringBuilder(json ? "" : "actor,metric,units\n");
      for (int i = 0; i < linesEach; i++) {
        String actor = (i % 50 == 0 ? "é-" : "actor-") + random.nextInt(5000);
        String metric = i % 1777 == 0 ? "lies" : i % 3 == 0 ? "uptime" : "bytes_served";
        String units =
            i % 991 == 0 ? "79228162514264337593543950335" : "" + random.nextLong(1L << 40);
        text.append(
            json
                ? "{\"actor\":\"%s\",\"metric\":\"%s\",\"units\":\"%s\"}\n"
                    .formatted(actor, metric, units)
                : actor + "," + metric + "," + units + "\n");
      }
      byte[] bytes = text.toString().getBytes(UTF_8);
      parts.add(seal(json ? Zstd.compress(bytes) : bytes));
    }
    return parts;
  }

  private String root(ScoreCursor.Source scores) throws IOException {
    Path out = Files.createDirectories(folder.resolve("out"));
    try (var writer = new AllocationWriter(new RealDisk(), out, 2)) {
      Calculus.Outcome outcome =
          Calculus.EXACT.run(
              epoch().rules(), new LedgerInput(Wide.of(1_000_000_007), "ROC", "e"), scores, writer);
      assertThat(outcome).isInstanceOf(Calculus.Outcome.Closed.class);
      return outcome + " " + writer.finish().hex();
    }
  }

  private SparkEpoch epoch() {
    return new SparkEpoch(folder.resolve("inputs").toString(), POLICY, 16L << 20);
  }

  private String inOneProcess(List<Address> parts) throws Exception {
    byte[] list =
        parts.stream()
            .map(Address::toString)
            .collect(Collectors.joining("\n", "", "\n"))
            .getBytes(UTF_8);
    var scope = Scope.of("test", World.real(Log.silent()));
    var inputs = new FileInputs(scope.disk(), folder.resolve("inputs"));
    return root(
        new Aggregation(scope, inputs, epoch().rules(), 2, 16L << 20, folder.resolve("spill"))
            .run(seal(list))
            .source());
  }

  private static JavaSparkContext spark() {
    return new JavaSparkContext(
        new SparkConf()
            .setMaster("local[2]")
            .setAppName("test")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1"));
  }

  @Test
  void aSparkJobComesToTheSameRoot() throws Exception {
    List<Address> parts = parts(6, 20_000);
    try (JavaSparkContext spark = spark()) {
      String ours = inOneProcess(parts);
      assertThat(root(epoch().scores(spark, parts, 3))).isEqualTo(ours);
      assertThat(root(epoch().scores(spark, parts.reversed(), 5)))
          .as("another split")
          .isEqualTo(ours);
      assertThat(root(epoch().scores(spark, parts.subList(1, 6), 3)))
          .as("without one part")
          .isNotEqualTo(ours);
      Path broken = folder.resolve("inputs").resolve(parts.getFirst().toString());
      Files.writeString(broken, "actor,metric,units\na,uptime,1\n");
      assertThatThrownBy(() -> root(epoch().scores(spark, parts, 3)))
          .hasMessageContaining("seal-broken");
    }
  }
}
