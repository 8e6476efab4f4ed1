package dev.ron.simulator.engine;

import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Threads;
import dev.ron.testkit.FaultyDisk;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * One machine of the cluster: a disk that stays, and a boot that does not.
 *
 * <p>Threading: owned by the scheduler's thread.
 */
public final class Machine {
  private static final long BUFFERS_MAX = 384L << 20;
  private static final List<BufferPoolMXBean> POOLS =
      ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class);

  private final Scheduler scheduler;
  private final String name;
  private final SplittableRandom chance;
  private final Seams seams;
  private final Function<String, Log> logs;
  private FaultyDisk disk;
  private Boot boot;
  private Duration skew = Duration.ZERO;

  public Machine(
      Scheduler scheduler,
      String name,
      SplittableRandom chance,
      Seams seams,
      Function<String, Log> logs) {
    this.scheduler = scheduler;
    this.name = name;
    this.chance = chance;
    this.seams = seams;
    this.logs = logs;
    this.boot = new Boot(name);
    boot.end();
    this.disk = emptyDisk();
  }

  private FaultyDisk emptyDisk() {
    return new FaultyDisk(
        new SimulatedTime(scheduler, Boot.OUTSIDE, Duration.ZERO), chance.split());
  }

  /** A machine that is down gets another disk, with nothing on it. */
  public void replaceDisk() {
    disk = emptyDisk();
  }

  public String name() {
    return name;
  }

  public FaultyDisk disk() {
    return disk;
  }

  public Boot boot() {
    return boot;
  }

  public boolean isUp() {
    return !boot.isOver();
  }

  /** How far its calendar is off from its next start on. */
  public void skew(Duration by) {
    skew = by;
  }

  /** The power goes on: a world for what starts on it. */
  public World start() {
    letGo();
    if (isUp()) {
      throw new IllegalStateException(name + " is up");
    }
    boot = new Boot(name);
    var time = new SimulatedTime(scheduler, boot, skew);
    return World.seeded(time, chance.split(), seams.disk(name, disk), threads(), logs.apply(name));
  }

  /**
   * Buffers outside the heap go with the objects that hold them, and boots that are over hold many:
   * the JVM would notice only when there is no room left, and then wait by the real clock.
   */
  private static void letGo() {
    for (BufferPoolMXBean pool : POOLS) {
      if (pool.getMemoryUsed() > BUFFERS_MAX) {
        System.gc();
        return;
      }
    }
  }

  /** Threads of this boot. */
  public Threads threads() {
    return scheduler.threads(boot);
  }

  /** The power goes out. */
  public void crash() {
    boot.end();
    disk.crash();
  }

  /** The process is gone, as after a kill or an orderly end; the disk has all it was given. */
  public void kill() {
    boot.end();
    disk.closeAll();
  }
}
