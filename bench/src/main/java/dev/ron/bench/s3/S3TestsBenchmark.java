package dev.ron.bench.s3;

import dev.ron.bench.process.ChildJvmCommand;
import dev.ron.bench.process.ChildProcess;
import dev.ron.bench.process.Peer;
import dev.ron.bench.run.BenchRun;
import dev.ron.bench.run.PublicSuite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The public suite ceph/s3-tests against our S3 door.
 *
 * <p>The suite is run from a checkout that is named with {@code --suite}, by its own test runner.
 * What is expected to fail is listed with a reason; a test that fails and is not listed, and one
 * that is listed and passes or is none, both fail the run, so the list stays true. So does a run in
 * which fewer core functions pass than did before.
 *
 * <p>Threading: immutable.
 */
public final class S3TestsBenchmark extends PublicSuite {
  private static final Duration START_LIMIT = Duration.ofSeconds(40);
  private static final Duration SUITE_LIMIT = Duration.ofMinutes(60);

  /** Of 757 functions, those that RustFS's own gate wants passed. */
  private static final long RUSTFS_PASSED = 459;

  /** Of the 266 core functions. */
  private static final long RUSTFS_CORE_PASSED = 229;

  /** Of the same, what ours is held to. */
  private static final long CORE_PASSED_MIN = 260;

  private static final List<String> TENANTS = List.of("main", "alt", "testx");

  /** The suite waits for what takes a day elsewhere. */
  private static final List<String> HASTE =
      List.of(
          "storage.s3.garbage.grace=10s",
          "storage.s3.garbage.period=1s",
          "storage.s3.lifecycle.day=10s",
          "storage.s3.lifecycle.period=1s");

  public S3TestsBenchmark() {
    super(
        "s3-tests",
        "git clone https://github.com/ceph/s3-tests, its requirements",
        "tests",
        searchPath ->
            Peer.find(searchPath, "python3", "python3-boto3 python3-pytest", "--version"));
  }

  @Override
  public String what() {
    return "conformance of the S3 door by ceph/s3-tests (--suite DIR)";
  }

  @Override
  protected void run(BenchRun run, Peer python, Path suite, Path folder)
      throws IOException, InterruptedException {
    S3TestsReport report = report(python, suite, folder);
    report.lines(ExpectedFailures.read()).forEach(run::say);
    run.report(beside("passed", report.passed(), RUSTFS_PASSED, "RustFS"));
    run.report(beside("core-passed", report.corePassed(), RUSTFS_CORE_PASSED, "RustFS"));
    run.report(beside("failed", report.failed(), null, "RustFS"));
    run.report(beside("skipped", report.skipped(), null, "RustFS"));
    report.check(ExpectedFailures.read(), CORE_PASSED_MIN);
  }

  private static S3TestsReport report(Peer python, Path suite, Path folder)
      throws IOException, InterruptedException {
    int port = ChildProcess.freePort();
    List<String> arguments = new ArrayList<>(List.of(Integer.toString(port)));
    arguments.add(folder.toAbsolutePath().toString());
    arguments.addAll(TENANTS);
    arguments.addAll(HASTE);
    arguments.add("storage.s3.master_keys=" + folder.toAbsolutePath().resolve("masters"));
    List<String> command =
        ChildJvmCommand.hashing(S3TargetMain.class, arguments.toArray(String[]::new));
    Path results = folder.resolve("results.xml");
    try (var _ =
        ChildProcess.listen("ours", port, command, folder.resolve("ours.log"), START_LIMIT)) {
      Path settings = folder.resolve("s3tests.conf");
      Files.writeString(
          settings, settings(port, Files.readAllLines(folder.resolve(S3TargetMain.PAIRS))));
      try (var tests =
          ChildProcess.start(
              "s3-tests", tests(python, suite, settings, results), folder.resolve("tests.log"))) {
        tests.awaitExit(SUITE_LIMIT);
        if (!Files.exists(results)) {
          throw new IOException("the suite did not run\n" + tests.output());
        }
      }
    }
    return S3TestsReport.read(results);
  }

  private static List<String> tests(Peer python, Path suite, Path settings, Path results) {
    return in(
        suite,
        "S3TEST_CONF=" + settings,
        "AWS_MAX_ATTEMPTS=1",
        "AWS_RETRY_MODE=standard",
        python.command(),
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "s3tests/functional/test_s3.py",
        "-m",
        "not bucket_logging",
        "--junitxml=" + results);
  }

  private static String settings(int port, List<String> pairs) {
    var text = new StringBuilder();
    text.append("[DEFAULT]\nhost = 127.0.0.1\nport = ")
        .append(port)
        .append("\nis_secure = False\n[fixtures]\nbucket prefix = x-{random}-\n")
        .append("iam name prefix = x-\niam path prefix = /x/\n");
    Map<String, String> users = new HashMap<>();
    for (String pair : pairs) {
      String[] words = pair.split(" ", -1);
      users.put(
          words[0],
          """
          display_name = %1$s
          user_id = %1$s
          email = %1$s@example.com
          access_key = %2$s
          secret_key = %3$s
          """
              .formatted(words[0], words[1], words[2]));
    }
    text.append("[s3 main]\napi_name = us-east-1\n").append(users.get("main"));
    text.append("[s3 alt]\n").append(users.get("alt"));
    text.append("[s3 tenant]\ntenant = testx\n").append(users.get("testx"));
    for (String unused : List.of("iam", "iam root", "iam alt root")) {
      text.append('[').append(unused).append("]\n").append(users.get("main"));
    }
    return text.toString();
  }
}
