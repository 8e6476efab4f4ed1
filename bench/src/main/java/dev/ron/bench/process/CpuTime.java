package dev.ron.bench.process;

import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * CPU seconds spent by processes, in their own code and in the kernel for them.
 *
 * <p>Counted by the kernel in ticks of a hundredth of a second, so only differences of many ticks
 * mean anything.
 *
 * <p>Threading: immutable.
 */
public record CpuTime(double userSeconds, double systemSeconds) {
  /** Each try fails only when a process ended within the few microseconds of a walk. */
  private static final int WALKS_MAX = 20;

  /**
   * Ten ticks: user and system time are each cut off at a tick, so the error is a fifth at worst.
   */
  static final double SECONDS_MIN = 0.1;

  public static final CpuTime ZERO = new CpuTime(0, 0);

  /**
   * A process with all its living descendants, and those of their children that ended and were
   * waited for. Descendants that were orphaned are out of sight: the kernel gives them to init.
   *
   * @throws IllegalStateException if the process has ended and was waited for
   */
  public static CpuTime of(long pid) {
    for (int walk = 0; walk < WALKS_MAX; walk++) {
      Optional<CpuTime> sum = walk(pid);
      if (sum.isPresent()) {
        return sum.get();
      }
    }
    throw new IllegalStateException("process " + pid + " has ended, or its children end too fast");
  }

  /** This process's own threads, without any child. */
  public static CpuTime own() {
    ProcStat stat = self();
    return ofTicks(stat.userTicks(), stat.systemTicks());
  }

  /** All children of this process that ended so far, with what they waited for in turn. */
  public static CpuTime ownEndedChildren() {
    ProcStat stat = self();
    return ofTicks(stat.reapedUserTicks(), stat.reapedSystemTicks());
  }

  public double seconds() {
    return userSeconds + systemSeconds;
  }

  /**
   * Work done per CPU second; NaN, which no {@code Comparison} takes for a reading, when so little
   * time was spent that the ticks are too coarse to tell.
   */
  public double rate(double work) {
    return seconds() < SECONDS_MIN ? Double.NaN : work / seconds();
  }

  public CpuTime plus(CpuTime other) {
    return new CpuTime(userSeconds + other.userSeconds, systemSeconds + other.systemSeconds);
  }

  public CpuTime minus(CpuTime earlier) {
    return new CpuTime(userSeconds - earlier.userSeconds, systemSeconds - earlier.systemSeconds);
  }

  /**
   * Empty if a process went away during the walk: its time may then have moved to its parent before
   * or after the parent was read, and would be counted twice or not at all.
   */
  private static Optional<CpuTime> walk(long pid) {
    Optional<ProcessHandle> root = ProcessHandle.of(pid);
    if (root.isEmpty()) {
      return Optional.empty();
    }
    long[] pids =
        Stream.concat(root.stream(), root.get().descendants())
            .mapToLong(ProcessHandle::pid)
            .toArray();
    CpuTime sum = ZERO;
    for (long one : pids) {
      Optional<ProcStat> stat = ProcStat.of(one);
      if (stat.isEmpty()) {
        return Optional.empty();
      }
      sum = sum.plus(withReaped(stat.get()));
    }
    OptionalLong gone = Arrays.stream(pids).filter(one -> ProcStat.of(one).isEmpty()).findFirst();
    return gone.isPresent() ? Optional.empty() : Optional.of(sum);
  }

  private static CpuTime withReaped(ProcStat stat) {
    return ofTicks(
        stat.userTicks() + stat.reapedUserTicks(), stat.systemTicks() + stat.reapedSystemTicks());
  }

  private static CpuTime ofTicks(long userTicks, long systemTicks) {
    double ticks = ProcStat.TICKS_PER_SECOND;
    return new CpuTime(userTicks / ticks, systemTicks / ticks);
  }

  private static ProcStat self() {
    return ProcStat.of(ProcessHandle.current().pid()).orElseThrow();
  }
}
