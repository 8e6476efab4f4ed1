package dev.ron.bench.load;

import dev.ron.bench.process.Peer;
import dev.ron.bench.process.SearchPath;
import dev.ron.bench.process.TempFolder;
import dev.ron.bench.process.ToolRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A program that asks a server as fast as it answers: wrk for HTTP/1.1, h2load for HTTP/2.
 *
 * <p>Both keep each connection busy and wait for each answer, so the latencies are those of a
 * saturated server and not of an arrival rate.
 *
 * <p>Threading: immutable; one load at a time, or they measure each other.
 */
public sealed interface LoadGenerator {
  /** Starting, connecting and stopping take their time beside the load itself. */
  Duration SLACK = Duration.ofSeconds(15);

  Peer program();

  LoadResult run(Load load) throws IOException, InterruptedException;

  static LoadGenerator wrk(SearchPath searchPath) {
    return new Wrk(Peer.find(searchPath, "wrk", "wrk", "-v"));
  }

  static LoadGenerator h2load(SearchPath searchPath) {
    return new H2load(Peer.find(searchPath, "h2load", "nghttp2-client", "--version"));
  }

  /** HTTP/1.1 with keep-alive. */
  record Wrk(Peer program) implements LoadGenerator {
    @Override
    public LoadResult run(Load load) throws IOException, InterruptedException {
      var command = new ArrayList<>(List.of(program.command(), "--latency"));
      command.add("-t" + load.threads());
      command.add("-c" + load.connections());
      command.add("-d" + load.seconds() + "s");
      load.headers().forEach((name, value) -> command.add("-H" + name + ": " + value));
      command.add(load.target().toString());
      return WrkReport.parse(ToolRun.succeeding(program.name(), command, limit(load)).output());
    }
  }

  /** HTTP/2, one request at a time on each connection as in {@link Wrk}. */
  record H2load(Peer program) implements LoadGenerator {
    @Override
    public LoadResult run(Load load) throws IOException, InterruptedException {
      try (TempFolder folder = TempFolder.create()) {
        Path log = folder.path().resolve("requests");
        var command = new ArrayList<>(List.of(program.command(), "--log-file=" + log));
        command.add("-t" + load.threads());
        command.add("-c" + load.connections());
        command.add("-D" + load.seconds());
        load.headers().forEach((name, value) -> command.add("-H" + name + ": " + value));
        command.add(load.target().toString());
        ToolRun run = ToolRun.succeeding(program.name(), command, limit(load));
        try (Stream<String> lines = Files.lines(log)) {
          return H2loadReport.parse(run.output(), lines);
        }
      }
    }
  }

  private static Duration limit(Load load) {
    return Duration.ofSeconds(load.seconds()).plus(SLACK);
  }
}
