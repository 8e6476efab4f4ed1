package dev.ron.rewarder.score;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3Hasher;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.kernel.log.Log;
import dev.ron.rewarder.artifact.AllocationWriter;
import dev.ron.rewarder.core.Calculus;
import dev.ron.rewarder.core.LedgerInput;
import dev.ron.rewarder.core.Policy;
import dev.ron.rewarder.core.Rounding;
import dev.ron.rewarder.core.ScoreCursor;
import dev.ron.rewarder.core.Wide;
import dev.ron.rewarder.core.score.ScoreTable;
import dev.ron.rewarder.core.score.SortedScores;
import dev.ron.rewarder.input.FileInputs;
import java.io.BufferedOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** More scores than memory, and the same sums by another engine. */
final class AggregationTest {
  @TempDir private Path folder;

  private static Policy policy() {
    return new Policy(
        "p",
        1,
        Map.of("m", 700_000L, "n", 300_000L),
        Rounding.LARGEST_REMAINDER,
        Wide.ZERO,
        Optional.empty(),
        Optional.empty(),
        false,
        List.of());
  }

  private Path write(long lines, int actors) throws Exception {
    var random = new SplittableRandom(1);
    Path file = folder.resolve("csv");
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
      out.write("actor,metric,units\n".getBytes(US_ASCII));
      for (long i = 0; i < lines; i++) {
        String line =
            "did:ron:" + random.nextInt(actors) + (i % 3 == 0 ? ",n," : ",m,") + i % 1009 + "\n";
        out.write(line.getBytes(US_ASCII));
      }
    }
    var hasher = new Blake3Hasher();
    byte[] step = new byte[1 << 20];
    try (InputStream in = Files.newInputStream(file)) {
      for (int count = in.read(step); count >= 0; count = in.read(step)) {
        hasher.update(step, 0, count);
      }
    }
    return Files.move(file, folder.resolve(new Address(hasher.hash()).toString()));
  }

  private Aggregation.Scores aggregate(Path file, long memoryBytes) throws Exception {
    var scope = Scope.of("test", World.real(Log.silent()));
    var inputs = new FileInputs(scope.disk(), folder);
    return new Aggregation(scope, inputs, policy(), 2, memoryBytes, folder.resolve("spill"))
        .run(Address.parse(file.getFileName().toString()).orThrow());
  }

  private String root(ScoreCursor.Source scores) throws Exception {
    Path lines = Files.createDirectories(folder.resolve("lines"));
    try (var writer = new AllocationWriter(new RealDisk(), lines, 1)) {
      var outcome =
          Calculus.EXACT.run(
              policy(), new LedgerInput(Wide.of(1_000_000_007), "ROC", "e"), scores, writer);
      assertThat(outcome).isInstanceOf(Calculus.Outcome.Closed.class);
      return writer.finish().hex();
    }
  }

  /** The same aggregation as one query: what an engine for more than one machine would be asked. */
  @Test
  void anotherEngineComesToTheSameRoot() throws Exception {
    Path file = write(200_000, 20_000);
    var table = new ScoreTable(1);
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duck.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT actor, sum(units::HUGEINT * CASE metric WHEN 'm' THEN 700000 ELSE 300000 END)::VARCHAR FROM read_csv('%s', all_varchar=true) GROUP BY actor"
                    .formatted(file))) {
      while (rows.next()) {
        byte[] actor = rows.getString(1).getBytes(US_ASCII);
        Wide score = Wide.parse(rows.getString(2)).orElseThrow();
        table.add(table.entry(actor, 0, actor.length), 0, score.high(), score.low());
      }
    }
    String ours = root(aggregate(file, 64L << 20).source());
    assertThat(root(new SortedScores(table))).isEqualTo(ours);
    assertThat(root(aggregate(file, 1L << 20).source())).as("spilled").isEqualTo(ours);
  }

  /**
   * A tenth of the full size: ten million lines of a million actors in a hundredth of the heap
   * beside it. {@code -Dron.lines=100000000 -Dron.actors=10000000} is the whole of it.
   */
  @Test
  @Tag("long")
  void tenMillionLinesAreAddedUpInLittleMemory() throws Exception {
    long lines = Long.getLong("ron.lines", 10_000_000);
    int actors = Integer.getInteger("ron.actors", 1_000_000);
    Path file = write(lines, actors);
    Aggregation.Scores scores = aggregate(file, 16L << 20);
    assertThat(scores.lines()).isEqualTo(lines);
    BigInteger sum = BigInteger.ZERO;
    long seen = 0;
    try (ScoreCursor cursor = scores.source().open()) {
      while (cursor.next()) {
        seen++;
        sum = sum.add(new BigInteger(1, cursor.score(0).bytes()));
      }
    }
    BigInteger expected = BigInteger.ZERO;
    for (long i = 0; i < lines; i++) {
      expected = expected.add(BigInteger.valueOf(i % 1009 * (i % 3 == 0 ? 300_000L : 700_000L)));
    }
    assertThat(sum).isEqualTo(expected);
    assertThat(seen).isBetween(actors / 2L, (long) actors);
  }
}
