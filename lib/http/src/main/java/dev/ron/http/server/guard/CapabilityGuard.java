package dev.ron.http.server.guard;

import dev.ron.capability.AccessDecision;
import dev.ron.capability.Authentication;
import dev.ron.capability.Capability;
import dev.ron.capability.CapabilityFault;
import dev.ron.capability.Grant;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.AccessRequest;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.kernel.Scope;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Lets a request on if its capability is authentic, within its rates, and allows the operation.
 *
 * <p>The order is the cost: the signature once, then the rates, which every request with the token
 * counts against whatever its answer is, then what it is for. Nothing of a body is read before. A
 * token that is shown is always checked, also where none is needed: a caller that sends a bad one
 * must learn so here and not later. What was found is left in the exchange: the {@link Bearer} for
 * all that follows, and the {@link Grant}.
 *
 * <p>Three steps, for a service that has checks of its own between them: {@link #authenticate},
 * {@link #charge}, {@link #allow}. What the head does not tell, such as a topic that stands in the
 * body, the verb asks later with {@link #refusal}; that costs no signature.
 *
 * <p>Threading: immutable; verifier and rates are thread-safe, and neither blocks.
 */
public final class CapabilityGuard implements Guard {
  private static final String SCHEME = "Bearer ";

  private final @Nullable Verifier verifier;
  private final Scope scope;
  private final CapabilityTerms terms;
  private final CapabilityRates rates;

  /**
   * @param verifier null lets every request in, for tests and for a service behind another door
   */
  public CapabilityGuard(Scope scope, @Nullable Verifier verifier, CapabilityTerms terms) {
    this.scope = scope;
    this.verifier = verifier;
    this.terms = terms;
    this.rates = new CapabilityRates(scope.time());
  }

  @Override
  public @Nullable Refusal check(Exchange exchange) {
    Refusal refusal = authenticate(exchange);
    if (refusal == null) {
      refusal = charge(exchange);
    }
    return refusal == null ? allow(exchange) : refusal;
  }

  /** Checks the signature and leaves the {@link Bearer}, if a token is shown or needed. */
  public @Nullable Refusal authenticate(Exchange exchange) {
    Verifier known = verifier;
    String token = terms.token(exchange);
    if (known == null || (token.isEmpty() && !terms.needed(exchange))) {
      return null;
    }
    long version = known.version();
    return switch (known.authenticate(token, scope.time().wall())) {
      case Authentication.Authentic(Capability capability) -> {
        new Bearer(known, scope.time(), token, capability, version, terms::refused).admit(exchange);
        yield null;
      }
      case Authentication.Refused(CapabilityFault fault) ->
          fault instanceof CapabilityFault.Malformed && terms.foreign(exchange)
              ? null
              : terms.refused(fault);
    };
  }

  /** Counts one request against the rates of the {@link Bearer}. */
  public @Nullable Refusal charge(Exchange exchange) {
    Bearer bearer = exchange.attachment(Bearer.class);
    CapabilityRates.Excess excess = bearer == null ? null : rates.charge(bearer.capability());
    return excess == null ? null : terms.overRate(excess.perSecond(), excess.rest());
  }

  /** Asks the {@link Bearer} for the route's operation, and leaves the {@link Grant}. */
  public @Nullable Refusal allow(Exchange exchange) {
    Bearer bearer = exchange.attachment(Bearer.class);
    if (bearer == null) {
      return null;
    }
    Instant now = scope.time().wall();
    AccessRequest ask = AccessRequest.of(scope.service(), exchange.route().op(), now);
    return switch (terms.verdict(bearer.capability(), ask, exchange)) {
      case AccessDecision.Granted(Grant grant) -> {
        exchange.put(Grant.class, grant);
        // An operator's token names no tenant; the request may have, and then that one pays.
        grant.tenant().ifPresent(exchange.payer()::is);
        yield null;
      }
      case AccessDecision.Refused(CapabilityFault fault) -> terms.refused(fault);
    };
  }

  /** Null if the request may also do this, which is known only now; for verbs. */
  public @Nullable Refusal refusal(Exchange exchange, AccessRequest ask) {
    Verifier known = verifier;
    Bearer bearer = exchange.attachment(Bearer.class);
    String token = bearer == null ? terms.token(exchange) : "";
    if (known == null || (bearer == null && token.isEmpty() && !terms.needed(exchange))) {
      return null;
    }
    // A token that authenticate took for another server's is refused here, where it counts.
    AccessDecision verdict =
        bearer == null ? known.verify(token, ask) : bearer.capability().verdict(ask);
    return verdict instanceof AccessDecision.Refused(CapabilityFault fault)
        ? terms.refused(fault)
        : null;
  }

  /** Charges a capability for more than the request that showed it, such as a stream's batches. */
  public CapabilityRates rates() {
    return rates;
  }

  /** The token of {@code Authorization: Bearer}, or nothing; other schemes grant nothing. */
  public static String token(Exchange exchange) {
    String header = exchange.headers().first("Authorization");
    if (header == null || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return "";
    }
    return header.substring(SCHEME.length()).strip();
  }
}
