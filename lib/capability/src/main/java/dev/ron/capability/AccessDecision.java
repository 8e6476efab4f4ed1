package dev.ron.capability;

import dev.ron.capability.caveat.Caveat;
import java.util.Optional;

/**
 * The answer to an {@code AccessRequest}.
 *
 * <p>Threading: immutable.
 */
public sealed interface AccessDecision {
  /** The token allows it. */
  record Granted(Grant grant) implements AccessDecision {}

  /** It does not, or it is no token of ours. */
  record Refused(CapabilityFault fault) implements AccessDecision {}

  /** The same about what is the operator's alone: a tenant's token is refused. */
  default AccessDecision operators() {
    Optional<String> tenant =
        this instanceof Granted(Grant grant) ? grant.tenant() : Optional.empty();
    return tenant
        .<AccessDecision>map(
            name -> new Refused(new CapabilityFault.Scope(new Caveat.Tenant(name))))
        .orElse(this);
  }
}
