package dev.ron.bench.run;

import dev.ron.bench.process.CpuTime;
import java.io.IOException;
import java.time.Duration;

/**
 * One piece of work done again and again on the calling thread, until this process has spent its
 * time.
 *
 * <p>The rate is per CPU second of the whole process, its collector and compiler included, since
 * whoever runs the work pays for them too. A neighbour on the core makes the turn longer but not
 * the rate lower.
 *
 * <p>Threading: immutable; {@code rate} uses the calling thread.
 *
 * @param unitsPerCall how much one call does, in whatever the rate shall count
 */
public record RepeatedWork(double unitsPerCall, Work work) {
  /** Reading the CPU time means reading a file: fifty times a second is often enough. */
  private static final Duration LOOK_EVERY = Duration.ofMillis(20);

  /** On a machine so busy that we get less than a twentieth of a core, what we got must do. */
  private static final int STARVED = 20;

  /** What is done; its results go where the compiler cannot see that nobody needs them. */
  @FunctionalInterface
  public interface Work {
    void once() throws IOException;
  }

  /** Units per CPU second; NaN when the process got too little of it to tell. */
  public double rate(Duration time) throws IOException {
    double wished = time.toNanos() / 1e9;
    long start = System.nanoTime();
    CpuTime before = CpuTime.own();
    long calls = 0;
    CpuTime spent;
    long now = start;
    do {
      long look = now + LOOK_EVERY.toNanos();
      do {
        work.once();
        calls++;
        now = System.nanoTime();
      } while (now - look < 0);
      spent = CpuTime.own().minus(before);
    } while (spent.seconds() < wished && now - start < STARVED * time.toNanos());
    return spent.rate(calls * unitsPerCall);
  }
}
