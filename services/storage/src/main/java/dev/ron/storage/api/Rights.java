package dev.ron.storage.api;

import dev.ron.capability.Grant;
import dev.ron.capability.Verifier;
import dev.ron.http.server.CapabilityGuard;
import dev.ron.http.server.CapabilityGuard.Needed;
import dev.ron.http.server.Exchange;
import dev.ron.http.server.Guard;
import dev.ron.kernel.Scope;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who may do what: reading is public if the operator says so, everything else needs a capability.
 *
 * <p>Threading: stateless.
 */
public final class Rights {
  /** Reading these shows what others stored. */
  static final Set<String> OPERATOR_READS = Set.of("list", "repair");

  /** Whom a request without a token is charged to. */
  private static final String ANYBODY = "anonymous";

  private Rights() {}

  /**
   * @param verifier null lets everybody do everything, for a storage behind another door
   */
  public static Guard guard(Scope scope, @Nullable Verifier verifier, boolean publicRead) {
    if (verifier == null) {
      return Guard.OPEN;
    }
    var reads =
        new CapabilityGuard(scope, verifier, publicRead ? Needed.FOR_MUTATIONS : Needed.ALWAYS);
    var all = new CapabilityGuard(scope, verifier, Needed.ALWAYS);
    return exchange ->
        (OPERATOR_READS.contains(exchange.route().op())
                    || exchange.route().op().startsWith("upload")
                    || exchange.route().op().equals(PeerRoutes.OP)
                ? all
                : reads)
            .check(exchange);
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
