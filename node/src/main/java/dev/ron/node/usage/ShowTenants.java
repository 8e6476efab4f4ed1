package dev.ron.node.usage;

import dev.ron.http.Refusal;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.kernel.Scope;
import dev.ron.kernel.fault.KernelFault;
import dev.ron.kernel.metric.Meter;
import dev.ron.kernel.tenant.TenantLimit;
import dev.ron.kernel.tenant.TenantTable;
import dev.ron.kernel.tenant.TenantTerms;
import dev.ron.usage.UsageReport;
import java.io.IOException;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * {@code GET /tenants?tenant=N}: what tenants may use, what of it they use now, and how often they
 * were refused; with a tenant's capability its own row alone.
 *
 * <p>Shown are the tenants that are listed and those that used something in the spans that are
 * kept.
 *
 * <p>Threading: immutable; the rest is thread-safe.
 *
 * @param node which has the table of tenants
 * @param services whose doors and stocks hold tenants to their limits
 */
public record ShowTenants(NodeUsage usage, Scope node, List<Scope> services)
    implements Verb<Optional<String>, ShowTenants.Reply> {
  private static final String REFUSALS = "." + Meter.Unit.REFUSALS.word();

  /**
   * How much of one limit is used at one place.
   *
   * @param used of a rate, how much of a second's worth; more than that is owed
   */
  public record Use(String service, String limit, long used) {}

  /**
   * One tenant.
   *
   * @param listed false for one that has the terms of {@code default}
   * @param limits those that are set, by their key in the configuration
   * @param use what is not zero, or has a limit
   * @param refusals digits, in the spans that are kept
   */
  public record Row(
      String tenant,
      boolean listed,
      int weight,
      Map<String, Long> limits,
      List<Use> use,
      String refusals) {}

  /** In the order of their names. */
  public record Reply(List<Row> tenants) {}

  @Override
  public Optional<String> parse(Exchange exchange) throws Refusal {
    return ShowUsage.tenant(exchange);
  }

  @Override
  public Reply handle(Optional<String> only) throws IOException, InterruptedException {
    UsageReport report =
        usage
            .usage()
            .report(Instant.MIN)
            .orElseThrow(
                () -> Refusal.of(new KernelFault.Timeout("usage", Duration.ofSeconds(30))));
    TenantTable now = node.tenants().get();
    Map<String, BigInteger> refusals = new TreeMap<>();
    var names = new TreeSet<String>();
    now.listed().forEach(terms -> names.add(terms.name()));
    report
        .units()
        .forEach(
            (key, units) -> {
              names.add(key.tenant());
              if (key.metric().endsWith(REFUSALS)) {
                refusals.merge(key.tenant(), units, BigInteger::add);
              }
            });
    only.ifPresent(
        own -> {
          names.clear();
          names.add(own);
        });
    var rows = new ArrayList<Row>();
    for (String name : names) {
      rows.add(row(now, name, refusals.getOrDefault(name, BigInteger.ZERO)));
    }
    return new Reply(rows);
  }

  private Row row(TenantTable now, String tenant, BigInteger refusals) {
    TenantTerms terms = now.of(tenant);
    Map<String, Long> limits = new TreeMap<>();
    terms.limits().forEach((limit, value) -> limits.put(limit.word(), value));
    var use = new ArrayList<Use>();
    for (Scope service : services) {
      for (Map.Entry<TenantLimit, Long> each : service.registry().tenantUse(tenant).entrySet()) {
        if (each.getValue() != 0 || terms.limits().containsKey(each.getKey())) {
          use.add(new Use(service.service(), each.getKey().word(), each.getValue()));
        }
      }
    }
    boolean listed = now.listed().stream().anyMatch(each -> each.name().equals(tenant));
    return new Row(tenant, listed, terms.weight(), limits, use, refusals.toString());
  }
}
