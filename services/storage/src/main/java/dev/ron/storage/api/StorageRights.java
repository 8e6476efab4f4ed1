package dev.ron.storage.api;

import dev.ron.blake3.Address;
import dev.ron.capability.AccessDecision;
import dev.ron.capability.Grant;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.AccessRequest;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.guard.Bearer;
import dev.ron.http.server.guard.CapabilityGuard;
import dev.ron.http.server.guard.CapabilityTerms;
import dev.ron.http.server.guard.Guard;
import dev.ron.kernel.Scope;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who may do what: reading is public if the operator says so, everything else needs a capability.
 *
 * <p>Threading: stateless.
 */
public final class StorageRights {
  /** Reading these shows what others stored. */
  public static final Set<String> OPERATOR_READS = Set.of("list", "repair");

  /** Whom a request without a token is charged to. */
  private static final String ANYBODY = "anonymous";

  private StorageRights() {}

  /**
   * @param verifier null lets everybody do everything, for a storage behind another door
   * @param reads operations that read what public reading does not open
   */
  public static Guard guard(
      Scope scope, @Nullable Verifier verifier, boolean publicRead, Set<String> reads) {
    if (verifier == null) {
      return Guard.OPEN;
    }
    CapabilityTerms terms =
        exchange ->
            !publicRead
                || CapabilityTerms.FOR_MUTATIONS.needed(exchange)
                || reads.contains(exchange.route().op())
                || exchange.route().op().startsWith("upload");
    return new CapabilityGuard(scope, verifier, terms);
  }

  /** Whether the request could read the object, and so may learn that it is there. */
  static boolean mayRead(Exchange exchange, Address address, boolean publicRead, Instant wall) {
    Bearer bearer = exchange.attachment(Bearer.class);
    AccessRequest ask = AccessRequest.of("storage", "get", wall).onPath("/o/" + address);
    return publicRead
        || bearer == null
        || bearer.capability().verdict(ask) instanceof AccessDecision.Granted;
  }

  static String tenant(Exchange exchange) {
    Grant grant = exchange.attachment(Grant.class);
    return grant == null ? ANYBODY : grant.tenant().orElse(ANYBODY);
  }

  /** What the capability lets through of a body whose length was not announced. */
  static long bytesMax(Exchange exchange, long bytesMax) {
    Grant grant = exchange.attachment(Grant.class);
    return grant == null ? bytesMax : Math.min(bytesMax, grant.bytesMax().orElse(bytesMax));
  }
}
