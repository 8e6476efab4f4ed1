package dev.ron.bench.store;

import dev.ron.bench.load.HttpSide;
import dev.ron.bench.load.LoadResult;
import dev.ron.bench.load.WrkReport;
import dev.ron.bench.process.CpuTime;
import dev.ron.bench.process.Peer;
import dev.ron.bench.process.ToolRun;
import dev.ron.bench.run.Side;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Stores objects as fast as a server takes them, each different from all before it: a store that
 * knows what it has would otherwise be measured at doing nothing.
 *
 * <p>Threading: owned by the benchmark's thread.
 */
final class PutSide implements Side<HttpSide.Sample> {
  private static final Duration SLACK = Duration.ofSeconds(15);

  private final Peer wrk;
  private final StorageServer server;
  private final Path script;
  private final int bytes;
  private final int connections;
  private final int seconds;
  private int runs;

  PutSide(Peer wrk, StorageServer server, Path script, int bytes, int connections, int seconds) {
    this.wrk = wrk;
    this.server = server;
    this.script = script;
    this.bytes = bytes;
    this.connections = connections;
    this.seconds = seconds;
  }

  @Override
  public HttpSide.Sample measure() throws IOException, InterruptedException {
    Files.writeString(script, lua(runs++));
    CpuTime before = server.cpuTime();
    ToolRun run =
        ToolRun.succeeding(
            wrk.name(),
            List.of(
                wrk.command(),
                "--latency",
                "-t1",
                "-c" + connections,
                "-d" + seconds + "s",
                "-s",
                script.toString(),
                server.uri().toString()),
            Duration.ofSeconds(seconds).plus(SLACK));
    LoadResult result = WrkReport.parse(run.output());
    if (result.errors() > 0 || result.requests() == 0) {
      throw new IOException(server.uri() + " did not store well under load: " + result);
    }
    CpuTime spent = server.cpuTime().minus(before);
    return new HttpSide.Sample(
        result.requestsPerSecond(),
        spent.rate((double) result.requests()),
        result.p50Millis(),
        result.p99Millis());
  }

  private String lua(int run) {
    boolean named = server.putPath().endsWith("/");
    return """
        local rest = string.rep("x", %1$d)
        local count = 0
        function request()
          count = count + 1
          local name = string.format("%%08d-%%011d", %2$d, count)
          return wrk.format("%3$s", "%4$s" .. %5$s, {["Content-Type"] = "application/octet-stream"}, name .. rest)
        end
        """
        .formatted(bytes - 20, run, server.putMethod(), server.putPath(), named ? "name" : "\"\"");
  }
}
