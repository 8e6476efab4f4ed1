package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.http.tls.DevCertificate;
import dev.ron.testkit.ChildJvm;
import java.io.File;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The node as a process, started and ended as an operator does. */
@Timeout(300)
class UpTest {
  /** For each thing that the node does, on a machine as busy as may be. */
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir private Path data;

  @Test
  void itStartsTellsDrainsOnSigtermAndExitsWithZero() throws Exception {
    Path ready = data.resolve("ready.json");
    DevCertificate pair = DevCertificate.make(data.resolve("tls"), Instant.now());
    try (ChildJvm node =
        up(
            "--ready-file",
            ready.toString(),
            "--set",
            "storage.s3.tls_certificate=" + pair.certificate(),
            "--set",
            "storage.s3.tls_key=" + pair.key())) {
      List<String> said = linesUntil(node, "admin capability");
      assertThat(said.getFirst()).isEqualTo("SERVICE    ADDRESS                    READY");
      assertThat(said)
          .anyMatch(line -> line.matches("mailbox +http://127.0.0.1:\\d+ +yes"))
          .anyMatch(line -> line.matches("s3 +https://127.0.0.1:\\d+ +yes"))
          .anyMatch(line -> line.matches("admin +http://127.0.0.1:\\d+ +yes"));
      Path kept = data.resolve("keys/admin.cap");
      assertThat(said.getLast()).isEqualTo("admin capability: in " + kept);
      String token = Files.readString(kept).strip();
      assertThat(token).hasSizeGreaterThan(60);
      assertThat(said).as("a log is no place for it").noneMatch(line -> line.contains(token));
      String written = awaitFile(ready);
      assertThat(written)
          .contains("\"capability\":\"" + token + "\"", "\"pid\":" + node.pid() + "}")
          .contains("\"s3\":{\"url\":\"https://127.0.0.1:");
      String admin = written.replaceAll(".*\"admin\":\"([^\"]+)\".*\n", "$1");
      assertThat(get(admin + "/healthz").body()).isEqualTo("ok\n");
      assertThat(get(admin + "/readyz").statusCode()).isEqualTo(200);
      assertThat(get(admin + "/metrics").body()).contains("http_requests_total{");
      assertThat(get(admin + "/registry").body()).contains("{\"service\":\"admin\"");
      assertThat(get(admin + "/nothing").statusCode()).isEqualTo(404);
      node.terminate();
      assertThat(node.line(LIMIT)).startsWith("drained: ");
      assertThat(node.exit(LIMIT)).isZero();
    }
    assertOnlyTheOwnerReads(ready);
    assertOnlyTheOwnerReads(data.resolve("keys/keyring"));
    assertOnlyTheOwnerReads(data.resolve("keys/admin.cap"));
  }

  /** A person sees each service when it is ready, and what to type next. */
  @Test
  void aTerminalShowsServicesAsTheyAreReadyAndWhatToTypeNext() throws Exception {
    Path script = Path.of("/usr/bin/script");
    assumeTrue(
        Files.isExecutable(script), "NOT RUN: script is not installed, so no terminal was tried");
    String ron = archive().toString();
    List<String> up =
        List.of(ron, "up", "--data", data.resolve("d").toString(), "--base-port", "0");
    List<String> command =
        List.of(
            "env",
            "HOME=" + data,
            "XDG_CONFIG_HOME=" + data,
            "JAVA_HOME=" + System.getProperty("java.home"),
            script.toString(),
            "--quiet",
            "--return",
            "--command",
            String.join(" ", up),
            "/dev/null");
    try (ChildJvm terminal = ChildJvm.start(command)) {
      List<String> said =
          linesUntil(terminal, " s3 mb ").stream().map(String::stripTrailing).toList();
      assertThat(said.getFirst()).as("nothing stands before the table").startsWith("SERVICE ");
      assertThat(said)
          .noneMatch(line -> line.startsWith("{"))
          .noneMatch(line -> line.contains("incubator"));
      assertThat(said).filteredOn(line -> line.startsWith("SERVICE ")).hasSize(1);
      for (String service : List.of("mailbox", "sqs", "storage", "s3", "edge", "rewarder")) {
        assertThat(said)
            .filteredOn(line -> line.matches(service + " +http://\\S+ +yes"))
            .hasSize(1);
      }
      assertThat(said.subList(said.indexOf("next, in another terminal:"), said.size()))
          .containsExactly(
              "next, in another terminal:",
              typed(ron + " status", "whether it is well"),
              typed("echo hello | " + ron + " send orders --key 1", "a message in a queue"),
              typed(ron + " s3 mb s3://photos", "a bucket"));
    }
  }

