package dev.ron.http.server;

import dev.ron.capability.Ask;
import dev.ron.capability.Authentication;
import dev.ron.capability.Capability;
import dev.ron.capability.CapabilityFault;
import dev.ron.capability.Grant;
import dev.ron.capability.Verdict;
import dev.ron.capability.Verifier;
import dev.ron.http.Refusal;
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
 * <p>Threading: immutable; verifier and rates are thread-safe, and neither blocks.
 */
public final class CapabilityGuard implements Guard {
  private static final String SCHEME = "Bearer ";

  private final Verifier verifier;
  private final Scope scope;
  private final CapabilityTerms terms;
  private final CapabilityRates rates;

  public CapabilityGuard(Scope scope, Verifier verifier, CapabilityTerms terms) {
    this.scope = scope;
    this.verifier = verifier;
    this.terms = terms;
    this.rates = new CapabilityRates(scope.time());
  }

  @Override
  public @Nullable Refusal check(Exchange exchange) {
    String token = terms.token(exchange);
    if (token.isEmpty() && !terms.needed(exchange)) {
      return null;
    }
    Instant now = scope.time().wall();
    long version = verifier.version();
    return switch (verifier.authenticate(token, now)) {
      case Authentication.Authentic(Capability capability) -> {
        exchange.put(
            Bearer.class,
            new Bearer(verifier, scope.time(), token, capability, version, terms::refused));
        CapabilityRates.Excess excess = rates.charge(capability);
        yield excess == null
            ? allowed(capability, now, exchange)
            : terms.overRate(excess.perSecond(), excess.rest());
      }
      case Authentication.Refused(CapabilityFault fault) ->
          fault instanceof CapabilityFault.Malformed && terms.foreign(exchange)
              ? null
              : terms.refused(fault);
    };
  }

  private @Nullable Refusal allowed(Capability capability, Instant now, Exchange exchange) {
    Ask ask = Ask.of(scope.service(), exchange.route().op(), now);
    return switch (terms.verdict(capability, ask, exchange)) {
      case Verdict.Granted(Grant grant) -> {
        exchange.put(Grant.class, grant);
        yield null;
      }
      case Verdict.Refused(CapabilityFault fault) -> terms.refused(fault);
    };
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
