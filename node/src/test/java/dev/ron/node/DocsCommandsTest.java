package dev.ron.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.node.cluster.ClusterMachine;
import dev.ron.testkit.FreePorts;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/**
 * The commands in the documentation do what they say.
 *
 * <p>A block marked {@code sh} is run as it stands, all of a page in one shell, beside a node that
 * has just been started; the first command that fails fails the page. Commands of others that are
 * not installed are named as not run, and the page with them. Whatever else looks like a command of
 * ours, in a block or in a sentence, must name one that exists, with options it knows.
 */
@Timeout(300)
class DocsCommandsTest {
  private static final Path ROOT = Path.of(System.getProperty("ron.root", "."));
  private static final Pattern RUN = Pattern.compile("(?ms)^```sh\n(.*?)^```$");
  private static final Pattern MENTION =
      Pattern.compile("(?m)`(?:\\./)?ron ([^`\n]+)`|^ *(?:\\./)?ron ([a-z][^\n#]*)");

  /**
   * Forty commands between them, each a JVM: a minute. The quick starts of the services have most
   * of them.
   */
  private static final List<String> TOURS = List.of("first-hour.md", "operations.md");

  /** Starts nodes of its own. */
  private static final String WALK = "cluster.md";

  /** Ports of its nodes: the base port of each, with doors up to a hundred behind it. */
  private static final Pattern WALK_PORT = Pattern.compile("\\b9([1-4])(\\d\\d)\\b");

  /** The default ports as the pages name them. */
  private static final Map<String, String> PORTS =
      Map.of(
          "8080",
          "gateway",
          "8081",
          "edge",
          "8082",
          "mailbox",
          "8083",
          "storage",
          "8084",
          "rewarder",
          "8085",
          "s3",
          "8086",
          "sqs");

  private static final List<String> JAVA =
      List.of(
          Path.of(System.getProperty("java.home"), "bin", "java").toString(),
          "-XX:TieredStopAtLevel=1",
          "-XX:+UseSerialGC",
          "--add-modules=jdk.incubator.vector",
          "--enable-native-access=ALL-UNNAMED");

  @TempDir private static Path shared;
  private static String classPath = "";

  @TempDir private Path folder;

