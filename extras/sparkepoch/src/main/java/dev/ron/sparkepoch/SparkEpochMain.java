package dev.ron.sparkepoch;

import dev.ron.blake3.Address;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.rewarder.core.Calculus;
import dev.ron.rewarder.core.LedgerInput;
import dev.ron.rewarder.core.ScoreCursor;
import dev.ron.rewarder.artifact.AllocationWriter;
import dev.ron.rewarder.input.LedgerForm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * {@code INPUTS POLICY LEDGER LIST OUT [PARTITIONS]}: adds up the parts whose addresses are the
 * lines of LIST, shares the pool out into the folder OUT, and writes the outcome and the root to
 * OUT/outcome.
 *
 * <p>For {@code spark-submit}, which names the cluster.
 *
 * <p>Threading: owned by its process.
 */
public final class SparkEpochMain {
  private static final long TASK_MEMORY_BYTES = 64L << 20;

  private SparkEpochMain() {}

  public static void main(String[] args) throws Exception {
    List<Address> parts =
        Files.readAllLines(Path.of(args[3])).stream()
            .map(line -> Address.parse(line).orThrow())
            .toList();
    int partitions = args.length > 5 ? Integer.parseInt(args[5]) : parts.size();
    var epoch = new SparkEpoch(args[0], Files.readAllBytes(Path.of(args[1])), TASK_MEMORY_BYTES);
    LedgerInput ledger = LedgerForm.parse(Files.readAllBytes(Path.of(args[2])));
    Path out = Files.createDirectories(Path.of(args[4]));
    int pools = epoch.rules().pools().size();
    try (var spark = new JavaSparkContext(new SparkConf().setAppName("ron-epoch"));
        var writer = new AllocationWriter(new RealDisk(), out, pools)) {
      ScoreCursor.Source scores = epoch.scores(spark, parts, partitions);
      Calculus.Outcome outcome = Calculus.EXACT.run(epoch.rules(), ledger, scores, writer);
      String root = writer.finish().hex();
      Files.writeString(out.resolve("outcome"), outcome + "\nroot " + root + "\n");
    }
  }
}
