package dev.ron.bench;

import dev.ron.bench.compute.Blake3Benchmark;
import dev.ron.bench.compute.ErasureBenchmark;
import dev.ron.bench.compute.RewarderBenchmark;
import dev.ron.bench.http.CacheTestsBenchmark;
import dev.ron.bench.http.EdgeBenchmark;
import dev.ron.bench.http.FairnessBenchmark;
import dev.ron.bench.http.GatewayBenchmark;
import dev.ron.bench.http.HttpBenchmark;
import dev.ron.bench.http.TileBenchmark;
import dev.ron.bench.http.UsageBenchmark;
import dev.ron.bench.queue.MailboxBenchmark;
import dev.ron.bench.queue.MailboxClusterBenchmark;
import dev.ron.bench.queue.SqsBenchmark;
import dev.ron.bench.release.ReleasesBenchmark;
import dev.ron.bench.run.Benchmark;
import dev.ron.bench.s3.S3Benchmark;
import dev.ron.bench.s3.S3TestsBenchmark;
import dev.ron.bench.store.ContentBenchmark;
import dev.ron.bench.store.FlushBenchmark;
import dev.ron.bench.store.RepairBenchmark;
import dev.ron.bench.store.StorageBenchmark;
import dev.ron.bench.tenant.TenantsBenchmark;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * The benchmarks that {@code ron bench} knows.
 *
 * <p>Threading: immutable.
 */
public record Benchmarks(List<Benchmark> all) {
  public Benchmarks {
    all = List.copyOf(all);
    var names = new HashSet<String>();
    for (Benchmark benchmark : all) {
      if (!names.add(benchmark.name())) {
        throw new IllegalArgumentException("two benchmarks are named " + benchmark.name());
      }
    }
  }

  /** The one place where a benchmark registers: one line each. */
  public static Benchmarks known() {
    return new Benchmarks(
        List.of( //
            new FlushBenchmark(), //
            new Blake3Benchmark(), //
            new ErasureBenchmark(), //
            new HttpBenchmark(), //
            new ContentBenchmark(), //
            new GatewayBenchmark(), //
            new FairnessBenchmark(), //
            new MailboxBenchmark(), //
            new MailboxClusterBenchmark(), //
            new SqsBenchmark(), //
            new CacheTestsBenchmark(), //
            new StorageBenchmark(), //
            new S3Benchmark(), //
            new S3TestsBenchmark(), //
            new RepairBenchmark(), //
            new RewarderBenchmark(), //
            new EdgeBenchmark(), //
            new TileBenchmark(), //
            new UsageBenchmark(), //
            new TenantsBenchmark(), //
            new ReleasesBenchmark()));
  }

  public Optional<Benchmark> named(String name) {
    return all.stream().filter(benchmark -> benchmark.name().equals(name)).findFirst();
  }

  /** The known name that takes the fewest edits from {@code name}; empty if none is known. */
  public Optional<String> nearest(String name) {
    return all.stream()
        .map(Benchmark::name)
        .min(Comparator.comparingInt(known -> edits(name, known)));
  }

  /** Levenshtein distance, one row at a time. */
  static int edits(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replace = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replace, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[to.length()];
  }
}
