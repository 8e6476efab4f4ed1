package dev.ron.gateway.core;

import dev.ron.kernel.tenant.TenantTable;
import java.util.Map;

/**
 * What each tenant may spend per round.
 *
 * <p>Threading: immutable.
 *
 * @param usual for a tenant that is not named
 * @param named by the tenant's key: what its capability says, or {@code header/} and what its
 *     header says, so that a header gives no one a capability's share
 * @param tenants whose weights multiply the usual quantum
 */
public record Quanta(int usual, Map<String, Integer> named, TenantTable tenants) {
  public static final int MAX = 1000;

  public Quanta {
    named = Map.copyOf(named);
    check("default_quantum", usual);
    named.forEach((tenant, quantum) -> check("tenant_quanta." + tenant, quantum));
  }

  public Quanta(int usual, Map<String, Integer> named) {
    this(usual, named, TenantTable.NONE);
  }

  /** The same among these tenants. */
  public Quanta among(TenantTable others) {
    return new Quanta(usual, named, others);
  }

  public int of(String tenant) {
    Integer own = named.get(tenant);
    return own == null ? usual * tenants.weight(tenant) : own;
  }

  private static void check(String key, int quantum) {
    if (quantum < 1 || quantum > MAX) {
      throw new IllegalArgumentException("%s = %d, must be 1 to %d".formatted(key, quantum, MAX));
    }
  }
}
