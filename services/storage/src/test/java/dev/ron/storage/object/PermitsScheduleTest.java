package dev.ron.storage.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.Refusal;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.kernel.time.Deadline;
import dev.ron.testkit.SeedRow;
import dev.ron.testkit.SeededThreads;
import dev.ron.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Requests that come, wait in a room of two, work in several steps, run out of time or are
 * cancelled, in every order that the seeds come upon: none is lost and no bound is passed.
 */
final class PermitsScheduleTest {
  @Test
  @SeedRow({"S59", "S60"})
  void everyRequestHasItsPlaceOrIsRefusedUnderEverySchedule() {
    Seeds.forEach(1000, (seed, _) -> play(seed, false));
  }

  @Test
  void theSchedulesFindARequestThatKeepsItsPlace() {
    assertThatThrownBy(() -> Seeds.forEach(50, (seed, _) -> play(seed, true)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("queue_depth{queue=\"get\"} 0.0");
  }

  private static void play(long seed, boolean keeping) {
    var threads = new SeededThreads(seed);
    World world = threads.world(new RealDisk());
    var play = new Play(world, new SplittableRandom(seed), keeping);
    threads.run(play::begin);
    play.check();
  }

  /** One pool and those who want a place in it. */
  private static final class Play {
    private static final int REQUESTS = 7;
    private static final int WAITING_MAX = 2;

    private final World world;
    private final RandomGenerator chance;
    private final boolean keeping;
    private final Scope scope;
    private final int places;
    private final Permits permits;
    private int inside;
    private int handled;
    private int refused;
    private int late;
    private int cancelled;

    Play(World world, RandomGenerator chance, boolean keeping) {
      this.world = world;
      this.chance = chance;
      this.keeping = keeping;
      this.scope = Scope.of("test", world);
      this.places = 1 + chance.nextInt(2);
      this.permits = new Permits(scope, "get", places, new PermitQueue(scope, "work", WAITING_MAX));
    }

    void begin() throws InterruptedException {
      var running = new ArrayList<Thread>();
      for (int i = 0; i < REQUESTS; i++) {
        int limitMillis = chance.nextInt(4) == 0 ? 3 : 10_000;
        int steps = 1 + chance.nextInt(3);
        running.add(world.threads().start("request-" + i, () -> request(limitMillis, steps)));
      }
      for (Thread each : running) {
        world.time().sleepUntil(world.time().now().plusMillis(chance.nextInt(3)));
        if (chance.nextInt(5) == 0) {
          each.interrupt();
        }
      }
    }

    private void request(int limitMillis, int steps) {
      try {
        Deadline.in(Duration.ofMillis(limitMillis), world.time())
            .call(
                () -> {
                  for (int i = 0; i < steps; i++) {
                    work(i == 0);
                  }
                  return null;
                });
        handled++;
      } catch (InterruptedException _) {
        cancelled++;
      } catch (Refusal no) {
        boolean busy = no.fault() instanceof KernelFault.Busy;
        refused += busy ? 1 : 0;
        late += busy ? 0 : 1;
      } catch (Exception bug) {
        throw new AssertionError(bug);
      }
    }

    @SuppressWarnings("MustBeClosedChecker") // the planted one keeps it
    private void work(boolean fresh) throws InterruptedException, Refusal {
      Permits.Place place = fresh ? permits.enter() : permits.again();
      inside++;
      try {
        assertThat(inside).as("at work").isLessThanOrEqualTo(places);
        world.time().sleepUntil(world.time().now().plusMillis(chance.nextInt(3)));
      } finally {
        inside--;
        if (!keeping) {
          place.close();
        }
      }
    }

    void check() {
      assertThat(handled + refused + late + cancelled).isEqualTo(REQUESTS);
      assertThat(scope.metrics().text())
          .contains("queue_depth{queue=\"get\"} 0.0", "queue_depth{queue=\"work\"} 0.0");
      assertThat(scope.registry().channels().getFirst().rejected()).isEqualTo(refused);
    }
  }
}
