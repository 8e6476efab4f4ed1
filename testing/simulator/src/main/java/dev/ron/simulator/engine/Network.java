package dev.ron.simulator.engine;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * What lies between machines: it delays, and so reorders; it loses; it is cut, in one direction or
 * both.
 *
 * <p>Threading: owned by the scheduler's thread.
 */
public final class Network {
  private static final Duration REFUSED_AFTER = Duration.ofMillis(1);

  private final Scheduler scheduler;
  private final RandomGenerator order;
  private final Set<Direction> cuts = new HashSet<>();
  private int lossPerThousand;
  private int delayMicrosMax = 2_000;

  private record Direction(String from, String to) {}

  public Network(Scheduler scheduler) {
    this.scheduler = scheduler;
    this.order = scheduler.order();
  }

  public void cut(String from, String to) {
    cuts.add(new Direction(from, to));
  }

  public void heal() {
    cuts.clear();
    lossPerThousand = 0;
    delayMicrosMax = 2_000;
  }

  public void weather(int lossOfThousand, int delayMicros) {
    lossPerThousand = lossOfThousand;
    delayMicrosMax = Math.max(1, delayMicros);
  }

  public boolean passes(Machine from, Machine to) {
    return from == to || !cuts.contains(new Direction(from.name(), to.name()));
  }

  /** Both ways. */
  public boolean connects(Machine one, Machine other) {
    return passes(one, other) && passes(other, one);
  }

  public Duration delay() {
    return Duration.ofNanos(1_000L * (50 + order.nextInt(delayMicrosMax)));
  }

  /** Arrives at the boot that there is now, if it arrives; the action runs on the driver. */
  public void send(Machine from, Machine to, Runnable arrival) {
    boolean lost = from != to && order.nextInt(1000) < lossPerThousand;
    if (!to.isUp() || lost) {
      return;
    }
    Boot boot = to.boot();
    scheduler.after(
        delay(),
        boot,
        () -> {
          if (passes(from, to)) {
            arrival.run();
          }
        });
  }

  /**
   * Asks a machine; fails when no answer came in time, and at once when nothing listens there.
   *
   * @param handler begins the work on the machine, on the driver
   */
  public <T> CompletableFuture<T> call(
      Machine from, Machine to, Duration limit, Supplier<CompletableFuture<T>> handler) {
    var answer = new CompletableFuture<T>();
    Boot caller = from.boot();
    if (!to.isUp()) {
      scheduler.after(
          REFUSED_AFTER,
          caller,
          () -> answer.completeExceptionally(new IOException(to.name() + " is not there")));
      return answer;
    }
    Scheduler.Event timer =
        scheduler.after(
            limit,
            caller,
            () -> answer.completeExceptionally(new IOException(to.name() + " did not answer")));
    send(
        from,
        to,
        () -> {
          var _ =
              handler
                  .get()
                  .whenComplete((value, failed) -> reply(to, from, timer, answer, value, failed));
        });
    return answer;
  }

  private <T> void reply(
      Machine from,
      Machine to,
      Scheduler.Event timer,
      CompletableFuture<T> answer,
      T value,
      Throwable failed) {
    send(
        from,
        to,
        () -> {
          timer.cancel();
          if (failed == null) {
            answer.complete(value);
          } else {
            answer.completeExceptionally(failed);
          }
        });
  }
}
