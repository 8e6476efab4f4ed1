package dev.ron.storage.api;

import dev.ron.blake3.Address;
import dev.ron.capability.AccessDecision;
import dev.ron.capability.Grant;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.AccessRequest;
import dev.ron.capability.caveat.Owner;
import dev.ron.http.HttpFault;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.guard.Bearer;
import dev.ron.http.server.guard.CapabilityGuard;
import dev.ron.http.server.guard.CapabilityTerms;
import dev.ron.http.server.guard.Guard;
import dev.ron.kernel.Scope;
import dev.ron.storage.StorageFault;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which requests need a capability: all but reads, and reads too unless the operator opens them.
 *
 * <p>Threading: stateless.
 */
public final class StorageRights {
  /** Reading these shows what others stored. */
  public static final Set<String> OPERATOR_READS = Set.of("list", "repair");

  static final String TENANT = "tenant";

  private StorageRights() {}

  /**
   * @param verifier null lets every request in, for a storage behind another door
   * @param reads operations that read what public reading does not open
   */
  public static Guard guard(
      Scope scope, @Nullable Verifier verifier, boolean publicRead, Set<String> reads) {
    CapabilityTerms terms =
        exchange ->
            !publicRead
                || CapabilityTerms.FOR_MUTATIONS.needed(exchange)
                || reads.contains(exchange.route().op())
                || exchange.route().op().startsWith("upload");
    return new CapabilityGuard(scope, verifier, terms);
  }

  /** Whether the request could read the object. */
  static boolean mayRead(Exchange exchange, Address address, boolean publicRead, Instant wall) {
    Bearer bearer = exchange.attachment(Bearer.class);
    AccessRequest ask = AccessRequest.of("storage", "get", wall).onPath("/o/" + address);
    return publicRead
        || bearer == null
        || bearer.capability().verdict(ask) instanceof AccessDecision.Granted;
  }

  /**
   * Whose objects a request reaches. An operator may act as a tenant.
   *
   * @param anonymous whose those without a token reach
   */
  static Owner owner(Exchange exchange, Owner anonymous) throws Refusal {
    Bearer bearer = exchange.attachment(Bearer.class);
    Owner owner = bearer == null ? anonymous : Owner.of(bearer.capability().tenant());
    String tenant = exchange.query().first(TENANT);
    if (tenant == null || tenant.equals(owner.tenant())) {
      return owner;
    }
    try {
      if (owner.isOperator()) {
        return new Owner(tenant);
      }
    } catch (IllegalArgumentException _) {
      // Said below, as of every name that the caller may not say.
    }
    throw Refusal.of(
        new StorageFault.Malformed("tenant: is not the token's own, or no name of a tenant"));
  }

  /** Whether the request shows a capability that names a tenant. */
  public static boolean isTenant(Exchange exchange) {
    Bearer bearer = exchange.attachment(Bearer.class);
    return bearer != null && bearer.capability().tenant().isPresent();
  }

  /** Throws if a tenant asks for what is the operator's. */
  static void requireOperator(Exchange exchange) throws Refusal {
    if (isTenant(exchange)) {
      throw Refusal.of(
          new HttpFault.Forbidden("this is the operator's; the capability is a tenant's"));
    }
  }

  /** What the capability lets through of a body whose length was not announced. */
  static long bytesMax(Exchange exchange, long bytesMax) {
    Grant grant = exchange.attachment(Grant.class);
    return grant == null ? bytesMax : Math.min(bytesMax, grant.bytesMax().orElse(bytesMax));
  }
}