  /** The first start of an archive rehearses where it is called, maybe beside a node's settings. */
  @Test
  void aRehearsalTakesNoSettingsOfTheFolderOrTheEnvironment() throws Exception {
    Path elsewhere = data.resolve("elsewhere");
    Files.writeString(
        data.resolve("ron.toml"), "[mailbox]\ndata = \"" + elsewhere.resolve("mailbox") + "\"\n");
    var up =
        new ProcessBuilder(
            ChildJvm.command(
                Ron.class,
                "up",
                "--rehearse",
                "--data",
                data.resolve("d") + "",
                "--base-port",
                "0"));
    up.environment().put("RON_STORAGE__DATA_DIRS", elsewhere.resolve("storage").toString());
    Process rehearsal =
        up.directory(data.toFile())
            .redirectErrorStream(true)
            .redirectOutput(data.resolve("said").toFile())
            .start();
    try {
      assertThat(rehearsal.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(rehearsal.exitValue()).as(Files.readString(data.resolve("said"))).isZero();
    } finally {
      rehearsal.destroyForcibly();
    }
    assertThat(data.resolve("d")).isDirectoryContaining("glob:**/mailbox");
    assertThat(elsewhere).doesNotExist();
  }

  private static String typed(String command, String why) {
    return "  %-38s # %s".formatted(command, why);
  }

  /** The launcher in a folder as an archive leaves it, with the classes of this build. */
  private Path archive() throws Exception {
    Path folder = Files.createDirectory(data.resolve("archive"));
    Path ron =
        Files.copy(
            Path.of(System.getProperty("ron.root", ".")).resolve("ron"), folder.resolve("ron"));
    Files.writeString(Files.createDirectory(folder.resolve("conf")).resolve("micronode.toml"), "");
    var manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest
        .getMainAttributes()
        .put(
            Attributes.Name.CLASS_PATH,
            Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(entry -> Path.of(entry).toUri().toString())
                .collect(Collectors.joining(" ")));
    Path lib = Files.createDirectory(folder.resolve("lib"));
    try (var jar = new JarOutputStream(Files.newOutputStream(lib.resolve("all.jar")), manifest)) {
      jar.finish();
    }
    // The start-up cache takes no classes from folders, so its making is told to be over.
    String of = "{ cat \"$0/release\"; cd lib; wc -c -- *; } >ron.aot.of";
    Process told =
        new ProcessBuilder("sh", "-c", of, System.getProperty("java.home"))
            .directory(folder.toFile())
            .start();
    assertThat(told.waitFor()).isZero();
    return ron;
  }

  @Test
  @ResourceLock(Resources.SYSTEM_OUT)
  void whatIsSaidOfAJoinNeedsAnInvitation() {
    for (String flag : List.of("--replace", "--node", "--address")) {
      Said said =
          Said.by("up", "--rehearse", "--data", data.toString(), "--base-port", "0", flag, "c");
      assertThat(said.exit()).as(flag).isEqualTo(1);
      assertThat(said.err()).contains(flag, "needs --join TOKEN");
      assertThat(data).as("nothing was begun").isEmptyDirectory();
    }
  }

  /** The system's refusal names no address, and a node has more than ten. */
  @ParameterizedTest
  @ValueSource(strings = {"admin.bind", "storage.s3.bind"})
  @ResourceLock(Resources.SYSTEM_OUT)
  void aPortThatIsTakenIsNamedWithItsKey(String key) throws Exception {
    try (var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String at = "127.0.0.1:" + other.getLocalPort();
      String set = key + "=" + at;
      Said said =
          Said.by("up", "--data", data.toString(), "--base-port", "0", "--rehearse", "--set", set);
      assertThat(said.exit()).isEqualTo(1);
      assertThat(said.err())
          .contains("ron: cannot listen at %s (%s): Address already in use;".formatted(at, key))
          .contains("--base-port N");
    }
  }

  /** It would take what the first has just written to a journal for a torn end, and cut it. */
  @Test
  @ResourceLock(Resources.SYSTEM_OUT)
  void aSecondNodeIsKeptOutOfTheFolder() throws Exception {
    try (ChildJvm node = up()) {
      linesUntil(node, "admin capability");
      try (ChildJvm second = upSaying()) {
        assertThat(linesUntil(second, "ron: ").getLast())
            .isEqualTo(
                ("ron: a node runs on %s already, process %d: stop it first,"
                        + " or start with --data FOLDER and --base-port N")
                    .formatted(data, node.pid()));
        assertThat(second.exit(LIMIT)).isEqualTo(1);
      }
      assertThat(Said.by("fsck", "--data", data.toString()).err()).contains("stop it first");
      node.kill9();
    }
    try (ChildJvm node = up()) {
      assertThat(linesUntil(node, "Ctrl-C drains")).as("after a kill").isNotEmpty();
      node.terminate();
      assertThat(node.exit(LIMIT)).isZero();
    }
    Said sound = Said.by("fsck", "--data", data.toString());
    assertThat(sound.exit()).as(sound.out()).isZero();
  }

  /** Journals and disks may lie elsewhere, and are as little for two. */
  @ParameterizedTest
  @CsvSource({
    "mailbox.data, @",
    "rewarder.artifacts, @",
    "edge.data, @",
    "storage.data_dirs, [\"@\"]"
  })
  @ResourceLock(Resources.SYSTEM_OUT)
  void aSecondNodeIsKeptOutOfAFolderElsewhere(String key, String value) throws Exception {
    Path elsewhere = data.resolve("elsewhere");
    String set = key + "=" + value.replace("@", elsewhere.toString());
    Path mine = Files.createDirectory(data.resolve("mine"));
    Path other = Files.createDirectory(data.resolve("other"));
    try (var _ =
        DataFolderLock.take(
            NodeFolders.of(
                NodeSettings.load(
                    Map.of("node.data", mine.toString(), key, set.substring(key.length() + 1)),
                    Map.of(),
                    Optional.empty())))) {
      Said second =
          Said.by("up", "--data", other.toString(), "--base-port", "0", "--rehearse", "--set", set);
      assertThat(second.exit()).isEqualTo(1);
      assertThat(second.err())
          .contains("a node uses " + elsewhere.toRealPath() + " already, process ")
          .contains("--set " + key + "=FOLDER");
      assertThat(Said.by("fsck", "--data", other.toString(), "--set", set).err())
          .contains("a node runs on " + elsewhere.toRealPath() + ": stop it first");
    }
    assertThat(Said.by("fsck", "--data", other.toString(), "--set", set).err())
        .as("once it has ended")
        .doesNotContain("stop it first");
  }

  /** A storage goes on without a disk that is gone. */
  @Test
  void aFolderElsewhereThatCannotBeMadeIsLeftToItsService() throws Exception {
    Path file = Files.writeString(data.resolve("file"), "no folder");
    String dirs = "[\"%s\", \"%s\"]".formatted(data.resolve("disk"), file.resolve("disk"));
    Path mine = Files.createDirectory(data.resolve("mine"));
    try (var _ =
        DataFolderLock.take(
            NodeFolders.of(
                NodeSettings.load(
                    Map.of("node.data", mine.toString(), "storage.data_dirs", dirs),
                    Map.of(),
                    Optional.empty())))) {
      assertThat(data.resolve("disk/node.lock")).exists();
    }
  }

  @Test
  void theAdminCapabilityIsMadeOnce() throws Exception {
    try (ChildJvm node = up()) {
      linesUntil(node, "admin capability");
      node.terminate();
      node.exit(LIMIT);
    }
    try (ChildJvm node = up()) {
      linesUntil(node, "Ctrl-C drains");
      node.terminate();
      assertThat(linesUntil(node, "drained")).noneMatch(line -> line.contains("capability"));
    }
  }

  @Test
  void aHangupReportsWhatChanged() throws Exception {
    Path file = data.resolve("ron.toml");
    Files.writeString(file, "[node]\ndrain = \"2s\"\n");
    try (ChildJvm node = up("--config", file.toString())) {
      linesUntil(node, "admin capability");
      Files.writeString(file, "[node]\ndrain = \"4s\"\n");
      node.signal("HUP");
      assertThat(node.line(LIMIT)).matches("reload: 0 changed, 1 need a restart, \\d+ unchanged");
      assertThat(node.line(LIMIT)).startsWith("  needs restart node.drain: \"2s\" -> \"4s\"");
      Files.writeString(file, "[node]\ndrian = \"4s\"\n");
      node.signal("HUP");
      assertThat(linesUntil(node, "drian").getFirst())
          .isEqualTo("reload refused, nothing changed:");
    }
  }

  @Test
  void aHangupIsHeardThoughTheParentIgnoresIt() throws Exception {
    var nohup = new ArrayList<>(List.of("sh", "-c", "trap '' HUP; exec \"$@\"", "sh"));
    nohup.addAll(ChildJvm.command(Ron.class, "up", "--data", data.toString(), "--base-port", "0"));
    try (ChildJvm node = ChildJvm.start(nohup)) {
      linesUntil(node, "admin capability");
      node.signal("HUP");
      assertThat(node.line(LIMIT)).startsWith("reload: 0 changed, 0 need a restart");
      node.terminate();
      assertThat(node.line(LIMIT)).startsWith("drained: ");
      assertThat(node.exit(LIMIT)).isZero();
    }
  }

  @Test
  void aServiceStartsAlone() throws Exception {
    try (ChildJvm node =
        ChildJvm.start(Ron.class, "mailbox", "--data", data.toString(), "--base-port", "0")) {
      assertThat(linesUntil(node, "Ctrl-C drains"))
          .filteredOn(line -> line.contains("http://"))
          .as("the mailbox with the doors that are its own")
          .hasSize(3)
          .anyMatch(line -> line.startsWith("mailbox "))
          .anyMatch(line -> line.startsWith("sqs "))
          .anyMatch(line -> line.startsWith("admin "));
    }
  }

  @Test
  void aHangupGivesTheGatewayItsNewRoutes() throws Exception {
    Path file = data.resolve("ron.toml");
    Files.writeString(file, route("/a"));
    try (ChildJvm node = up("--config", file.toString());
        HttpClient client = HttpClient.newHttpClient()) {
      String shown = String.join("\n", linesUntil(node, "admin capability"));
      Matcher url = Pattern.compile("gateway\\s+(http://\\S+)").matcher(shown);
      assertThat(url.find()).as(shown).isTrue();
      assertThat(status(client, url.group(1) + "/a")).as("nobody is behind it").isEqualTo(502);
      assertThat(status(client, url.group(1) + "/b")).isEqualTo(404);
      Files.writeString(file, route("/b"));
      node.signal("HUP");
      assertThat(node.line(LIMIT)).startsWith("reload: 1 changed, 0 need a restart");
      assertThat(status(client, url.group(1) + "/a")).isEqualTo(404);
      assertThat(status(client, url.group(1) + "/b")).isEqualTo(502);
    }
  }

  private static String route(String prefix) {
    return """
    [[gateway.routes]]
    prefix = "%s"
    upstreams = ["http://127.0.0.1:1"]
    retries = 0
    """
        .formatted(prefix);
  }

  private static int status(HttpClient client, String url) throws Exception {
    return client
        .send(
            HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  @Test
  void aPortInUseIsSaidPlainlyAndNothingIsLeftRunning() throws Exception {
    try (ServerSocket taken = new ServerSocket(0);
        ChildJvm node = up("--set", "admin.bind=127.0.0.1:" + taken.getLocalPort())) {
      assertThat(node.exit(LIMIT)).isEqualTo(1);
    }
  }

  private ChildJvm up(String... more) throws Exception {
    var args = new ArrayList<>(List.of("up", "--data", data.toString(), "--base-port", "0"));
    args.addAll(List.of(more));
    return ChildJvm.start(Ron.class, args.toArray(String[]::new));
  }

  /** One whose errors are among its lines. */
  private ChildJvm upSaying() throws Exception {
    var command = new ArrayList<>(List.of("sh", "-c", "exec \"$@\" 2>&1", "sh"));
    command.addAll(
        ChildJvm.command(Ron.class, "up", "--data", data.toString(), "--base-port", "0"));
    return ChildJvm.start(command);
  }

  private static List<String> linesUntil(ChildJvm node, String part) throws Exception {
    var lines = new ArrayList<String>();
    for (String line = node.line(LIMIT); line != null; line = node.line(LIMIT)) {
      lines.add(line);
      if (line.contains(part)) {
        return lines;
      }
    }
    throw new AssertionError("never said '" + part + "', only " + lines);
  }

  private static String awaitFile(Path file) throws Exception {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!Files.exists(file) && System.nanoTime() < end) {
      LockSupport.parkNanos(2_000_000);
    }
    return Files.readString(file);
  }

  private static HttpResponse<String> get(String url) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
    }
  }

  private static void assertOnlyTheOwnerReads(Path file) throws Exception {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }
}
