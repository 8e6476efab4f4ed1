package dev.ron.http.server.dispatch;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.kernel.limit.ConcurrencyLimit;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Holds a permit for each request in flight; without one the answer is 429, never a queue. */
public final class InflightLimit implements Layer {
  private static final Duration REST = Duration.ofSeconds(1);

  private final ConcurrencyLimit limit;

  public InflightLimit(ConcurrencyLimit limit) {
    this.limit = limit;
  }

  @Override
  public @Nullable Refusal admit(Exchange exchange) {
    Optional<ConcurrencyLimit.Permit> permit = limit.tryEnter();
    if (permit.isEmpty()) {
      return Refusal.of(new KernelFault.Busy("inflight", limit.limit(), REST));
    }
    exchange.work().permit(permit.get());
    return null;
  }
}
