package dev.ron.gateway.admit;

import dev.ron.gateway.GatewayFault.TenantClass;
import dev.ron.gateway.GatewayMetrics;
import dev.ron.kernel.metric.Payer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The tenants seen here, a bounded number of them.
 *
 * <p>When as many are known as may be, those that have nothing inside are forgotten; if all are
 * busy, a newcomer is charged to {@link #OTHERS} with all others that came too late.
 *
 * <p>Threading: thread-safe; the map is concurrent, racing newcomers may exceed the bound by their
 * number.
 */
public final class Tenants {
  public static final String ANONYMOUS = "anonymous";

  /** No tenant's name begins so: what metrics tell of these is the operator's. */
  static final String OTHERS = "_other";

  static final int TENANTS_MAX = 4096;

  private final GatewayMetrics metrics;
  private final int max;
  private final Map<String, Tenant> known = new ConcurrentHashMap<>();

  public Tenants(GatewayMetrics metrics) {
    this(metrics, TENANTS_MAX);
  }

  Tenants(GatewayMetrics metrics, int max) {
    this.metrics = metrics;
    this.max = max;
  }

  /** The tenant of that name; one that is named another way is another tenant. */
  public Tenant of(String name, TenantClass tenantClass) {
    return of(name, Tenant.key(name, tenantClass), tenantClass);
  }

  /** All capabilities without a tenant are the operator's, one tenant as at every other door. */
  public Tenant operator() {
    return of(Payer.OPERATOR, TenantClass.CAPABILITY);
  }

  private Tenant of(String name, String key, TenantClass tenantClass) {
    Tenant tenant = known.get(key);
    if (tenant != null) {
      return tenant;
    }
    if (known.size() >= max) {
      known.values().removeIf(idle -> idle.inside().get() == 0);
    }
    return known.size() >= max && !name.equals(OTHERS)
        ? of(OTHERS, TenantClass.ANONYMOUS)
        : known.computeIfAbsent(key, _ -> made(name, key, tenantClass));
  }

  private Tenant made(String name, String key, TenantClass tenantClass) {
    String label = metrics.tenants().of(name);
    return new Tenant(
        name,
        key,
        tenantClass,
        metrics.quotaExhaustions().labelValues(label),
        metrics.tenantLatency().labelValues(label));
  }

  /** How many have something inside. */
  int active() {
    int active = 0;
    for (Tenant tenant : known.values()) {
      active += tenant.inside().get() > 0 ? 1 : 0;
    }
    return active;
  }

  void forEach(Consumer<Tenant> each) {
    known.values().forEach(each);
  }

  String label(Tenant tenant) {
    return metrics.tenants().of(tenant.name());
  }

  int count() {
    return known.size();
  }
}
