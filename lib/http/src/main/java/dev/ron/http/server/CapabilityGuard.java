package dev.ron.http.server;

import dev.ron.capability.Ask;
import dev.ron.capability.CapabilityFault;
import dev.ron.capability.Grant;
import dev.ron.capability.Verdict;
import dev.ron.capability.Verifier;
import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.kernel.Scope;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets a request on if its capability allows the route's operation on its path.
 *
 * <p>A token that is shown is always checked, also where none is needed: a caller that sends a bad
 * one must learn so here and not later. What was granted is left in the exchange as a {@link
 * Grant}.
 *
 * <p>Threading: immutable; the verifier is thread-safe and neither blocks nor reads a clock.
 */
public final class CapabilityGuard implements Guard {
  private static final String SCHEME = "Bearer ";
  private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");

  private final Verifier verifier;
  private final Scope scope;
  private final Needed needed;

  /** Which requests need a token at all. */
  public enum Needed {
    NEVER,
    /** Everything but GET, HEAD and OPTIONS. */
    FOR_MUTATIONS,
    ALWAYS
  }

  public CapabilityGuard(Scope scope, Verifier verifier, Needed needed) {
    this.scope = scope;
    this.verifier = verifier;
    this.needed = needed;
  }

  @Override
  public @Nullable Refusal check(Exchange exchange) {
    String token = token(exchange);
    if (token.isEmpty() && !needs(exchange.method())) {
      return null;
    }
    Ask ask =
        Ask.of(scope.service(), exchange.route().op(), scope.time().wall())
            .onPath(exchange.path())
            .withBytes(Math.max(0, exchange.head().bodyLength()));
    return switch (verifier.verify(token, ask)) {
      case Verdict.Granted(Grant grant) -> {
        exchange.put(Grant.class, grant);
        yield null;
      }
      case Verdict.Refused(CapabilityFault fault) -> Refusal.of(refused(fault));
    };
  }

  /** The token of {@code Authorization: Bearer}, or nothing; other schemes grant nothing. */
  public static String token(Exchange exchange) {
    String header = exchange.headers().first("Authorization");
    if (header == null || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return "";
    }
    return header.substring(SCHEME.length()).strip();
  }

  private boolean needs(String method) {
    return switch (needed) {
      case NEVER -> false;
      case FOR_MUTATIONS -> !READING.contains(method);
      case ALWAYS -> true;
    };
  }

  private static HttpFault refused(CapabilityFault fault) {
    return switch (fault) {
      case CapabilityFault.Missing _,
          CapabilityFault.Malformed _,
          CapabilityFault.UnknownKey _,
          CapabilityFault.BadSignature _,
          CapabilityFault.Revoked _,
          CapabilityFault.Expired _ ->
          new HttpFault.Unauth(fault.detail());
      case CapabilityFault.UnknownCaveat _,
          CapabilityFault.AmbiguousPath _,
          CapabilityFault.Scope _ ->
          new HttpFault.Forbidden(fault.detail());
    };
  }
}
