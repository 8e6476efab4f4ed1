package dev.ron.simulator.engine;

import dev.ron.kernel.log.Log;
import dev.ron.kernel.log.LogLine;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One run under one seed: the scheduler, the network, the machines and what was told.
 *
 * <p>Threading: owned by the thread that plays it.
 */
public final class Simulation {
  private static final int LINES_MAX = 400;

  private final Scheduler scheduler;
  private final Network network;
  private final SplittableRandom random;
  private final Seams seams;
  private final boolean telling;
  private final Deque<String> lines = new ArrayDeque<>();

  /**
   * @param telling keeps the last log lines of the machines, which costs time
   */
  public Simulation(long seed, Seams seams, boolean telling) {
    this.random = new SplittableRandom(seed);
    this.scheduler = new Scheduler(random.split());
    this.network = new Network(scheduler);
    this.seams = seams;
    this.telling = telling;
  }

  public Scheduler scheduler() {
    return scheduler;
  }

  public Network network() {
    return network;
  }

  public Seams seams() {
    return seams;
  }

  public List<Machine> machines(int count) {
    var machines = new ArrayList<Machine>();
    for (int i = 0; i < count; i++) {
      String name = String.valueOf((char) ('a' + i));
      machines.add(new Machine(scheduler, name, random.split(), seams, this::log));
    }
    return List.copyOf(machines);
  }

  private Log log(String machine) {
    return telling
        ? new Log("", LogLine.Level.DEBUG, scheduler::now, line -> tell(machine, line.text()))
        : Log.silent();
  }

  /** Notes what happened, for a report. */
  public void tell(String who, String what) {
    if (telling) {
      if (lines.size() == LINES_MAX) {
        lines.removeFirst();
      }
      lines.add(
          "%9d ms %s %s"
              .formatted(Duration.between(Scheduler.START, scheduler.now()).toMillis(), who, what));
    }
  }

  /** The last that was told. */
  public List<String> lines() {
    return List.copyOf(lines);
  }
}
