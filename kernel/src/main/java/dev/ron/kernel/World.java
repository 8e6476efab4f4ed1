package dev.ron.kernel;

import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Threads;
import dev.ron.kernel.time.SystemTime;
import dev.ron.kernel.time.Time;
import java.security.SecureRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/**
 * Everything a service cannot compute by itself: time, chance, secrets, the disk, threads, and
 * where logs go.
 *
 * <p>Tests hand in another world, with virtual time, seeded chance and a disk that tears writes.
 *
 * <p>Threading: immutable; its parts are thread-safe.
 *
 * @param chance for what may be guessed: jitter, the choice among equals. An observer of a few
 *     numbers can compute the next
 * @param secrets for what must not be guessed: ids, receipts, names of writes, keys of hashes
 */
public record World(
    Time time,
    RandomGenerator chance,
    RandomGenerator secrets,
    Disk disk,
    Threads threads,
    Log log) {
  public static World real(Log log) {
    return new World(
        new SystemTime(),
        () -> ThreadLocalRandom.current().nextLong(),
        new SecretSource(new SecureRandom()),
        new RealDisk(),
        Threads.virtual(),
        log);
  }

  /** The same world on another disk. */
  public World on(Disk other) {
    return new World(time, chance, secrets, other, threads, log);
  }

  /** For tests: chance and secrets come from one seed, so a run can be repeated. */
  public static World seeded(
      Time time, RandomGenerator seeded, Disk disk, Threads threads, Log log) {
    return new World(time, seeded, seeded, disk, threads, log);
  }
}
