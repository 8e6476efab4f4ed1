package dev.ron.testkit;

import static dev.ron.kernel.channel.Overflow.REJECT_NEW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.SendResult;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.kernel.supervise.Door;
import dev.ron.kernel.supervise.DrainReport;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Task;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Trees of tasks and doors that behave and misbehave, drained under many schedules. */
class TreeDrainScheduleTest {
  private static final Duration LIMIT = Duration.ofSeconds(1);

  /** How a task takes the drain. */
  private enum Kind {
    IDLE,
    BUSY,
    STUCK,
    FAILING
  }

  private static final Set<Kind> MISBEHAVING = EnumSet.of(Kind.STUCK, Kind.FAILING);

  @Test
  @SeedRow("G73")
  void everyTaskIsCountedOnceAndFinishesWhateverTheOthersDo() {
    Seeds.forEach(
        500,
        (seed, random) -> {
          var threads = new SeededThreads(seed);
          threads.run(() -> new Play(threads.world(new RealDisk()), random).drain());
        });
  }

  /** One tree, drawn from the seed. */
  private static final class Play {
    private final RandomGenerator random;
    private final Scope scope;
    private final Channel<Integer> work;
    private final List<String> finished = new ArrayList<>();
    private final List<Kind> kinds = new ArrayList<>();
    private int handled;

    Play(World world, RandomGenerator random) {
      this.random = random;
      this.scope = Scope.of("test", world);
      this.work = Channel.bounded(scope, "work", 8, REJECT_NEW);
    }

    void drain() throws Exception {
      Supervisor tree = Supervisor.named("test").drainWithin(LIMIT);
      int members = random.nextInt(1, 7);
      for (int i = 0; i < members; i++) {
        Kind kind = List.of(Kind.values()).get(random.nextInt(Kind.values().length));
        String name = kind + "-" + i;
        kinds.add(kind);
        tree = tree.child(name, Restart.ALWAYS, () -> new Acting(kind, name));
      }
      int doors = random.nextInt(0, 3);
      for (int i = 0; i < doors; i++) {
        tree = tree.door("door-" + i, new ActingDoor(random.nextInt(3), scope.time()));
      }
      var running = tree.start(scope);
      int sent = 0;
      for (int i = random.nextInt(6); i > 0; i--) {
        sent += work.trySend(i) instanceof SendResult.Sent ? 1 : 0;
      }
      check(running.drain(), sent);
    }

    private void check(DrainReport report, int sent) {
      assertThat(report.tasksDrained() + report.tasksAborted()).isEqualTo(kinds.size());
      long mayBeAborted = kinds.stream().filter(kind -> kind != Kind.IDLE).count();
      long mustBe = kinds.stream().filter(MISBEHAVING::contains).count();
      assertThat(report.tasksAborted()).isBetween((int) mustBe, (int) mayBeAborted);
      assertThat(handled + report.itemsDropped()).isEqualTo(sent);
      for (int i = 0; i < kinds.size(); i++) {
        if (kinds.get(i) != Kind.FAILING) {
          assertThat(finished).contains(kinds.get(i) + "-" + i);
        }
      }
    }

    /** One task of the tree. */
    private final class Acting implements Task {
      private final Kind kind;
      private final String name;

      Acting(Kind kind, String name) {
        this.kind = kind;
        this.name = name;
      }

      @Override
      public Next run(Instant now) throws InterruptedException {
        return switch (kind) {
          case IDLE -> Next.at(Instant.MAX);
          case BUSY -> take();
          case STUCK -> {
            scope.time().sleepUntil(now.plus(Duration.ofHours(1)));
            yield Next.again();
          }
          case FAILING -> throw new IllegalStateException("planted");
        };
      }

      private Next take() throws InterruptedException {
        if (work.tryReceive() == null) {
          return Next.await(work);
        }
        scope.time().sleepUntil(scope.time().now().plus(Duration.ofMillis(300)));
        handled++;
        return Next.again();
      }

      @Override
      public void finish(Instant now) {
        finished.add(name);
      }
    }
  }

  /**
   * A door that is quick, outlives every deadline, or throws.
   *
   * @param manner which of these
   */
  private record ActingDoor(int manner, Time time) implements Door {
    @Override
    public void open() {}

    @Override
    public void stopIntake() {}

    @Override
    public Requests drain(Deadline deadline) throws InterruptedException {
      if (manner == 1) {
        time.sleepUntil(time.now().plus(Duration.ofSeconds(20)));
      } else if (manner == 2) {
        throw new IllegalStateException("planted");
      }
      return Requests.NONE;
    }
  }
}
