package dev.ron.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The shell launcher, with no Java or with one that only says how it was called. */
@Timeout(60)
class LauncherTest {
  private static final Path ROOT = Path.of(System.getProperty("ron.root", "."));
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)\\)");

  @TempDir private Path machine;

  @Test
  void withoutAJdkItSaysInTwoLinesWhatToDo() throws Exception {
    // A copy with no folder of JDKs to look in: what a machine without one looks like.
    Path launcher = machine.resolve("ron");
    Files.writeString(
        launcher, Files.readString(ROOT.resolve("ron")).replace("/usr/lib/jvm/*", "/nowhere/*"));
    var builder = new ProcessBuilder("/bin/sh", launcher.toString(), "up");
    builder.environment().clear();
    builder.environment().put("PATH", emptyPath());
    builder.environment().put("HOME", machine.toString());
    List<String> said = run(builder, 1);
    assertThat(said).hasSize(2);
    assertThat(said.getFirst()).startsWith("ron needs a JDK 25 or newer and found none");
    assertThat(said.getLast()).startsWith("Install one");
  }

  @Test
  void theSeedsAreCountedAndAnOpenStatementIsNamedAndFails() throws Exception {
    archive();
    Path page = Files.createDirectories(machine.resolve("docs")).resolve("conformance.md");
    String counts = "| seed | statements |\n|---|---:|\n| edge | 2 |\n";
    Files.writeString(
        page, "# The seeds\n\n" + counts + "\n## edge\n\n| E01 | a queue | shown |\n");
    assertThat(run(launch("conformance"), 0))
        .contains("| edge | 2 |")
        .noneMatch(line -> line.startsWith("| E"));
    Files.writeString(page, Files.readString(page) + "| E02 | a lock | **open**: all of it |\n");
    assertThat(run(launch("conformance"), 1))
        .contains("| edge | 2 |", "| E02 | a lock | **open**: all of it |");
  }

  @Test
  void anArchiveWithoutTheBenchmarksSaysHowToGetThem() throws Exception {
    archive();
    assertThat(run(launch("bench", "list"), 1))
        .satisfiesExactly(
            first -> assertThat(first).startsWith("ron bench: the benchmarks are an archive of"),
            last ->
                assertThat(last)
                    .isEqualTo(
                        "Unpack it here: tar -xzf ron-bench.tar.gz --strip-components=1 -C "
                            + machine));
  }

  @Test
  void anArchiveWithTheBenchmarksRunsThemBesideItsOwnJars() throws Exception {
    archive();
    Files.createDirectory(machine.resolve("bench"));
    assertThat(run(launch("bench", "list", "--json"), 0).getLast())
        .startsWith("java --add-modules jdk.incubator.vector ")
        .endsWith(
            " -cp %1$s/bench/*:%1$s/lib/* dev.ron.bench.BenchMain list --json".formatted(machine));
    assertThat(run(launch("pack", "list"), 0).getLast())
        .endsWith(" -cp %s/lib/* dev.ron.node.Ron pack list".formatted(machine));
  }

  @Test
  void aCheckoutBuildsTheBenchmarksWhenTheyAreAskedForAndOnce() throws Exception {
    checkout();
    assertThat(run(launch("pack", "list"), 0))
        .contains(
            "building ron, see node/target/build.log (the first time fetches its dependencies)");
    assertThat(machine.resolve("built-node")).exists();
    assertThat(machine.resolve("built-bench")).doesNotExist();
    assertThat(run(launch("bench", "list"), 0).getLast())
        .endsWith(
            " -cp %s/bench/target/dist/lib/* dev.ron.bench.BenchMain list".formatted(machine));
    assertThat(machine.resolve("built-bench")).exists();
    assertThat(run(launch("bench", "list"), 0)).as("nothing is stale").hasSize(1);
  }

  @Test
  void theSecondArchiveHoldsWhatTheFirstDoesNot() throws Exception {
    checkout();
    List<String> pages = new ArrayList<>(List.of("README.md", "packaging/kubernetes.yaml"));
    LINK.matcher(Files.readString(ROOT.resolve("README.md")))
        .results()
        .map(link -> link.group(1))
        .filter(linked -> Files.isRegularFile(ROOT.resolve(linked)))
        .forEach(pages::add);
    assertThat(pages).contains("LICENSE", "docs/first-hour.md");
    for (String file : List.of("ron.service", "alerts.yml", "grafana.json", "bom.json", "a.toml")) {
      pages.add("packaging/" + file);
    }
    for (String page : pages) {
      Files.createDirectories(machine.resolve(page).getParent());
      Files.writeString(machine.resolve(page), "");
    }
    assertThat(run(launch("dist"), 0))
        .endsWith(machine + "/node/target/ron.tar.gz", machine + "/node/target/ron-bench.tar.gz");
    assertThat(listed("node/target/ron.tar.gz"))
        .contains("ron/lib/both.jar", "ron/lib/node.jar", "ron/conf/a.toml")
        .containsAll(pages.stream().map(page -> "ron/" + page).toList());
    assertThat(listed("node/target/ron-bench.tar.gz"))
        .containsExactly("ron/", "ron/bench/", "ron/bench/bench.jar");
  }

  @Test
  void aJdkIsKnownByItsReleaseFileAndIsNotStartedToAskIt() throws Exception {
    archive();
    ProcessBuilder topics = launch("topics");
    Path jdk = machine.resolve("jdk");
    script(jdk.resolve("bin/javac"), "touch '" + machine + "/asked'; echo javac 25\n");
    Files.writeString(
        jdk.resolve("release"),
        "IMPLEMENTOR=\"any\"\nJAVA_VERSION=\"25.0.3\"\nOS_NAME=\"Linux\"\n");
    assertThat(run(topics, 0).getLast()).contains("java ").endsWith("dev.ron.node.Ron topics");
    assertThat(machine.resolve("asked")).doesNotExist();
  }

  @Test
  void aCommandThatAsksStartsFromItsOwnCacheAndOneThatCopiesCompilesWell() throws Exception {
    archive();
    Files.writeString(machine.resolve("ron.aot"), "any bytes");
    Files.writeString(machine.resolve("ron-client.aot"), "");
    Files.writeString(machine.resolve("ron.aot.of"), machine.resolve("jdk") + "\n");
    String quick = "-XX:TieredStopAtLevel=1";
    assertThat(run(launch("topics"), 0).getLast()).as("not written whole").doesNotContain(".aot");
    Files.writeString(machine.resolve("ron-client.aot"), "any bytes");
    assertThat(run(launch("topics"), 0).getLast()).contains(quick, machine + "/ron-client.aot");
    assertThat(run(launch("s3", "ls"), 0).getLast()).contains(quick, machine + "/ron-client.aot");
    assertThat(run(launch("s3", "cp", "a", "s3://b"), 0).getLast())
        .contains(machine + "/ron-client.aot")
        .doesNotContain(quick);
    assertThat(run(launch("up"), 0).getLast())
        .contains(machine + "/ron.aot", "--add-modules")
        .as("what can be typed next is said as this was")
        .contains("-Dron.command=" + machine + "/ron ")
        .doesNotContain(quick);
  }

  /** As a package puts it on the path: a link beside it, to a link elsewhere, to the file. */
  @Test
  void aLinkLeadsToTheFolderOfTheFile() throws Exception {
    archive();
    Path links = Files.createDirectory(machine.resolve("links"));
    Files.createSymbolicLink(links.resolve("absolute"), machine.resolve("ron"));
    Files.createSymbolicLink(links.resolve("ron"), Path.of("absolute"));
    List<String> command = launch("topics").command();
    command.set(1, links.resolve("ron").toString());
    ProcessBuilder linked = new ProcessBuilder(command);
    linked.environment().put("JAVA_HOME", machine.resolve("jdk").toString());
    assertThat(run(linked, 0).getLast()).contains(" -cp " + machine + "/lib/* ");
  }

  /** A cache fits one JVM, so an archive comes without. */
  @Test
  void theFirstStartOfAnArchiveMakesTheCachesForItsJvm() throws Exception {
    archive();
    Files.writeString(machine.resolve("lib/node.jar"), "a jar");
    ProcessBuilder up = launch("up");
    Path release = Files.writeString(machine.resolve("jdk/release"), "JAVA_VERSION=\"25.0.3\"\n");
    script(
        machine.resolve("jdk/bin/java"),
        """
        for word; do
          case $word in -XX:AOTCacheOutput=*) echo "any bytes" >"${word#*=}" ;; esac
        done
        echo java "$@"
        """);
    assertThat(run(launch("topics"), 0).getLast()).doesNotContain(".aot");
    for (String jvm : List.of("25.0.3", "25.0.4")) {
      Files.writeString(release, "JAVA_VERSION=\"%s\"\n".formatted(jvm));
      assertThat(run(up, 0))
          .satisfiesExactly(
              first -> assertThat(first).startsWith("ron: the first start with this JDK makes"),
              last -> assertThat(last).contains("-XX:AOTCache=" + machine + "/ron.aot "));
      assertThat(run(up, 0)).as("they are there").hasSize(1);
    }
    assertThat(run(launch("topics"), 0).getLast()).contains(machine + "/ron-client.aot");
    Files.writeString(machine.resolve("lib/node.jar"), "another one");
    assertThat(run(up, 0)).as("of jars that are no more").hasSize(2);
    try (var files = Files.list(machine)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "ron",
              "lib",
              "conf",
              "jdk",
              "ron.aot",
              "ron-client.aot",
              "ron.aot.of",
              "rehearse.log");
    }
  }

  @Test
  void aFirstStartThatIsInterruptedLeavesNothingHalfMade() throws Exception {
    archive();
    ProcessBuilder up = launch("up");
    script(
        machine.resolve("jdk/bin/java"),
        """
        for word; do
          case $word in
            -XX:AOTCacheOutput=*) echo "half a cache" >"${word#*=}"; echo it >"${word#*=}.config" ;;
            */rehearsal.*) mkdir "$word" ;;
          esac
        done
        kill -TERM "$PPID"
        """);
    assertThat(run(up, 143)).hasSize(1);
    try (var files = Files.list(machine)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("ron", "lib", "conf", "jdk", "rehearse.log");
    }
  }

  /** What else the JVM says on its way comes through, and Ron gets the terminal itself. */
  @Test
  void aTerminalIsSparedTheNoticeOfTheIncubatorAndNothingElse() throws Exception {
    Path script = Path.of("/usr/bin/script");
    assumeTrue(
        Files.isExecutable(script), "NOT RUN: script is not installed, so no terminal was tried");
    archive();
    ProcessBuilder verify = launch("verify", "a");
    Path go = machine.resolve("go");
    run(new ProcessBuilder("mkfifo", go.toString()), 0);
    script(
        machine.resolve("jdk/bin/java"),
        """
        echo "WARNING: Using incubator modules: jdk.incubator.vector" >&2
        echo "Error: could not begin" >&2
        cat '%s'
        exec 2>&3
        if [ -t 2 ]; then echo "java $@" >&2; fi
        exit 7
        """
            .formatted(go));
    List<String> terminal =
        List.of(
            script.toString(),
            "--quiet",
            "--return",
            "--command",
            String.join(" ", verify.command()),
            "/dev/null");
    verify.command(terminal);
    Process process = verify.redirectErrorStream(true).start();
    try (BufferedReader said = process.inputReader()) {
      assertThat(said.readLine()).isEqualTo("Error: could not begin");
      Files.writeString(go, "it was read\n", StandardOpenOption.WRITE);
      assertThat(said.readLine()).isEqualTo("it was read");
      assertThat(said.readLine())
          .contains("-Dron.terminal=3", "--add-modules jdk.incubator.vector");
      assertThat(said.readLine()).isNull();
    }
    assertThat(process.waitFor()).isEqualTo(7);
  }

  @Test
  void aTestRunEndsWithEachTestThatDidNotRunAndWhy() throws Exception {
    Files.copy(ROOT.resolve("ron"), machine.resolve("ron"));
    Path old = Files.createDirectories(machine.resolve("old/target/surefire-reports"));
    Path report = old.resolve("TEST-dev.ron.OldTest.xml");
    Files.writeString(
        report, "<testcase name=\"before\" classname=\"dev.ron.OldTest\"><skipped/></testcase>\n");
    Files.setLastModifiedTime(report, FileTime.from(Instant.now().minusSeconds(60)));
    script(
        machine.resolve("mvnw"),
        """
        echo mvnw "$@"
        cd "${0%/*}" && mkdir -p a/target/surefire-reports && cd a/target/surefire-reports
        cat >TEST-dev.ron.ATest.xml <<'END'
        <testsuite name="dev.ron.ATest" tests="3" skipped="2">
          <testcase name="runs" classname="dev.ron.ATest" time="0.1"/>
          <testcase name="waits{Path}[1]" classname="dev.ron.ATest" time="0.0">
            <skipped message="no &lt;bash&gt; &amp; no &quot;curl&quot;" type="x"/>
          </testcase>
          <testcase name="assumes" classname="dev.ron.ATest" time="0.0">
            <skipped type="org.A"><![CDATA[org.A: Assumption failed: NOT RUN: zsh is not installed
        	at org.junit.B(B.java:340)
        ]]></skipped>
          </testcase>
          <testcase name="shows" classname="dev.ron.ATest" time="0.0">
            <skipped type="org.A"><![CDATA[org.A:\s
        Assumption failed: + needs python3
        + python3 -c 1
        ]]></skipped>
          </testcase>
          <testcase name="rests" classname="dev.ron.ATest" time="0.0">
            <skipped/>
          </testcase>
        </testsuite>
        END
        exit 3
        """);
    assertThat(run(launch("test", "-pl", "a"), 3))
        .containsExactly(
            "mvnw -f %s/pom.xml -T 2 verify -pl a".formatted(machine),
            "",
            "NOT RUN, 4 tests:",
            "  ATest.assumes: zsh is not installed",
            "  ATest.rests: no reason is given",
            "  ATest.shows: + needs python3",
            "  ATest.waits{Path}[1]: no <bash> & no \"curl\"");
    script(machine.resolve("mvnw"), "echo built\n");
    assertThat(run(launch("test"), 0)).containsExactly("built");
  }

  @Test
  void itIsPlainShell() throws Exception {
    Process process = new ProcessBuilder("/bin/sh", "-n", ROOT.resolve("ron").toString()).start();
    assertThat(process.waitFor()).isZero();
  }

  /** An unpacked archive: the launcher, a configuration and jars. */
  private void archive() throws Exception {
    Files.copy(ROOT.resolve("ron"), machine.resolve("ron"));
    Files.createDirectory(machine.resolve("lib"));
    Files.writeString(Files.createDirectory(machine.resolve("conf")).resolve("micronode.toml"), "");
  }

  /** A checkout whose build notes what it was asked for and makes two jars of it. */
  private void checkout() throws Exception {
    Files.copy(ROOT.resolve("ron"), machine.resolve("ron"));
    script(
        machine.resolve("mvnw"),
        """
        while [ "$1" != -pl ]; do shift; done
        cd "${0%/*}" && touch "built-$2"
        mkdir -p "$2/target/dist/lib" && touch "$2/target/dist/lib/both.jar" "$2/target/dist/lib/$2.jar"
        """);
  }

  private List<String> listed(String archive) throws Exception {
    return run(new ProcessBuilder("tar", "-tzf", machine.resolve(archive).toString()), 0).stream()
        .sorted()
        .toList();
  }

  /** With a JDK that is new enough by its own word and answers how it was called. */
  private ProcessBuilder launch(String... args) throws Exception {
    Path jdk = machine.resolve("jdk");
    if (!Files.exists(jdk)) {
      Path bin = Files.createDirectories(jdk.resolve("bin"));
      script(bin.resolve("javac"), "echo javac 25\n");
      script(bin.resolve("java"), "echo java \"$@\"\n");
    }
    var command = new ArrayList<>(List.of("/bin/sh", machine.resolve("ron").toString()));
    command.addAll(List.of(args));
    var builder = new ProcessBuilder(command);
    builder.environment().put("JAVA_HOME", jdk.toString());
    return builder;
  }

  private static void script(Path file, String lines) throws Exception {
    Files.writeString(file, "#!/bin/sh\n" + lines);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private static List<String> run(ProcessBuilder builder, int exit) throws Exception {
    Process process = builder.redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isEqualTo(exit);
    return said.lines().toList();
  }

  /** Only the tools the launcher itself needs, and no Java. */
  private String emptyPath() throws Exception {
    Path bin = Files.createDirectory(machine.resolve("bin"));
    for (String tool : List.of("dirname", "readlink", "sed", "find", "head")) {
      for (String folder : List.of("/bin", "/usr/bin")) {
        Path real = Path.of(folder, tool);
        if (Files.exists(real) && !Files.exists(bin.resolve(tool))) {
          Files.createSymbolicLink(bin.resolve(tool), real);
        }
      }
    }
    return bin.toString();
  }
}
