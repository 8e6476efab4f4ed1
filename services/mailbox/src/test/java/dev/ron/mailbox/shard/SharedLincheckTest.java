package dev.ron.mailbox.shard;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Reply;
import dev.ron.kernel.time.Time;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What several loops and requests really share: the reply that they claim, and the bound they draw
 * from. Each has a broken copy that the checker must find.
 */
final class SharedLincheckTest {
  @ParameterizedTest
  @ValueSource(classes = {LongPoll.class, Drawing.class})
  void everyInterleavingIsLinearizable(Class<?> model) {
    assertThatCode(() -> options(5).check(model)).doesNotThrowAnyException();
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(classes = {LongPoll.class, Drawing.class})
  void everyInterleavingOfManyMoreScenariosIsLinearizable(Class<?> model) {
    assertThatCode(() -> options(100).check(model)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(classes = {ClaimThatLooksFirst.class, DrawingThatLooksFirst.class})
  void theCheckerFindsThePlantedBug(Class<?> model) {
    assertThatThrownBy(() -> options(20).check(model)).isInstanceOf(LincheckAssertionError.class);
  }

  private static ModelCheckingOptions options(int iterations) {
    return new ModelCheckingOptions()
        .iterations(iterations)
        .invocationsPerIteration(100)
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(0)
        .actorsAfter(1)
        .minimizeFailedScenario(false);
  }

  /** Nothing is ever over: the checker follows no timeouts. */
  private static final class StillTime implements Time {
    @Override
    public Instant now() {
      return Instant.EPOCH;
    }

    @Override
    public Instant wall() {
      return Instant.EPOCH;
    }

    @Override
    @SuppressWarnings("WaitNotInLoop") // the loop is the caller's: only it knows the predicate
    public boolean await(Lock lock, Condition condition, Instant until)
        throws InterruptedException {
      condition.await();
      return true;
    }

    @Override
    public void sleepUntil(Instant until) {
      throw new UnsupportedOperationException("nobody sleeps here");
    }
  }

  /** Two shards have a message for one request, which may give up: one of the three decides. */
  public static class LongPoll {
    private final Reply<Integer> reply = new Reply<>(new StillTime());

    @Operation
    public boolean hand(@Param(gen = IntGen.class, conf = "1:2") int shard) {
      boolean ours = reply.claim();
      if (ours) {
        reply.answer(shard);
      }
      return ours;
    }

    /** As a request does whose time is up: if it comes too late to give up, it has an answer. */
    @Operation(runOnce = true)
    public @Nullable Integer giveUp() throws InterruptedException {
      return reply.claim() ? null : reply.await(Deadline.NEVER);
    }
  }

  /** Shards that take from a bound and give back. */
  public static class Drawing {
    private final SharedLimit ceiling = new SharedLimit("model", 3);

    @Operation
    public long reserve(@Param(gen = IntGen.class, conf = "1:2") int wanted) {
      return ceiling.reserve(wanted);
    }

    @Operation
    public void release() {
      ceiling.release(1);
    }

    @Operation
    public long used() {
      return ceiling.used();
    }
  }

  /** Planted: two can find a request unclaimed. */
  public static class ClaimThatLooksFirst {
    private volatile boolean claimed;

    @Operation
    public boolean claim() {
      boolean ours = !claimed;
      claimed = true;
      return ours;
    }
  }

  /** Planted: two can find the same room. */
  public static class DrawingThatLooksFirst {
    private final AtomicLong used = new AtomicLong();

    @Operation
    public long reserve(@Param(gen = IntGen.class, conf = "1:2") int wanted) {
      long room = Math.clamp(3 - used.get(), 0, wanted);
      used.addAndGet(room);
      return room;
    }
  }
}
