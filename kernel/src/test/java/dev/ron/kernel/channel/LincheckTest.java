package dev.ron.kernel.channel;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.time.SystemTime;
import java.util.concurrent.atomic.AtomicInteger;
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
 * Every interleaving of a few operations must look as if they had happened one after the other.
 *
 * <p>Each model that holds has a broken copy beside it, with the kind of bug it is there to find; a
 * checker that misses the planted bug proves nothing about the rest.
 */
class LincheckTest {
  /** Twice what the hardest of the planted bugs needs; a proof gets no less than they do. */
  private static final int ITERATIONS = 8;

  @ParameterizedTest
  @ValueSource(
      classes = {ChannelModel.class, WatchModel.class, BroadcastModel.class, DrainModel.class})
  void everyInterleavingIsLinearizable(Class<?> model) {
    assertThatCode(() -> options(ITERATIONS).check(model)).doesNotThrowAnyException();
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(
      classes = {ChannelModel.class, WatchModel.class, BroadcastModel.class, DrainModel.class})
  void everyInterleavingOfManyMoreScenariosIsLinearizable(Class<?> model) {
    assertThatCode(() -> options(60).check(model)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        ClosedCheckOutsideTheLock.class,
        VersionWithoutTheLock.class,
        PositionWithoutTheLock.class,
        DrainThatForgetsTheLast.class
      })
  void theCheckerFindsThePlantedBug(Class<?> model) {
    assertThatThrownBy(() -> options(ITERATIONS).check(model))
        .isInstanceOf(LincheckAssertionError.class);
  }

  private static ModelCheckingOptions options(int iterations) {
    return new ModelCheckingOptions()
        .iterations(iterations)
        .invocationsPerIteration(100)
        .threads(2)
        .actorsPerThread(3)
        .actorsBefore(1)
        .actorsAfter(1)
        .minimizeFailedScenario(false);
  }

  private static Channel<Integer> channel(AtomicInteger dropped) {
    return new Channel<>(
        "model",
        2,
        Overflow.REJECT_NEW,
        new SystemTime(),
        n -> dropped.addAndGet((int) n),
        _ -> {});
  }

  /** Senders, receivers and a close that race. */
  @Param(name = "item", gen = IntGen.class, conf = "1:3")
  public static class ChannelModel {
    private final Channel<Integer> channel = channel(new AtomicInteger());

    @Operation
    public String trySend(@Param(name = "item") int item) {
      return channel.trySend(item).getClass().getSimpleName();
    }

    @Operation
    public @Nullable Integer tryReceive() {
      return channel.tryReceive();
    }

    @Operation
    public void close() {
      channel.close();
    }

    @Operation
    public boolean ended() {
      return channel.ended();
    }
  }

  /** The last write wins, and every write is a version of its own. */
  public static class WatchModel {
    private final Watch<Integer> watch = new Watch<>(new SystemTime(), 0);

    @Operation
    public void set(@Param(gen = IntGen.class, conf = "1:3") int value) {
      watch.set(value);
    }

    @Operation
    public String latest() {
      return watch.latest().toString();
    }
  }

  /** One writer's stream as a subscriber sees it, with a ring that is too small. */
  public static class BroadcastModel {
    private final Broadcast<Integer> broadcast = new Broadcast<>("events", 2, _ -> {});
    private final Broadcast<Integer>.Subscription subscription = broadcast.subscribe();

    @Operation
    public void publish(@Param(gen = IntGen.class, conf = "1:3") int event) {
      broadcast.publish(event);
    }

    @Operation
    public @Nullable Integer receive() {
      return subscription.tryReceive();
    }

    @Operation
    public boolean ready() {
      return subscription.ready();
    }
  }

  /** The drain: whatever was accepted is handled or counted as dropped, and nothing comes after. */
  public static class DrainModel {
    private final AtomicInteger dropped = new AtomicInteger();
    private final Channel<Integer> channel = channel(dropped);

    @Operation
    public String trySend(@Param(gen = IntGen.class, conf = "1:3") int item) {
      return channel.trySend(item).getClass().getSimpleName();
    }

    @Operation
    public @Nullable Integer handle() {
      return channel.tryReceive();
    }

    @Operation
    public int abandon() {
      return channel.abandon();
    }
  }

  /** Planted: an item can be taken after the close that should have kept it out. */
  public static class ClosedCheckOutsideTheLock {
    private final java.util.ArrayDeque<Integer> items = new java.util.ArrayDeque<>();
    private final Object lock = new Object();
    private volatile boolean closed;

    @Operation
    public boolean trySend(@Param(gen = IntGen.class, conf = "1:3") int item) {
      if (closed) {
        return false;
      }
      synchronized (lock) {
        return items.add(item);
      }
    }

    @Operation
    public int close() {
      closed = true;
      synchronized (lock) {
        return items.size();
      }
    }
  }

  /** Planted: two writes at once are counted as one. */
  public static class VersionWithoutTheLock {
    private volatile Watch.Version<Integer> latest = new Watch.Version<>(0, 0);

    @Operation
    public void set(@Param(gen = IntGen.class, conf = "1:3") int value) {
      latest = new Watch.Version<>(latest.number() + 1, value);
    }

    @Operation
    public String latest() {
      return latest.toString();
    }
  }

  /** Planted: two receives at once see the same event. */
  public static class PositionWithoutTheLock {
    private final int[] ring = {10, 11, 12, 13, 14, 15, 16, 17, 18, 19};
    private volatile int position;

    @Operation
    @SuppressWarnings("NonAtomicVolatileUpdate") // this is the bug
    public int receive() {
      return ring[position++];
    }
  }

  /** Planted: what came between the last receive and the close is neither handled nor counted. */
  public static class DrainThatForgetsTheLast {
    private final AtomicInteger dropped = new AtomicInteger();
    private final Channel<Integer> channel = channel(dropped);

    @Operation
    public String trySend(@Param(gen = IntGen.class, conf = "1:3") int item) {
      return channel.trySend(item).getClass().getSimpleName();
    }

    @Operation
    public int abandon() {
      int counted = channel.depth();
      channel.abandon();
      return counted;
    }
  }
}
