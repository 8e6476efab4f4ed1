package dev.ron.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.World;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Threads, time, power and network under a seed. */
class SchedulerTest {
  private final Simulation simulation = new Simulation(1, Seams.NONE, false);
  private final Scheduler scheduler = simulation.scheduler();
  private final List<Machine> machines = simulation.machines(2);
  private final List<String> seen = new ArrayList<>();

  private void sleeper(World world, String name, long millis) {
    world
        .threads()
        .start(
            name,
            () -> {
              try {
                world.time().sleepUntil(world.time().now().plusMillis(millis));
                seen.add(name);
              } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
              }
            });
  }

  @Test
  void threadsWakeInTheOrderOfTheirTimes() {
    World world = machines.getFirst().start();
    sleeper(world, "late", 3_600_000);
    sleeper(world, "early", 1_000);
    scheduler.run(Duration.ofMinutes(30));
    assertThat(seen).containsExactly("early");
    scheduler.run(Duration.ofMinutes(31));
    assertThat(seen).containsExactly("early", "late");
    assertThat(scheduler.now()).isEqualTo(Scheduler.START.plusSeconds(61 * 60));
  }

  @Test
  void aMachineWithoutPowerDoesNothingMore() {
    sleeper(machines.get(0).start(), "dead", 1_000);
    sleeper(machines.get(1).start(), "alive", 1_000);
    machines.get(0).crash();
    scheduler.run(Duration.ofMinutes(1));
    assertThat(seen).containsExactly("alive");
  }

  @Test
  void aMachineThatRestsGoesOnLater() {
    sleeper(machines.get(0).start(), "rested", 1_000);
    scheduler.pause(machines.get(0).boot(), true);
    scheduler.run(Duration.ofMinutes(1));
    assertThat(seen).isEmpty();
    scheduler.pause(machines.get(0).boot(), false);
    scheduler.run(Duration.ofSeconds(2));
    assertThat(seen).containsExactly("rested");
  }

  @Test
  void whatAThreadThrowsEndsTheRun() {
    machines
        .getFirst()
        .start()
        .threads()
        .start(
            "broken",
            () -> {
              throw new IllegalStateException("planted");
            });
    assertThatThrownBy(() -> scheduler.run(Duration.ofSeconds(1)))
        .isInstanceOf(Violation.class)
        .hasMessageContaining("thread ended in order");
  }

  @Test
  void aDiskKeepsWhatWasFlushedAndAKillKeepsAll() throws Exception {
    Machine machine = machines.getFirst();
    Path file = Path.of("/folder/file");
    World world = machine.start();
    world.disk().createFolders(file.getParent());
    var open = world.disk().open(file);
    open.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 0);
    machine.kill();
    assertThat(machine.start().disk().open(file).size()).isEqualTo(3);
  }

  private CompletableFuture<String> ask() {
    return simulation
        .network()
        .call(
            machines.get(0),
            machines.get(1),
            Duration.ofSeconds(3),
            () -> {
              seen.add("asked");
              return CompletableFuture.completedFuture("answer");
            });
  }

  @Test
  void aCallIsAnsweredOrFailsInTime() {
    machines.get(0).start();
    CompletableFuture<String> absent = ask();
    scheduler.run(Duration.ofSeconds(1));
    assertThat(absent).isCompletedExceptionally();
    machines.get(1).start();
    CompletableFuture<String> good = ask();
    scheduler.run(Duration.ofSeconds(1));
    assertThat(good).isCompletedWithValue("answer");
    simulation.network().cut("b", "a");
    CompletableFuture<String> deaf = ask();
    scheduler.run(Duration.ofSeconds(2));
    assertThat(deaf).isNotDone();
    scheduler.run(Duration.ofSeconds(2));
    assertThat(deaf).isCompletedExceptionally();
    assertThat(seen).as("the last one was done, and the caller does not know").hasSize(2);
  }
}
