package dev.ron.storage.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.content.AddressKey;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Threads;
import dev.ron.kernel.time.SystemTime;
import dev.ron.storage.StorageFault;
import dev.ron.storage.object.ObjectReaderStream;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.object.ObjectStore.Source;
import dev.ron.storage.object.ObjectStore.Written;
import dev.ron.testkit.FaultyDisk;
import dev.ron.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tenants store and delete the same few objects at once, on disks that fail at some point, and then
 * the power goes out, again and again. After each start every tenant has what it was told it has,
 * none has what it has given up or never stored, and no bytes are left that nothing keeps.
 */
@Timeout(300)
final class ReferenceCrashTest {
  private static final List<String> TENANTS = List.of("acme", "evil", "default");
  private static final int OBJECTS = 6;
  private static final int STEPS = 12;

  @Test
  void whatATenantWasToldIsTrueAfterEveryCrash() {
    Seeds.forEach(12, (seed, random) -> new Script(seed, random).play(4));
  }

  @Test
  @Tag("long")
  void whatATenantWasToldIsTrueAfterThousandsOfCrashes() {
    Seeds.forEach(500, (seed, random) -> new Script(seed, random).play(8));
  }

  /** What must be true of a tenant's object: there, not there, or either as it was not told. */
  private enum Truth {
    THERE,
    GONE,
    EITHER
  }

  private record Held(String tenant, int object) {}

  /** One run under one seed. */
  private static final class Script {
    private final long seed;
    private final RandomGenerator random;
    private final FaultyDisk disk;
    private final int replication;
    private final List<byte[]> objects = new ArrayList<>();
    private final Map<Held, Truth> truths = new ConcurrentHashMap<>();

    Script(long seed, RandomGenerator random) {
      this.seed = seed;
      this.random = random;
      this.disk = new FaultyDisk(new SystemTime(), random);
      this.replication = 1 + random.nextInt(2);
      for (int i = 0; i < OBJECTS; i++) {
        byte[] object = new byte[random.nextInt(5) == 0 ? 70_000 : random.nextInt(3000)];
        new SplittableRandom(seed * 100 + i).nextBytes(object);
        objects.add(object);
        for (String tenant : TENANTS) {
          truths.put(new Held(tenant, i), Truth.GONE);
        }
      }
    }

    void play(int rounds) throws Exception {
      for (int round = 0; round <= rounds; round++) {
        var world =
            World.seeded(
                new SystemTime(),
                new SplittableRandom(random.nextLong()),
                disk,
                Threads.virtual(),
                Log.silent());
        var running = new RunningObjects(world, replication);
        String when = "round %d of seed %d".formatted(round, seed);
        check(running, when);
        settle(running, when);
        check(running, when + ", settled");
        if (round < rounds) {
          plant();
          write(running);
        }
        // What is drained is closed in order; what the disk had not flushed is lost all the same.
        boolean cut = random.nextBoolean();
        if (cut) {
          disk.readOnly(true);
        }
        running.end();
        disk.readOnly(false);
        disk.failWriteAfter(Integer.MAX_VALUE);
        disk.failFlushAfter(Integer.MAX_VALUE);
        disk.crash();
      }
    }

    private void plant() {
      switch (random.nextInt(4)) {
        case 0 -> disk.failWriteAfter(random.nextInt(40));
        case 1 -> disk.failFlushAfter(random.nextInt(30));
        default -> {}
      }
    }

    /** Each tenant is one thread, so that what it was told last is what is true for it. */
    private void write(RunningObjects running) throws InterruptedException {
      var failures = new ConcurrentHashMap<String, Throwable>();
      var threads = new ArrayList<Thread>();
      for (String tenant : TENANTS) {
        var mine = new SplittableRandom(random.nextLong());
        threads.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      try {
                        for (int step = 0; step < STEPS; step++) {
                          step(running, tenant, mine);
                        }
                      } catch (Exception | AssertionError e) {
                        failures.put(tenant, e);
                      }
                    }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(failures).as("seed " + seed).isEmpty();
    }

