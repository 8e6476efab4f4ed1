package dev.ron.http.server.dispatch;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Exchange;
import org.jspecify.annotations.Nullable;

/**
 * One check between the route and its handler.
 *
 * <p>Threading: called on event loops; must not block.
 */
public interface Layer {
  /** Null lets the request on to the next layer. */
  @Nullable Refusal admit(Exchange exchange);
}
