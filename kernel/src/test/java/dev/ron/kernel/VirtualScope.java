package dev.ron.kernel;

import dev.ron.kernel.disk.RealDisk;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Threads;
import dev.ron.kernel.time.VirtualTime;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** A scope in virtual time, for the kernel's own tests. */
public record VirtualScope(VirtualTime time, RandomGenerator random, Scope scope) {
  public static VirtualScope seeded(long seed) {
    var time = new VirtualTime();
    RandomGenerator random = new SplittableRandom(seed);
    var world = World.seeded(time, random, new RealDisk(), Threads.virtual(), Log.silent());
    return new VirtualScope(time, random, Scope.of("test", world));
  }
}
