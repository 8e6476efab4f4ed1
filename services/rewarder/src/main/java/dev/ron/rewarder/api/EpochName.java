package dev.ron.rewarder.api;

import dev.ron.capability.caveat.Owner;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.guard.Bearer;
import dev.ron.rewarder.core.Inputs;

/**
 * An epoch as a request names it, and under which name it is kept.
 *
 * <p>Threading: immutable.
 *
 * @param owner whose epochs the request reaches: its token's tenant's; for an operator all, or
 *     those of the tenant that the query names
 */
record EpochName(Owner owner, String kept) {
  /** The query's name for {@link #owner}. */
  static final String TENANT = "tenant";

  static EpochName of(Exchange exchange) throws Refusal {
    return of(owner(exchange), exchange.param("epoch"));
  }

  static EpochName of(Owner owner, String said) throws Refusal {
    return owner
        .kept(said)
        .filter(kept -> Inputs.isEpoch(Owner.plain(kept)))
        .map(kept -> new EpochName(owner, kept))
        .orElseThrow(() -> RewarderContext.schema("epoch: must be 1 to 64 of A-Z a-z 0-9 . _ -"));
  }

  /** An operator may act as a tenant, since a path has no room for an owner before a name. */
  static Owner owner(Exchange exchange) throws Refusal {
    Bearer bearer = exchange.attachment(Bearer.class);
    Owner owner = bearer == null ? Owner.OPERATOR : Owner.of(bearer.capability().tenant());
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
    throw RewarderContext.schema("tenant: is not the token's own, or no name of a tenant");
  }

  /** As the caller knows it. */
  @Override
  public String toString() {
    return owner.shown(kept);
  }
}
