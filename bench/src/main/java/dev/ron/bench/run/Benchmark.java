package dev.ron.bench.run;

import dev.ron.bench.process.Peer;
import dev.ron.bench.process.SearchPath;
import java.io.IOException;
import java.util.List;

/**
 * One question of the form "how does ours stand beside a peer", answered by measuring both.
 *
 * <p>Threading: immutable; one run at a time.
 */
public interface Benchmark {
  /** The word after {@code ron bench}. */
  String name();

  /** One line of what is measured. */
  String what();

  /** The programs it compares with, found or absent. */
  List<Peer> peers(SearchPath searchPath);

  /** Measures and reports each comparison to {@code run}; an absent peer is reported as absent. */
  void run(BenchRun run) throws IOException, InterruptedException;
}
