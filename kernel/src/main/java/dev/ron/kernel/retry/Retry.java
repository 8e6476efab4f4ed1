package dev.ron.kernel.retry;

import dev.ron.kernel.Scope;
import dev.ron.kernel.time.Deadline;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.function.Predicate;

/**
 * Repeats a call that may be repeated, a bounded number of times, never past the deadline.
 *
 * <p>Whether an exception is worth another try is the caller's to say; whether the operation may be
 * repeated at all is in {@link #idempotent} and {@link #once}, so that the call site shows it.
 *
 * <p>Threading: immutable.
 */
public final class Retry {
  private final Scope scope;
  private final String op;
  private final int triesMax;
  private final Backoff backoff;

  private Retry(Scope scope, String op, int triesMax, Backoff backoff) {
    this.scope = scope;
    this.op = op;
    this.triesMax = triesMax;
    this.backoff = backoff;
  }

  /** For an operation that may be done twice without harm. */
  public static Retry idempotent(Scope scope, String op, int triesMax, Backoff backoff) {
    if (triesMax < 1) {
      throw new IllegalArgumentException("triesMax of " + op + " = " + triesMax);
    }
    return new Retry(scope, op, triesMax, backoff);
  }

  /** For an operation that must not be done twice: one try, whatever happens. */
  public static Retry once(Scope scope, String op) {
    return new Retry(scope, op, 1, Backoff.rpc());
  }

  /**
   * @param transientFailure true for a failure that another try may fix
   * @throws Exception what the last try threw
   */
  public <T> T call(Callable<T> operation, Predicate<Exception> transientFailure) throws Exception {
    for (int n = 0; ; n++) {
      try {
        return operation.call();
      } catch (InterruptedException stop) {
        throw stop;
      } catch (Exception failure) {
        Instant next = scope.time().now().plus(backoff.delay(n, scope.chance()));
        boolean again =
            n + 1 < triesMax
                && transientFailure.test(failure)
                && next.isBefore(Deadline.current().at());
        if (!again) {
          throw failure;
        }
        scope.counters().backoffRetries().labelValues(op).inc();
        scope.time().sleepUntil(next);
      }
    }
  }
}
