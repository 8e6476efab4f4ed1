package dev.ron.http.server;

import dev.ron.http.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * One check between the route and its handler.
 *
 * <p>Threading: called on event loops; must not block.
 */
interface Layer {
  /** Null lets the request on to the next layer. */
  @Nullable Refusal admit(Exchange exchange);
}
