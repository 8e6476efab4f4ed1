package dev.ron.bench.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.bench.ParentMain;
import dev.ron.bench.TestJvm;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildProcessTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @TempDir Path folder;

  @Test
  void closeEndsChildrenAndGrandchildren() throws Exception {
    String script = "sh -c 'sleep 601 & echo deep $!; wait' & sleep 602 & echo near $!; wait";
    var child = ChildProcess.start("family", List.of("sh", "-c", script), log());
    List<Long> pids = List.of(pid(child, "near"), pid(child, "deep"), child.pid());
    assertThat(pids).allMatch(ChildProcessTest::runs);
    child.close();
    assertThat(pids).noneMatch(ChildProcessTest::runs);
  }

  @Test
  void closeEndsOrphansWhoseParentIsLongGone() throws Exception {
    var child =
        ChildProcess.start("orphans", List.of("sh", "-c", "sleep 603 & echo orphan $!"), log());
    assertThat(child.awaitExit(LIMIT)).isZero();
    long orphan = pid(child, "orphan");
    assertThat(runs(orphan)).isTrue();
    child.close();
    assertThat(runs(orphan)).isFalse();
  }

  @Test
  void closeEndsWhatIgnoresBeingAsked() throws Exception {
    String script = "trap '' TERM; echo deaf $$; while :; do sleep 604; done";
    var child = ChildProcess.start("deaf", List.of("sh", "-c", script), log());
    long pid = pid(child, "deaf");
    child.close();
    assertThat(runs(pid)).isFalse();
  }

  @Test
  void closeWorksInAnInterruptedThreadAndKeepsTheFlag() throws Exception {
    var child = ChildProcess.start("sleeper", List.of("sleep", "605"), log());
    Thread.currentThread().interrupt();
    child.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(runs(child.pid())).isFalse();
  }

  @Test
  void theExitOfTheJvmEndsItsChildrenAndDeletesItsFolders() throws Exception {
    Path inner = folder.resolve("inner.log");
    var command = TestJvm.command(ParentMain.class, inner.toString());
    var run = ToolRun.succeeding("parent", command, LIMIT);
    Matcher said = Pattern.compile("folder (/\\S+)\nstarted (\\d+)\n").matcher(run.output());
    assertThat(said.find()).as(run.output()).isTrue();
    assertThat(Path.of(said.group(1))).doesNotExist();
    assertThat(runs(Long.parseLong(said.group(2)))).isFalse();
  }

  @Test
  void aToolThatDoesNotEndIsEnded() {
    assertThatThrownBy(
            () ->
                ToolRun.of(
                    "slow", List.of("sh", "-c", "echo begun; sleep 606"), Duration.ofSeconds(1)))
        .hasMessageContaining("slow did not end within 1 s")
        .hasMessageContaining("begun");
  }

  @Test
  void aServerThatDiesSaysWhy() throws Exception {
    int port = ChildProcess.freePort();
    assertThatThrownBy(
            () ->
                ChildProcess.listen(
                    "broken", port, List.of("sh", "-c", "echo no config; exit 7"), log(), LIMIT))
        .hasMessageContaining("broken ended with 7")
        .hasMessageContaining("no config");
  }

  @Test
  void aServerThatNeverListensIsEnded() throws Exception {
    int port = ChildProcess.freePort();
    assertThatThrownBy(
            () ->
                ChildProcess.listen(
                    "mute", port, List.of("sleep", "607"), log(), Duration.ofMillis(200)))
        .hasMessageContaining("mute does not listen");
    boolean left =
        ProcessHandle.current()
            .descendants()
            .anyMatch(
                one ->
                    one.info().arguments().map(Arrays::asList).orElse(List.of()).contains("607"));
    assertThat(left).isFalse();
  }

  @Test
  void aPortInUseIsNotMistakenForTheChild() throws Exception {
    try (var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = other.getLocalPort();
      assertThatThrownBy(
              () -> ChildProcess.listen("late", port, List.of("sleep", "608"), log(), LIMIT))
          .hasMessageContaining("something else already listens on port " + port);
    }
  }

  private Path log() {
    return folder.resolve("child.log");
  }

  private static long pid(ChildProcess child, String word) throws Exception {
    return Long.parseLong(TestJvm.awaitPrinted(child, word + " (\\d+)\n").group(1));
  }

  private static boolean runs(long pid) {
    return ProcStat.of(pid).map(stat -> !stat.hasEnded()).orElse(false);
  }
}
