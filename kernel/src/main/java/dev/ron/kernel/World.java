package dev.ron.kernel;

import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Threads;
import dev.ron.kernel.time.SystemTime;
import dev.ron.kernel.time.Time;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/**
 * Everything a service cannot compute by itself: time, chance, the disk, threads, and where logs
 * go.
 *
 * <p>Tests hand in another world, with virtual time, seeded chance and a disk that tears writes.
 *
 * <p>Threading: immutable; its parts are thread-safe.
 */
public record World(Time time, RandomGenerator random, Disk disk, Threads threads, Log log) {
  public static World real(Log log) {
    return new World(
        new SystemTime(),
        () -> ThreadLocalRandom.current().nextLong(),
        new RealDisk(),
        Threads.virtual(),
        log);
  }
}
