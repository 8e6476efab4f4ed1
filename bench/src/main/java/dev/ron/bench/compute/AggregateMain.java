package dev.ron.bench.compute;

import dev.ron.blake3.Address;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.rewarder.core.Policy;
import dev.ron.rewarder.core.Rounding;
import dev.ron.rewarder.core.ScoreCursor;
import dev.ron.rewarder.core.Wide;
import dev.ron.rewarder.input.FileInputs;
import dev.ron.rewarder.score.Aggregation;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Adds up a file of accounting by actor, as often as its standard input asks: by us, or by DuckDB.
 *
 * <p>Each line in is {@code csv|parquet PATH}; each line out is the nanoseconds it took, the number
 * of actors and the sum of all scores, so that the two can be held against each other.
 *
 * <p>Threading: owned by its process.
 */
final class AggregateMain {
  static final long BYTES_WEIGHT = 700_000;
  static final long UPTIME_WEIGHT = 300_000;

  /** With a heap of a gibibyte; what does not fit is spilled. */
  private static final long MEMORY_BYTES = 384L << 20;

  private AggregateMain() {}

  /** One of the two. */
  private interface Engine {
    String sum(String form, Path file) throws Exception;
  }

  public static void main(String[] args) throws Exception {
    int workers = Integer.parseInt(args[1]);
    Engine engine = args[0].equals("duckdb") ? duckdb(workers) : ours(workers);
    var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ", 2);
      long start = System.nanoTime();
      String sum = engine.sum(words[0], Path.of(words[1]));
      System.out.println((System.nanoTime() - start) + " " + sum);
      System.out.flush();
    }
  }

  static Policy policy() {
    return new Policy(
        "bench",
        1,
        Map.of("bytes_served", BYTES_WEIGHT, "uptime", UPTIME_WEIGHT),
        Rounding.FLOOR,
        Wide.ZERO,
        Optional.empty(),
        Optional.empty(),
        false,
        List.of());
  }

  /** The file's name is its address, and it is verified on the way, as always. */
  private static Engine ours(int workers) {
    return (_, file) -> {
      Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent());
      var scope = Scope.of("bench", World.real(Log.silent()));
      var aggregation =
          new Aggregation(
              scope,
              new FileInputs(scope.disk(), folder),
              policy(),
              workers,
              MEMORY_BYTES,
              folder.resolve("spill"));
      Address address = Address.parse(file.getFileName().toString()).orThrow();
      Wide sum = Wide.ZERO;
      long actors = 0;
      try (ScoreCursor cursor = aggregation.run(address).source().open()) {
        while (cursor.next()) {
          sum = sum.plus(cursor.score(0));
          actors++;
        }
      }
      return actors + " " + sum;
    };
  }

  private static Engine duckdb(int workers) throws Exception {
    Connection connection = DriverManager.getConnection("jdbc:duckdb:");
    try (Statement settings = connection.createStatement()) {
      settings.execute("SET threads = " + workers);
    }
    return (form, file) -> {
      String source =
          form.equals("csv")
              ? "read_csv('%s', header=true, columns={'actor':'VARCHAR','metric':'VARCHAR','units':'BIGINT'})"
                  .formatted(file)
              : "read_parquet('%s')".formatted(file);
      String query =
          "SELECT count(*), sum(score) FROM (SELECT actor, sum(units::HUGEINT * CASE metric WHEN 'bytes_served' THEN %d WHEN 'uptime' THEN %d END) AS score FROM %s GROUP BY actor)"
              .formatted(BYTES_WEIGHT, UPTIME_WEIGHT, source);
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery(query)) {
        rows.next();
        return rows.getLong(1) + " " + rows.getObject(2);
      }
    };
  }
}
