package dev.ron.http.server.dispatch;

import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Exchange;
import org.jspecify.annotations.Nullable;

/** Refuses a body whose announced length is over the cap; {@code RequestBody} counts the others. */
public final class BodyCap implements Layer {
  @Override
  public @Nullable Refusal admit(Exchange exchange) {
    long bytesMax = exchange.body().bytesMax();
    return exchange.head().bodyLength() > bytesMax
        ? Refusal.of(new HttpFault.BodyCap(bytesMax))
        : null;
  }
}
