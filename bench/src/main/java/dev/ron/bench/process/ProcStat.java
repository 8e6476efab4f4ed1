package dev.ron.bench.process;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The few fields of {@code /proc/<pid>/stat} that matter here; times in clock ticks.
 *
 * <p>Threading: immutable.
 */
public record ProcStat(
    char state, long userTicks, long systemTicks, long reapedUserTicks, long reapedSystemTicks) {
  private static final Pattern BLANK = Pattern.compile(" ");
  private static final long AT_CLKTCK = 17;

  /** The kernel's unit of CPU time as it tells each process at start, 100 on common machines. */
  static final long TICKS_PER_SECOND = ticksPerSecond();

  /** Empty when there is no such process any more. */
  public static Optional<ProcStat> of(long pid) {
    try {
      return Optional.of(parse(Files.readString(Path.of("/proc", Long.toString(pid), "stat"))));
    } catch (IOException gone) {
      return Optional.empty();
    }
  }

  /**
   * The program's name, second field, may hold blanks and brackets: count from the last bracket.
   */
  static ProcStat parse(String line) {
    List<String> fields =
        BLANK.splitAsStream(line.substring(line.lastIndexOf(')') + 2).strip()).toList();
    return new ProcStat(
        fields.get(0).charAt(0),
        Long.parseLong(fields.get(11)),
        Long.parseLong(fields.get(12)),
        Long.parseLong(fields.get(13)),
        Long.parseLong(fields.get(14)));
  }

  /** A zombie has ended; only its entry waits for a parent to read it. */
  public boolean hasEnded() {
    return state == 'Z' || state == 'X';
  }

  private static long ticksPerSecond() {
    try {
      var auxiliary =
          ByteBuffer.wrap(Files.readAllBytes(Path.of("/proc/self/auxv")))
              .order(ByteOrder.nativeOrder());
      while (auxiliary.remaining() >= 2 * Long.BYTES) {
        long key = auxiliary.getLong();
        long value = auxiliary.getLong();
        if (key == AT_CLKTCK && value > 0) {
          return value;
        }
      }
      throw new IllegalStateException("the kernel did not say its clock tick");
    } catch (IOException e) {
      throw new IllegalStateException("CPU time is counted from /proc, which is not here", e);
    }
  }
}
