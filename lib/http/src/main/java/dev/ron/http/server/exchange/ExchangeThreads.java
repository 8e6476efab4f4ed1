package dev.ron.http.server.exchange;

import dev.ron.kernel.limit.ConcurrencyLimit;
import org.jspecify.annotations.Nullable;

/**
 * The virtual threads that work for an exchange, and the place they hold among those in flight.
 *
 * <p>The place is given back when the last thread has ended, not when the answer is out: a handler
 * that ignores its interrupt must count until it is gone.
 *
 * <p>Threading: owned by the exchange's event loop.
 */
public final class ExchangeThreads {
  private ConcurrencyLimit.@Nullable Permit permit;
  private @Nullable BlockingCall latest;
  private int running;

  public void permit(ConcurrencyLimit.Permit held) {
    permit = held;
  }

  void began(BlockingCall call) {
    latest = call;
    running++;
  }

  void ended() {
    running--;
  }

  boolean isRunning() {
    return running > 0;
  }

  void cancel() {
    if (latest != null && running > 0) {
      latest.cancel();
    }
  }

  void letGo() {
    if (permit != null) {
      permit.close();
    }
  }
}