  static Stream<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
        Stream<Path> top = Files.list(ROOT)) {
      return Stream.concat(docs, top)
          .filter(page -> page.toString().endsWith(".md"))
          .sorted()
          .toList()
          .stream();
    }
  }

  private static Stream<Path> pagesToRun(boolean tours) throws IOException {
    return pages()
        .filter(page -> RUN.matcher(text(page)).find())
        .filter(page -> !page.getFileName().toString().equals(WALK))
        .filter(page -> TOURS.contains(page.getFileName().toString()) == tours);
  }

  static Stream<Path> quickStarts() throws IOException {
    return pagesToRun(false);
  }

  static Stream<Path> tours() throws IOException {
    return pagesToRun(true);
  }

  @ParameterizedTest
  @MethodSource("tours")
  @Tag("long")
  void everyCommandOfTheTourWorks(Path page) throws Exception {
    everyCommandOfThePageWorks(page);
  }

  @ParameterizedTest
  @MethodSource("quickStarts")
  void everyCommandOfThePageWorks(Path page) throws Exception {
    assumeTrue(
        Files.isExecutable(Path.of("/bin/bash")) && Files.isExecutable(Path.of("/usr/bin/curl")),
        "NOT RUN: the commands of " + page + " need bash and curl");
    try (RunningNode node =
        RunningNode.start(
            folder.resolve("data"),
            Map.of(
                "node.base_port", Integer.toString(FreePorts.row(AdminConfig.PORT_OFFSET + 1))))) {
      launcher();
      Files.writeString(folder.resolve("README.md"), "any file will do\n");
      Path pictures = Files.createDirectories(folder.resolve("docs/pictures"));
      Files.writeString(pictures.resolve("overview.png"), "any bytes will do\n");
      Path script = Files.writeString(folder.resolve("page.sh"), script(page, node));
      Path said = folder.resolve("said");
      var bash = new ProcessBuilder("/bin/bash", script.toString()).directory(folder.toFile());
      environment(bash.environment(), node);
      Process running =
          bash.redirectErrorStream(true)
              .redirectOutput(said.toFile())
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .start();
      try {
        assertThat(running.waitFor(240, TimeUnit.SECONDS)).as("it ends").isTrue();
        if (running.exitValue() != 0) {
          fail(page + " ends with " + running.exitValue() + ":\n" + Files.readString(said));
        }
        assumeFalse(
            Files.readString(said).contains(ABSENT),
            "NOT RUN: the lines of " + page + " for aws, which is not installed; the others were");
      } finally {
        running.destroyForcibly();
      }
    }
  }

  private static final String ABSENT = "aws is absent";

  private static final String BEFORE =
      """
      if ! aws --version >&2; then aws() { echo "%s"; }; fi
      set -euv -o pipefail
      """
          .formatted(ABSENT);

  /** Four nodes, each a process, and the commands between them. */
  @Test
  @Tag("long")
  @Timeout(900)
  void theWalkFromOneMachineToFourAndBackWorks() throws Exception {
    assumeTrue(
        Files.isExecutable(Path.of("/bin/bash")),
        "NOT RUN: the commands of " + WALK + " need bash");
    launcher();
    Path page = ROOT.resolve("docs").resolve(WALK);
    var bases = new ArrayList<Integer>();
    for (int i = 0; i < 4; i++) {
      bases.add(FreePorts.row(ClusterMachine.JOIN + 1));
    }
    String commands =
        WALK_PORT
            .matcher(commands(page))
            .replaceAll(
                found ->
                    Integer.toString(
                        bases.get(Integer.parseInt(found.group(1)) - 1)
                            + Integer.parseInt(found.group(2))));
    String ends = "trap 'set +e; kill $(jobs -p); wait' EXIT\n";
    Path script = Files.writeString(folder.resolve("page.sh"), ends + commands);
    Path said = folder.resolve("said");
    Process running =
        new ProcessBuilder("/bin/bash", script.toString())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .start();
    try {
      assertThat(running.waitFor(800, TimeUnit.SECONDS))
          .as(() -> "it ends: " + text(said))
          .isTrue();
      assertThat(running.exitValue()).as(() -> text(said)).isZero();
      assertThat(text(said))
          .contains(
              "\"payload_b64\":\"aGVsbG8K\"",
              "cluster ron is formed",
              "c is let go; left are [a, b, d]");
      assertThat(text(folder.resolve("c.log"))).contains("machine c was let go");
    } finally {
      running.descendants().forEach(ProcessHandle::destroyForcibly);
      running.destroyForcibly();
    }
  }

  /** With {@code -v} the last line before a failure is the command that failed. */
  private static String commands(Path page) {
    var script = new StringBuilder(BEFORE);
    Matcher block = RUN.matcher(text(page));
    while (block.find()) {
      script.append(block.group(1));
    }
    return script.toString();
  }

  private static String script(Path page, RunningNode node) {
    String all = commands(page);
    for (Map.Entry<String, String> port : PORTS.entrySet()) {
      all = all.replace("http://127.0.0.1:" + port.getKey(), node.url(port.getValue()));
    }
    return all.replace("http://127.0.0.1:8090", node.admin());
  }

  /** What ./ron does on a built tree. */
  private void launcher() throws IOException {
    Path ron =
        Files.writeString(
            folder.resolve("ron"),
            """
            #!/bin/sh
            exec %s -XX:AOTCache='%s' -Xlog:aot=off -Xlog:cds=off -cp '%s' dev.ron.node.Ron "$@"
            """
                .formatted(String.join(" ", JAVA), cache(), classPath));
    assertThat(ron.toFile().setExecutable(true)).isTrue();
  }

  private static Path cache() {
    return shared.resolve("ron.aot");
  }

  /**
   * Makes the cache with which ./ron starts commands too: without it most of the time of this test
   * is the start of a hundred JVMs. A JVM keeps none of classes in folders, so they become jars.
   */
  @BeforeAll
  static void rehearse() throws Exception {
    ToolProvider jar = ToolProvider.findFirst("jar").orElseThrow();
    var jars = new ArrayList<String>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      String packed = entry;
      if (Files.isDirectory(Path.of(entry))) {
        packed = shared.resolve(jars.size() + ".jar").toString();
        int exit = jar.run(System.out, System.err, "-cf", packed, "-C", entry, ".");
        assertThat(exit).as("jar of " + entry).isZero();
      }
      jars.add(packed);
    }
    classPath = String.join(File.pathSeparator, jars);
    var command = new ArrayList<>(JAVA);
    command.addAll(List.of("-XX:AOTCacheOutput=" + cache(), "-cp", classPath));
    command.addAll(List.of(Ron.class.getName(), "rehearse-client"));
    Path said = shared.resolve("said");
    Process rehearsal =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    try {
      assertThat(rehearsal.waitFor(120, TimeUnit.SECONDS)).as("the rehearsal ends").isTrue();
      assertThat(rehearsal.exitValue()).as(() -> text(said)).isZero();
    } finally {
      rehearsal.destroyForcibly();
    }
    assertThat(cache()).isNotEmptyFile();
  }

  private void environment(Map<String, String> to, RunningNode node) {
    to.put("RON_CAP", node.keys().mint(List.of()));
    // A page may write a profile, and reads none of the machine's.
    to.put("HOME", folder.toString());
    to.put("AWS_EC2_METADATA_DISABLED", "true");
    for (String service : List.of("mailbox", "storage", "edge", "rewarder", "s3")) {
      to.put("RON_URL_" + service.toUpperCase(java.util.Locale.ROOT), node.url(service));
    }
    to.put("RON_URL_ADMIN", node.admin());
  }

  @Test
  void everyCommandThatIsMentionedExists() throws Exception {
    var wrong = new ArrayList<String>();
    CommandLine all = Ron.commandLine();
    int mentioned = 0;
    for (Path page : pages().toList()) {
      Matcher mention = MENTION.matcher(text(page));
      while (mention.find()) {
        String line = mention.group(1) == null ? mention.group(2) : mention.group(1);
        mentioned++;
        String problem = problem(all, line.strip());
        if (!problem.isEmpty()) {
          wrong.add(page.getFileName() + ": ron " + line.strip() + ": " + problem);
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(mentioned).isGreaterThan(30);
  }

  /** Empty if the words lead to a command of ours and its options are known to it. */
  private static String problem(CommandLine all, String line) {
    CommandLine command = all;
    List<String> words = List.of(line.split("\\s+"));
    String first = words.getFirst();
    if (List.of("test", "conformance", "dist", "fuzz", "rehearse", "simulate").contains(first)) {
      return ""; // the launcher's own
    }
    if (!first.matches("[a-z0-9-]+")) {
      return ""; // several at once: ron put|get
    }
    for (String word : words) {
      if (command.getSubcommands().containsKey(word)) {
        command = command.getSubcommands().get(word);
      } else if (word.equals(first)) {
        return "there is no such command";
      } else if (word.startsWith("--") && !first.equals("bench") && !knows(command, word)) {
        return "it has no option " + word;
      }
    }
    return "";
  }

  private static boolean knows(CommandLine command, String option) {
    return command.getCommandSpec().findOption(option.replaceFirst("=.*", "")) != null;
  }

  private static String text(Path page) {
    try {
      return Files.readString(page, UTF_8);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
