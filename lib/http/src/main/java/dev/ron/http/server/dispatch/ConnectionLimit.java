package dev.ron.http.server.dispatch;

import dev.ron.http.Refusal;
import dev.ron.http.server.connection.ConnectionSlot;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.kernel.fault.KernelFault;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Keeps the connections beyond the cap for what is operational: all else on them gets 429. */
public record ConnectionLimit(int connectionsMax) implements Layer {
  private static final Duration REST = Duration.ofSeconds(1);

  @Override
  public @Nullable Refusal admit(Exchange exchange) {
    if (!ConnectionSlot.of(exchange.channel()).reserved()) {
      return null;
    }
    exchange.wire().closeAfterAnswer();
    return Refusal.of(new KernelFault.Busy("connections", connectionsMax, REST));
  }
}
