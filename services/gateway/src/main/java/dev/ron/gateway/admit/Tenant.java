package dev.ron.gateway.admit;

import dev.ron.gateway.GatewayFault;
import dev.ron.gateway.GatewayFault.TenantClass;
import dev.ron.kernel.metric.Payer;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One tenant as this gateway sees it: what it has inside, and its metrics, looked up once.
 *
 * <p>Threading: thread-safe; the counts are atomic.
 */
public final class Tenant {
  private final String name;
  private final String key;
  private final TenantClass tenantClass;
  private final CounterDataPoint quotaExhaustions;
  private final DistributionDataPoint latency;
  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicInteger waiting = new AtomicInteger();

  Tenant(
      String name,
      String key,
      TenantClass tenantClass,
      CounterDataPoint quotaExhaustions,
      DistributionDataPoint latency) {
    this.name = name;
    this.key = key;
    this.tenantClass = tenantClass;
    this.quotaExhaustions = quotaExhaustions;
    this.latency = latency;
  }

  /** What metrics call it; tenants may share it. */
  public String name() {
    return name;
  }

  /**
   * Tells it from every other tenant. A header may say anything, and a capability's name cannot
   * hold a slash: no one can pose as one.
   */
  public String key() {
    return key;
  }

  /** All capabilities that name no tenant. */
  boolean isOperator() {
    return key.equals(Payer.OPERATOR);
  }

  static String key(String name, TenantClass tenantClass) {
    return tenantClass == TenantClass.HEADER ? "header/" + name : name;
  }

  public TenantClass tenantClass() {
    return tenantClass;
  }

  /** For the refusals: whose it is, and how many of its requests wait. */
  public GatewayFault.QueuePlace standing() {
    return new GatewayFault.QueuePlace(tenantClass, Math.max(0, waiting.get()));
  }

  public void overQuota() {
    quotaExhaustions.inc();
  }

  public void took(Duration time) {
    latency.observe(time.toNanos() / 1e9);
  }

  /** Requests that wait or run. */
  AtomicInteger inside() {
    return inside;
  }

  /** Requests in the scheduler's line. */
  AtomicInteger waiting() {
    return waiting;
  }
}
