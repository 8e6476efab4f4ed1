package dev.ron.bench.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.bench.BusyMain;
import dev.ron.bench.TestJvm;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpuTimeTest {
  @TempDir Path folder;

  @Test
  void aBusyChildIsCountedAsItCountsItself() throws Exception {
    try (var child =
        ChildProcess.start("busy", TestJvm.command(BusyMain.class, "300"), log("busy"))) {
      long nanos = Long.parseLong(TestJvm.awaitPrinted(child, "used (\\d+)\n").group(1));
      double itself = nanos / 1e9;
      assertThat(itself).isGreaterThanOrEqualTo(0.3);
      // Ticks are coarse on the low side; on the high side it goes on a little after printing.
      assertThat(child.cpuTime().seconds()).isBetween(itself - 0.1, itself + 0.5);
    }
  }

  @Test
  void aChildsLivingChildIsCounted() throws Exception {
    var command = TestJvm.command(BusyMain.class, "300");
    String line = "'" + String.join("' '", command) + "' & wait";
    try (var child = ChildProcess.start("shell", List.of("sh", "-c", line), log("living"))) {
      long nanos = Long.parseLong(TestJvm.awaitPrinted(child, "used (\\d+)\n").group(1));
      assertThat(child.cpuTime().seconds()).isBetween(nanos / 1e9 - 0.1, nanos / 1e9 + 0.6);
    }
  }

  @Test
  void aChildsEndedChildIsCounted() throws Exception {
    // The shell waits for its busy part, says what the kernel told it, and stays.
    String script =
        "(i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done); times; echo done; exec sleep 600";
    try (var child = ChildProcess.start("shell", List.of("sh", "-c", script), log("ended"))) {
      MatchResult times =
          TestJvm.awaitPrinted(child, "\n(\\d+)m([0-9.]+)s (\\d+)m([0-9.]+)s\ndone\n");
      double ended =
          60 * Integer.parseInt(times.group(1))
              + Double.parseDouble(times.group(2))
              + 60 * Integer.parseInt(times.group(3))
              + Double.parseDouble(times.group(4));
      assertThat(ended).as("the busy part used time").isGreaterThan(0.05);
      assertThat(child.cpuTime().seconds()).isBetween(ended - 0.05, ended + 0.3);
    }
  }

  @Test
  void aToolThatRanIsCountedAfterItsEnd() throws Exception {
    String script = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; times";
    var run = ToolRun.of("shell", List.of("sh", "-c", script), Duration.ofSeconds(60));
    var own = Pattern.compile("^0m([0-9.]+)s 0m([0-9.]+)s").matcher(run.output());
    assertThat(own.find()).isTrue();
    double itself = Double.parseDouble(own.group(1)) + Double.parseDouble(own.group(2));
    assertThat(itself).isGreaterThan(0.05);
    assertThat(run.cpu().seconds()).isBetween(itself - 0.05, itself + 0.3);
  }

  @Test
  void ownTimeIsThatOfThisProcess() {
    double before = CpuTime.own().seconds();
    var threads = ManagementFactory.getThreadMXBean();
    long start = threads.getCurrentThreadCpuTime();
    while (threads.getCurrentThreadCpuTime() - start < 300_000_000) {
      Thread.onSpinWait();
    }
    assertThat(CpuTime.own().seconds() - before).isGreaterThan(0.25);
  }

  @Test
  void aRateFromTooFewTicksIsNoReading() {
    assertThat(new CpuTime(0.15, 0.05).rate(100)).isEqualTo(500);
    assertThat(new CpuTime(0.06, 0.03).rate(100)).isNaN();
    assertThat(CpuTime.ZERO.rate(100)).isNaN();
  }

  @Test
  void aNameWithBlanksAndBracketsDoesNotShiftTheFields() {
    var stat =
        ProcStat.parse(
            "42 (a) b (c) R 1 42 42 0 -1 4194560 1 2 3 4 101 202 303 404 20 0 1 0 9 0 0\n");
    assertThat(stat).isEqualTo(new ProcStat('R', 101, 202, 303, 404));
    assertThat(ProcStat.TICKS_PER_SECOND).isBetween(1L, 10_000L);
  }

  @Test
  void aProcessThatIsGoneIsNotZero() throws Exception {
    var child = ChildProcess.start("true", List.of("true"), log("gone"));
    child.awaitExit(Duration.ofSeconds(30));
    assertThatThrownBy(child::cpuTime).hasMessageContaining("has ended");
    child.close();
  }

  private Path log(String name) {
    return folder.resolve(name + ".log");
  }
}
