package dev.ron.kernel.tenant;

import dev.ron.kernel.metric.Payer;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The tenants of a node, as its configuration lists them.
 *
 * <p>A tenant that is not listed has the terms of {@code default}, for itself alone; without that
 * entry it has weight one and no limit. Inner work is listed as a tenant too.
 *
 * <p>The operator has terms of its own if {@code operator} is listed, and never those of {@code
 * default}: a bound that is meant for tenants must not stop replication, seals or the command line.
 *
 * <p>Threading: immutable; a reload puts another in its place.
 */
public final class TenantTable {
  /** The entry for tenants that are not listed. */
  public static final String DEFAULT = "default";

  /** Copies of damaged and missing objects that are made again. */
  public static final String REPAIR = "repair";

  /** The search for what no name refers to any more. */
  public static final String COLLECT = "collect";

  /** Objects that leave the disks for a bucket. */
  public static final String TIER = "tier";

  /** Copies that are made where they belong now, of objects that have enough of them. */
  public static final String REBALANCE = "rebalance";

  private static final TenantTerms UNBOUND = TenantTerms.usual(Payer.OPERATOR);

  public static final TenantTable NONE = new TenantTable(List.of());

  private final Map<String, TenantTerms> listed;
  private final TenantTerms unlisted;

  public TenantTable(List<TenantTerms> tenants) {
    Map<String, TenantTerms> byName = HashMap.newHashMap(tenants.size());
    for (TenantTerms terms : tenants) {
      if (byName.putIfAbsent(terms.name(), terms) != null) {
        throw new IllegalArgumentException(
            "tenants: \"%s\" is listed twice; a tenant has one entry".formatted(terms.name()));
      }
    }
    this.listed = Map.copyOf(byName);
    this.unlisted = byName.getOrDefault(DEFAULT, TenantTerms.usual(DEFAULT));
  }

  /** What holds for a tenant; the name in it may be {@link #DEFAULT}. */
  public TenantTerms of(String tenant) {
    return listed.getOrDefault(tenant, tenant.equals(Payer.OPERATOR) ? UNBOUND : unlisted);
  }

  public int weight(String tenant) {
    return of(tenant).weight();
  }

  public Collection<TenantTerms> listed() {
    return listed.values();
  }

  /** Whether there is nothing to hold a tenant to. */
  public boolean isEmpty() {
    return listed.isEmpty();
  }
}
