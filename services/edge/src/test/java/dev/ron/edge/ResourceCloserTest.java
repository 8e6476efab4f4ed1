package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Task;
import dev.ron.kernel.supervise.Tree;
import dev.ron.testkit.SeedRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who closes what the edge has open, and who waits for it. */
@Timeout(60)
final class ResourceCloserTest {
  private static final Duration LIMIT = Duration.ofMillis(300);

  private final Scope scope = Scope.of("edge", World.real(Log.silent()));
  private final List<String> ended = new CopyOnWriteArrayList<>();

  /** Uses what is open until it ends. */
  private final class User implements Task {
    @Override
    public Next run(Instant now) {
      return Next.at(Instant.MAX);
    }

    @Override
    public void finish(Instant now) {
      ended.add("user");
    }
  }

  private Tree tree(AutoCloseable open) throws Exception {
    return Supervisor.named("edge")
        .child("keeper", Restart.ALWAYS, () -> new ResourceCloser(open))
        .child("user", Restart.ALWAYS, User::new)
        .drainWithin(LIMIT)
        .start(scope);
  }

  @Test
  @SeedRow("E12")
  void aStepOfItsOwnClosesAfterWhatUsesIt() throws Exception {
    tree(() -> ended.add(Thread.currentThread().getName())).drain();
    assertThat(ended).containsExactly("user", "edge/keeper");
  }

  /** A close that never returns is waited for by its own task alone. */
  @Test
  @SeedRow("E12")
  void aCloseThatHangsKeepsNoCaller() throws Exception {
    var never = new CountDownLatch(1);
    Tree tree =
        tree(
            () -> {
              ended.add("closing");
              never.await();
            });
    Instant began = scope.time().now();
    tree.drain();
    Duration took = Duration.between(began, scope.time().now());
    assertThat(ended).startsWith("user", "closing");
    assertThat(took).isGreaterThanOrEqualTo(LIMIT).isLessThan(Duration.ofSeconds(5));
  }
}
