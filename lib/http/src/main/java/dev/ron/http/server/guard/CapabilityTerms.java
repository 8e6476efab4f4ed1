package dev.ron.http.server.guard;

import dev.ron.capability.AccessDecision;
import dev.ron.capability.Capability;
import dev.ron.capability.CapabilityFault;
import dev.ron.capability.caveat.AccessRequest;
import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Exchange;
import java.time.Duration;
import java.util.Set;

/**
 * What a service asks of capabilities, and in which words it refuses them.
 *
 * <p>Threading: thread-safe; called on event loops, so it may not block.
 */
@FunctionalInterface
public interface CapabilityTerms {
  /** Without GET, HEAD and OPTIONS. */
  CapabilityTerms FOR_MUTATIONS =
      exchange -> !Set.of("GET", "HEAD", "OPTIONS").contains(exchange.method());

  CapabilityTerms ALWAYS = _ -> true;

  /** Whether a request must show a capability; one that is shown is checked in any case. */
  boolean needed(Exchange exchange);

  /** What the request shows; empty if nothing. */
  default String token(Exchange exchange) {
    return CapabilityGuard.token(exchange);
  }

  /** Whether a token that cannot be read may be meant for another server. */
  default boolean foreign(Exchange exchange) {
    return false;
  }

  /**
   * Whether the capability allows the request, as far as its head tells.
   *
   * @param ask the service, the route's operation and the time
   */
  default AccessDecision verdict(Capability capability, AccessRequest ask, Exchange exchange) {
    return capability.verdict(
        ask.onPath(exchange.path()).withBytes(Math.max(0, exchange.head().bodyLength())));
  }

  default Refusal refused(CapabilityFault fault) {
    return Refusal.of(
        fault.worthless()
            ? new HttpFault.Unauth(fault.detail())
            : new HttpFault.Forbidden(fault.detail()));
  }

  default Refusal overRate(long perSecond, Duration wait) {
    return Refusal.of(
        new HttpFault.Quota("the capability's rate of %d allows".formatted(perSecond), wait));
  }
}
