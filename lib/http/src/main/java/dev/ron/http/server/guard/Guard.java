package dev.ron.http.server.guard;

import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Exchange;
import org.jspecify.annotations.Nullable;

/**
 * Says whether a request may reach its handler; the capability check plugs in here.
 *
 * <p>Runs on the event loop, so it may compute but not block. What it learns, such as the tenant,
 * it leaves in {@link Exchange#put}.
 */
@FunctionalInterface
public interface Guard {
  Guard OPEN = _ -> null;

  /** Of a door whose handler checks the caller itself; it calls {@link Exchange#enter} then. */
  Guard LATER = _ -> null;

  /** Null lets the request on. */
  @Nullable Refusal check(Exchange exchange);
}
