package dev.ron.bench.http;

import dev.ron.bench.process.ChildProcess;
import dev.ron.bench.process.Peer;
import dev.ron.bench.process.ToolRun;
import dev.ron.bench.run.BenchRun;
import dev.ron.bench.run.PublicSuite;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The public conformance suite http-tests/cache-tests against the edge as a reverse proxy cache.
 *
 * <p>The suite's own origin server and client are run from a checkout that is named with {@code
 * --suite}, and its own code judges the results. What it calls required, it calls so because RFC
 * 9111 does; a test is blocked if one that it builds on did not pass, or if its setting could not
 * be arranged. The figures of others are those the suite publishes in its results.
 *
 * <p>The edge asks its upstream once here: the suite counts requests, and calls a second try after
 * a 503 a retry, whatever becomes of it.
 *
 * <p>Threading: immutable.
 */
public final class CacheTestsBenchmark extends PublicSuite {
  private static final Duration START_LIMIT = Duration.ofSeconds(20);

  /** Some of the tests pause for three seconds, 25 at a time. */
  private static final Duration SUITE_LIMIT = Duration.ofMinutes(10);

  /** What the suite's origin chooses answers by, and how it knows which request this is. */
  private static final String FIELDS =
      """
      request_fields = ["Abc", "Accept-Language", "Bar", "Baz", "Foo"]
      unkeyed_fields = ["Req-Num", "Test-ID", "Test-Name"]
      """;

  /** Of the required tests. */
  private record Tally(long passed, long failed, long blocked) {}

  /** As published with the suite in July 2026. */
  private static final Map<String, Tally> PUBLISHED =
      Map.of(
          "Traffic Server", new Tally(132, 19, 9),
          "httpd", new Tally(131, 12, 17),
          "Varnish", new Tally(119, 17, 24),
          "nginx", new Tally(99, 33, 28));

  /** Prints kind, verdict and name of each test, by the suite's own rules. */
  private static final String JUDGE =
      """
      import fs from 'fs'
      const dir = process.argv[1]
      const tests = (await import(dir + '/tests/index.mjs')).default
      const lib = await import(dir + '/test-engine/lib/results.mjs')
      const results = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'))
      for (const suite of tests) {
        for (const test of suite.tests) {
          if (test.browser_only) continue
          const verdict = lib.determineTestResult(tests, test.id, results)
          const word = Object.keys(lib.resultTypes).find(k => lib.resultTypes[k] === verdict)
          console.log((test.kind || 'required') + ' ' + word + ' ' + test.id)
        }
      }
      """;

  public CacheTestsBenchmark() {
    super(
        "cache-tests",
        "git clone https://github.com/http-tests/cache-tests, npm install",
        "required tests",
        searchPath -> Peer.find(searchPath, "node", "nodejs", "--version"));
  }

  @Override
  public String what() {
    return "conformance of the edge's cache by http-tests/cache-tests (--suite DIR)";
  }

  @Override
  protected void run(BenchRun run, Peer node, Path suite, Path folder)
      throws IOException, InterruptedException {
    if (!Files.exists(suite.resolve("node_modules/undici"))) {
      throw new IOException(suite + " is no checkout with its packages; run npm install there");
    }
    report(run, verdicts(node, suite, folder));
  }

  private static List<String> verdicts(Peer node, Path suite, Path folder)
      throws IOException, InterruptedException {
    int port = ChildProcess.freePort();
    List<String> origin =
        in(
            suite,
            "npm_config_protocol=http",
            "npm_config_port=" + port,
            "npm_config_pidfile=" + folder.resolve("origin.pid"),
            node.command(),
            "test-engine/server/server.mjs");
    Path results = folder.resolve("results.json");
    try (var upstream =
            ChildProcess.listen("origin", port, origin, folder.resolve("origin.log"), START_LIMIT);
        ServerTarget edge =
            ServerTarget.edge(URI.create("http://127.0.0.1:" + port), folder, 1, FIELDS);
        var client = ChildProcess.start("client", client(node, suite, edge.uri()), results)) {
      if (client.awaitExit(SUITE_LIMIT) != 0) {
        throw new IOException("the suite's client failed\n" + client.output());
      }
      if (upstream.output().contains("ERROR")) {
        throw new IOException("the suite's origin failed\n" + upstream.output());
      }
    }
    return ToolRun.succeeding(
            "judge",
            List.of(
                node.command(),
                "--no-warnings",
                "--input-type=module",
                "-e",
                JUDGE,
                suite.toString(),
                results.toString()),
            START_LIMIT)
        .output()
        .lines()
        .toList();
  }

  private static List<String> client(Peer node, Path suite, URI edge) {
    return in(
        suite,
        "npm_config_base=" + edge,
        "npm_package_config_id=",
        node.command(),
        "--no-warnings",
        "test-engine/cli.mjs");
  }

  private void report(BenchRun run, List<String> verdicts) throws IOException {
    List<String> required = verdicts.stream().filter(line -> line.startsWith("required ")).toList();
    long passed = required.stream().filter(line -> line.startsWith("required pass ")).count();
    List<String> failed =
        required.stream().filter(line -> line.startsWith("required fail ")).toList();
    long blocked = required.size() - passed - failed.size();
    run.say(
        "required: %d of %d passed, %d failed, %d blocked"
            .formatted(passed, required.size(), failed.size(), blocked));
    required.stream()
        .filter(line -> !line.startsWith("required pass "))
        .forEach(line -> run.say("  " + line.substring("required ".length())));
    Map<String, Long> optimal =
        verdicts.stream()
            .filter(line -> line.startsWith("optimal "))
            .collect(
                Collectors.groupingBy(
                    line -> line.split(" ", -1)[1], TreeMap::new, Collectors.counting()));
    run.say("optimal: " + optimal);
    for (var peer : new TreeMap<>(PUBLISHED).entrySet()) {
      Tally theirs = peer.getValue();
      run.report(beside("passed", passed, theirs.passed(), peer.getKey()));
      run.report(beside("failed", failed.size(), theirs.failed(), peer.getKey()));
      run.report(beside("blocked", blocked, theirs.blocked(), peer.getKey()));
    }
    if (!failed.isEmpty() || required.isEmpty()) {
      throw new IOException(failed.size() + " required tests failed: " + failed);
    }
  }
}