    private void step(RunningObjects running, String tenant, RandomGenerator mine)
        throws Exception {
      ObjectStore view = running.of(tenant);
      int number = mine.nextInt(OBJECTS);
      var held = new Held(tenant, number);
      byte[] object = objects.get(number);
      var address = new Address(Blake3.hash(object));
      switch (mine.nextInt(5)) {
        case 0, 1 -> {
          Optional<StorageFault> fault = view.delete(address);
          if (fault.isEmpty()) {
            assertThat(truths.get(held))
                .as("%s deletes %s", tenant, address)
                .isNotEqualTo(Truth.GONE);
            truths.put(held, Truth.GONE);
          } else if (fault.get() instanceof StorageFault.NotFound) {
            // After a put that failed it may still come to light, as with every put that failed.
            assertThat(truths.get(held)).as(state(running, held)).isNotEqualTo(Truth.THERE);
          } else {
            truths.put(held, Truth.EITHER);
          }
        }
        case 2, 3 -> {
          Written written = view.put(address, Source.of(object));
          if (written instanceof Written.Stored) {
            truths.put(held, Truth.THERE);
          } else if (truths.get(held) != Truth.THERE) {
            truths.put(held, Truth.EITHER);
          }
        }
        default -> {
          boolean there = view.stat(address).isPresent();
          Truth truth = truths.get(held);
          if (truth != Truth.EITHER) {
            assertThat(there).as(state(running, held)).isEqualTo(truth == Truth.THERE);
          }
        }
      }
    }

    private String state(RunningObjects running, Held held) {
      var address = new Address(Blake3.hash(objects.get(held.object())));
      return "seed %d, %s, references of %s, bytes %s"
          .formatted(
              seed,
              held,
              running.all().table().stored(AddressKey.of(address)),
              running.objects().stat(address));
    }

    /** All that waits to be deleted is. */
    private void settle(RunningObjects running, String when) throws InterruptedException {
      var time = new SystemTime();
      for (int look = 0; look < 2000 && !running.all().table().unsettled(1).isEmpty(); look++) {
        time.sleepUntil(time.now().plus(Duration.ofMillis(5)));
      }
      assertThat(running.all().table().unsettled(1)).as(when).isEmpty();
    }

    private void check(RunningObjects running, String when) throws Exception {
      for (int i = 0; i < OBJECTS; i++) {
        var address = new Address(Blake3.hash(objects.get(i)));
        boolean kept = false;
        for (String tenant : TENANTS) {
          var held = new Held(tenant, i);
          ObjectStore view = running.of(tenant);
          boolean there = view.stat(address).isPresent();
          Truth truth = truths.get(held);
          if (truth != Truth.EITHER) {
            assertThat(there)
                .as(
                    "%s: object %d is %s for %s, refs %s",
                    when, i, truth, tenant, running.all().table().stored(AddressKey.of(address)))
                .isEqualTo(truth == Truth.THERE);
          }
          assertThat(view.list(null, 100).stream().anyMatch(stat -> stat.address().equals(address)))
              .as("%s: listed", when)
              .isEqualTo(there);
          // A put that was cut off may leave its reference without the bytes: it comes to light if
          // another tenant stores them.
          boolean cut = running.all().table().acknowledged(tenant, AddressKey.of(address));
          truths.put(held, there ? Truth.THERE : cut ? Truth.EITHER : Truth.GONE);
          kept |= there;
        }
        var stat = running.objects().stat(address);
        if (kept) {
          try (var in =
              new ObjectReaderStream(running.of("").open(stat.orElseThrow(), 0, Long.MAX_VALUE))) {
            assertThat(in.readAllBytes()).as(when).isEqualTo(objects.get(i));
          }
        } else if (running.all().table().unsettled(1).isEmpty()) {
          assertThat(stat).as("%s: bytes of object %d that nothing keeps", when, i).isEmpty();
        }
      }
    }
  }
}
