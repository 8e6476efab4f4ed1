package dev.ron.bench.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A process and everything that came from it, to be ended together.
 *
 * <p>Two ways of finding them, since each misses some. The chain of parents misses those whose
 * parent ended first, which init adopts. A mark in the environment, inherited by every descendant,
 * finds those, but misses servers that overwrite their environment to show a title in {@code ps}.
 *
 * <p>Threading: thread-safe; holds no state but final fields.
 */
record ProcessTree(ProcessHandle root, String mark) {
  /**
   * Each pass kills all it sees; only a program that forks faster than that needs more than two.
   */
  private static final int PASSES_MAX = 100;

  private static final Duration PASS = Duration.ofMillis(50);

  static final String MARK_VARIABLE = "RON_BENCH_CHILD";

  /** Those that still run; a zombie does not. */
  Set<ProcessHandle> living() {
    var found = new LinkedHashSet<ProcessHandle>();
    found.add(root);
    root.descendants().forEach(found::add);
    ProcessHandle.allProcesses().filter(this::isMarked).forEach(found::add);
    found.removeIf(process -> !runs(process));
    return found;
  }

  /** Asks the root to end, waits up to {@code grace}, then kills what is left until none is. */
  void end(Duration grace) {
    // Taken before the root ends: its children are no longer its descendants afterwards.
    Set<ProcessHandle> known = living();
    if (grace.isPositive() && runs(root)) {
      root.destroy();
      await(root, grace);
    }
    for (int pass = 0; pass < PASSES_MAX; pass++) {
      known.addAll(living());
      for (ProcessHandle process : Set.copyOf(known)) {
        process.descendants().forEach(known::add);
      }
      known.removeIf(process -> !runs(process));
      if (known.isEmpty()) {
        return;
      }
      known.forEach(ProcessHandle::destroyForcibly);
      await(known.iterator().next(), PASS);
    }
    throw new IllegalStateException("could not end processes " + known);
  }

  private static boolean runs(ProcessHandle process) {
    return process.isAlive()
        && ProcStat.of(process.pid()).map(stat -> !stat.hasEnded()).orElse(false);
  }

  private boolean isMarked(ProcessHandle process) {
    try {
      byte[] environment =
          Files.readAllBytes(Path.of("/proc", Long.toString(process.pid()), "environ"));
      return new String(environment, StandardCharsets.ISO_8859_1)
          .contains(MARK_VARIABLE + "=" + mark);
    } catch (IOException goneOrNotOurs) {
      return false;
    }
  }

  /** Not interruptible: ending children is what an interrupted run must still do. */
  private static void await(ProcessHandle process, Duration limit) {
    process
        .onExit()
        .copy()
        .completeOnTimeout(process, limit.toNanos(), TimeUnit.NANOSECONDS)
        .join();
  }
}
