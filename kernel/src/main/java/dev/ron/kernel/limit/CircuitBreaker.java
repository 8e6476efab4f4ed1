package dev.ron.kernel.limit;

import dev.ron.kernel.fault.KernelFault;
import dev.ron.kernel.fault.KernelFault.BreakerOpen;
import dev.ron.kernel.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Leaves a dependency alone after it failed several times in a row, then tries it with one call.
 *
 * <p>Each failed probe doubles the rest, up to a cap; one success closes the breaker.
 *
 * <p>Threading: thread-safe; the state is an immutable value replaced by compare-and-set.
 */
public final class CircuitBreaker {
  private final String name;
  private final Time time;
  private final int failuresMax;
  private final Duration restMin;
  private final Duration restMax;
  private final AtomicReference<State> state = new AtomicReference<>(new State.Closed(0));

  /** What the breaker knows. */
  private sealed interface State {
    record Closed(int failures) implements State {}

    record Open(Instant until, Duration rest) implements State {}

    /** One caller is trying; the others are refused until it reports or its time is up. */
    record Probing(Instant giveUp, Duration rest) implements State {}
  }

  public CircuitBreaker(
      String name, Time time, int failuresMax, Duration restMin, Duration restMax) {
    if (failuresMax < 1) {
      throw new IllegalArgumentException("failuresMax of " + name + " = " + failuresMax);
    }
    if (restMin.isNegative() || restMin.isZero() || restMax.compareTo(restMin) < 0) {
      throw new IllegalArgumentException("rest of " + name + " = " + restMin + " to " + restMax);
    }
    this.name = name;
    this.time = time;
    this.failuresMax = failuresMax;
    this.restMin = restMin;
    this.restMax = restMax;
  }

  /** Empty if the call may be made, which then must be followed by its outcome. */
  public Optional<KernelFault> refusal() {
    Instant now = time.now();
    while (true) {
      State seen = state.get();
      switch (seen) {
        case State.Closed _ -> {
          return Optional.empty();
        }
        case State.Open(Instant until, Duration rest) -> {
          if (now.isBefore(until)) {
            return Optional.of(new BreakerOpen(name, Duration.between(now, until)));
          }
          if (state.compareAndSet(seen, new State.Probing(now.plus(rest), rest))) {
            return Optional.empty();
          }
        }
        case State.Probing(Instant giveUp, Duration rest) -> {
          if (now.isBefore(giveUp)) {
            return Optional.of(new BreakerOpen(name, Duration.between(now, giveUp)));
          }
          // The probe never reported: its caller died. Another caller may try.
          if (state.compareAndSet(seen, new State.Probing(now.plus(rest), rest))) {
            return Optional.empty();
          }
        }
      }
    }
  }

  public void succeeded() {
    // An old call that succeeds late while the breaker is open proves nothing about now.
    state.updateAndGet(seen -> seen instanceof State.Open ? seen : new State.Closed(0));
  }

  public void failed() {
    Instant now = time.now();
    state.updateAndGet(
        seen ->
            switch (seen) {
              case State.Closed(int failures) when failures + 1 < failuresMax ->
                  new State.Closed(failures + 1);
              case State.Closed _ -> new State.Open(now.plus(restMin), restMin);
              case State.Open open -> open;
              case State.Probing(_, Duration rest) -> {
                Duration longer = rest.multipliedBy(2);
                Duration capped = longer.compareTo(restMax) > 0 ? restMax : longer;
                yield new State.Open(now.plus(capped), capped);
              }
            });
  }

  public boolean open() {
    return !(state.get() instanceof State.Closed);
  }
}
