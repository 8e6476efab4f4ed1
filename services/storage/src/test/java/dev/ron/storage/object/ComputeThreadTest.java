package dev.ron.storage.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.blake3.Blake3Hasher;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.metric.Meter;
import dev.ron.kernel.metric.Payer;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import dev.ron.kernel.time.SystemTime;
import dev.ron.testkit.SeedRow;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ComputeThreadTest {
  private final Scope scope = Scope.of("storage", World.real(Log.silent()));

  @Test
  @SeedRow("S10")
  void theWorkHasAThreadOfTheSystemAndTheCallersDeadline() throws Exception {
    Deadline deadline = Deadline.in(Duration.ofHours(1), scope.time());
    var payer = new Payer(Meter.NONE);
    payer.is("acme");
    Deadline seen =
        payer.call(
            () ->
                deadline.call(
                    () ->
                        ComputeThread.call(
                            scope,
                            () -> {
                              assertThat(Thread.currentThread().isVirtual()).isFalse();
                              assertThat(Thread.currentThread().getName())
                                  .isEqualTo("storage/hash");
                              assertThat(Payer.currentTenant()).isEqualTo("acme");
                              return Deadline.current();
                            })));
    assertThat(seen).isEqualTo(deadline);
    assertThat(scope.metrics().text()).contains("tasks_spawned_total{kind=\"hash\"} 1.0");
  }

  @Test
  void whatTheWorkThrowsIsThrown() {
    assertThatThrownBy(
            () ->
                ComputeThread.call(
                    scope,
                    () -> {
                      throw new IOException("no such disk");
                    }))
        .isInstanceOf(IOException.class)
        .hasMessage("no such disk");
  }

  @Test
  void aRequestThatIsCancelledEndsItsWork() throws Exception {
    var begun = new Gate(scope.time());
    var ended = new Gate(scope.time());
    Thread request =
        Thread.startVirtualThread(
            () -> {
              try {
                ComputeThread.call(scope, () -> work(begun, ended));
              } catch (IOException | InterruptedException _) {
                Thread.currentThread().interrupt();
              }
            });
    begun.await(Deadline.NEVER);
    request.interrupt();
    assertThat(ended.await(Deadline.in(Duration.ofSeconds(30), scope.time()))).isTrue();
    request.join();
  }

  /** Why it is there: hashing on virtual threads keeps the carriers from everything else. */
  @Test
  @Tag("long")
  @SeedRow("S10")
  void anotherVirtualThreadIsNotKeptWaiting() throws Exception {
    Duration virtual = longestWait(Thread.ofVirtual());
    Duration platform = longestWait(Thread.ofPlatform());
    System.out.printf(
        "a virtual thread that sleeps 1 ms beside hashing wakes after %d ms at worst, beside"
            + " platform threads after %d ms%n",
        virtual.toMillis(), platform.toMillis());
    assertThat(platform).isLessThan(virtual);
  }

  private static Duration longestWait(Thread.Builder builder) throws InterruptedException {
    byte[] piece = new byte[1 << 20];
    var longest = new AtomicLong();
    var over = new AtomicBoolean();
    var ticking = new Gate(new SystemTime());
    Thread ticks = Thread.startVirtualThread(() -> tick(longest, over, ticking));
    ticking.await(Deadline.NEVER);
    var hashing = new ArrayList<Thread>();
    for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
      hashing.add(builder.start(() -> hash(piece, 256)));
    }
    for (Thread each : hashing) {
      each.join();
    }
    over.set(true);
    ticks.join();
    return Duration.ofNanos(longest.get());
  }

  private static void tick(AtomicLong longest, AtomicBoolean over, Gate ticking) {
    var time = new SystemTime();
    while (!over.get()) {
      long begun = System.nanoTime();
      try {
        time.sleepUntil(time.now().plusMillis(1));
      } catch (InterruptedException _) {
        return;
      }
      longest.accumulateAndGet(System.nanoTime() - begun, Math::max);
      ticking.open();
    }
  }

  private static void hash(byte[] piece, int times) {
    var hasher = new Blake3Hasher();
    for (int i = 0; i < times; i++) {
      hasher.update(piece);
    }
    hasher.hash();
  }

  private Void work(Gate begun, Gate ended) throws InterruptedException {
    begun.open();
    try {
      new Gate(scope.time()).await(Deadline.NEVER);
      return null;
    } finally {
      ended.open();
    }
  }
}
