package dev.ron.bench.compute;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.ron.bench.process.Peer;
import dev.ron.bench.process.SearchPath;
import dev.ron.bench.process.TempFolder;
import dev.ron.bench.run.BenchRun;
import dev.ron.bench.run.Benchmark;
import dev.ron.bench.run.Rounds;
import dev.ron.bench.run.Side;
import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3Hasher;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * How fast ten million lines of accounting are added up by actor, beside DuckDB with the same
 * number of threads over the same file.
 *
 * <p>Ours also verifies the file against its address and puts the actors in order, which DuckDB is
 * not asked for. Both run in a process of their own, so that the peak of memory is theirs.
 *
 * <p>Threading: immutable.
 */
public final class RewarderBenchmark implements Benchmark {
  private static final String JAR_VARIABLE = "RON_DUCKDB_JAR";
  private static final int ACTORS = 1_000_000;

  private final long lines;

  public RewarderBenchmark() {
    this(10_000_000);
  }

  /** With fewer lines, for tests of everything but the figures. */
  RewarderBenchmark(long lines) {
    this.lines = lines;
  }

  @Override
  public String name() {
    return "rewarder";
  }

  @Override
  public String what() {
    return "lines of accounting added up by actor per second, and peak memory; CSV and Parquet";
  }

  @Override
  public List<Peer> peers(SearchPath searchPath) {
    return List.of(duckdb());
  }

  /** The JDBC driver's jar: named, on our class path, or where a build has put it. */
  private static Peer duckdb() {
    return new Peer("duckdb", "name its JDBC jar in the variable " + JAR_VARIABLE, null, jar());
  }

  private static @Nullable Path jar() {
    String named = System.getenv(JAR_VARIABLE);
    if (named != null && Files.exists(Path.of(named))) {
      return Path.of(named);
    }
    for (String each :
        System.getProperty("java.class.path").split(java.io.File.pathSeparator, -1)) {
      if (each.contains("duckdb_jdbc")) {
        return Path.of(each);
      }
    }
    Path built =
        Path.of(
            System.getProperty("user.home"), ".m2", "repository", "org", "duckdb", "duckdb_jdbc");
    try (var found = Files.walk(built, 2)) {
      return found.filter(path -> path.toString().endsWith(".jar")).findFirst().orElse(null);
    } catch (IOException absent) {
      return null;
    }
  }

  @Override
  public void run(BenchRun run) throws IOException, InterruptedException {
    Peer duckdb = duckdb();
    int workers = Runtime.getRuntime().availableProcessors();
    try (TempFolder folder = TempFolder.onDisk()) {
      run.say("writing %,d lines of %,d actors".formatted(lines, ACTORS));
      Path csv = sealed(write(folder.path().resolve("csv")));
      compare(run, "csv", csv, workers, duckdb);
      if (!duckdb.isPresent()) {
        run.absent("parquet", "lines/s", duckdb, duckdb);
        return;
      }
      Path parquet = sealed(convert(csv, folder.path().resolve("parquet"), duckdb));
      compare(run, "parquet", parquet, workers, duckdb);
    }
  }

  private void compare(BenchRun run, String form, Path file, int workers, Peer duckdb)
      throws IOException, InterruptedException {
    Path jar = duckdb.isPresent() ? Path.of(duckdb.command()) : null;
    try (AggregateChild ours =
            AggregateChild.start("ours", workers, null, file.resolveSibling(form + "-ours.err"));
        AggregateChild theirs =
            AggregateChild.start(
                "duckdb", workers, jar, file.resolveSibling(form + "-duckdb.err"))) {
      String[] sums = new String[2];
      Side<AggregateChild.Sample> mine = () -> checked(ours.sum(form, file, lines), sums, 0);
      Side<AggregateChild.Sample> peer =
          jar == null ? null : () -> checked(theirs.sum(form, file, lines), sums, 1);
      Rounds<AggregateChild.Sample> rounds = run.interleave("rewarder " + form, mine, peer);
      run.compare(form, "lines/s", duckdb, rounds, AggregateChild.Sample::linesPerSecond);
      run.compare(form, "lines/cpu-s", duckdb, rounds, AggregateChild.Sample::linesPerCpuSecond);
      run.compare(form + "-peak-rss", "MiB", duckdb, rounds, AggregateChild.Sample::peakMebibytes);
    }
  }

  /** A fast wrong sum is worth nothing. */
  private static AggregateChild.Sample checked(
      AggregateChild.Sample sample, String[] sums, int side) throws IOException {
    sums[side] = sample.sum();
    if (sums[0] != null && sums[1] != null && !sums[0].equals(sums[1])) {
      throw new IOException("ours comes to %s, duckdb to %s".formatted(sums[0], sums[1]));
    }
    return sample;
  }

  private Path write(Path file) throws IOException {
    var random = new SplittableRandom(1);
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
      out.write("actor,metric,units\n".getBytes(US_ASCII));
      for (long i = 0; i < lines; i++) {
        String line =
            "did:ron:node-"
                + random.nextInt(ACTORS)
                + (random.nextInt(3) == 0 ? ",uptime," : ",bytes_served,")
                + (random.nextLong() >>> (24 + random.nextInt(30)))
                + '\n';
        out.write(line.getBytes(US_ASCII));
      }
    }
    return file;
  }

  private static Path sealed(Path file) throws IOException {
    var hasher = new Blake3Hasher();
    byte[] step = new byte[1 << 20];
    try (InputStream in = Files.newInputStream(file)) {
      for (int count = in.read(step); count >= 0; count = in.read(step)) {
        hasher.update(step, 0, count);
      }
    }
    return Files.move(file, file.resolveSibling(new Address(hasher.hash()).toString()));
  }

  /** Through the driver itself: a driver manager sees only what its caller's loader has. */
  private static Path convert(Path csv, Path parquet, Peer duckdb) throws IOException {
    var urls = new URL[] {Path.of(duckdb.command()).toUri().toURL()};
    try (var loader = new URLClassLoader(urls)) {
      var driver =
          (Driver)
              loader.loadClass("org.duckdb.DuckDBDriver").getDeclaredConstructor().newInstance();
      try (Connection connection = driver.connect("jdbc:duckdb:", new Properties());
          Statement statement = connection.createStatement()) {
        statement.execute(
            "COPY (SELECT * FROM read_csv('%s', header=true, columns={'actor':'VARCHAR','metric':'VARCHAR','units':'BIGINT'})) TO '%s' (FORMAT parquet)"
                .formatted(csv, parquet));
      }
    } catch (ReflectiveOperationException | SQLException broken) {
      throw new IOException("writing Parquet with duckdb", broken);
    }
    return parquet;
  }
}
