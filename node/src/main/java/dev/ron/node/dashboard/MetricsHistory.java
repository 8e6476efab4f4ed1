package dev.ron.node.dashboard;

import dev.ron.kernel.Scope;
import dev.ron.kernel.metric.Metrics;
import dev.ron.kernel.registry.RegistryJson;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.stream.Collectors;

/**
 * The last hour of every service and tenant, so that a page which is opened after something
 * happened still shows it. What is to be kept for longer is scraped.
 *
 * <p>Threading: written by its task, one step at a time; {@link #since} from any thread.
 */
public final class MetricsHistory implements Task {
  static final Duration PERIOD = Duration.ofSeconds(5);
  static final int ROWS_MAX = 720;

  /** Label values are capped where they are counted; this bounds the rows whatever that cap is. */
  private static final int TENANTS_MAX = 64;

  private final List<Scope> scopes;
  private final ConcurrentLinkedDeque<Row> rows = new ConcurrentLinkedDeque<>();
  private int kept;
  private Map<String, RequestCounts> servicesBefore = Map.of();
  private Map<String, RequestCounts> tenantsBefore = Map.of();
  private Instant before = Instant.EPOCH;

  /** One reading of all, as what changed since the one before. */
  record Row(long atMillis, Map<String, HistoryPoint> services, Map<String, HistoryPoint> tenants) {
    String json() {
      return "{\"at\":%d,\"services\":%s,\"tenants\":%s}"
          .formatted(atMillis, Row.json(services), Row.json(tenants));
    }

    /** The same without other tenants. */
    Row of(Optional<String> tenant) {
      String name = tenant.orElse("");
      HistoryPoint own = tenants.get(name);
      return new Row(atMillis, services, own == null ? Map.of() : Map.of(name, own));
    }

    private static String json(Map<String, HistoryPoint> points) {
      return points.entrySet().stream()
          .map(each -> RegistryJson.quoted(each.getKey()) + ":" + each.getValue().json())
          .collect(Collectors.joining(",", "{", "}"));
    }
  }

  public MetricsHistory(List<Scope> scopes) {
    this.scopes = List.copyOf(scopes);
  }

  @Override
  public Next run(Instant now) {
    var services = new LinkedHashMap<String, RequestCounts>();
    var tenants = new LinkedHashMap<String, RequestCounts>();
    for (Scope each : scopes) {
      Metrics metrics = each.metrics();
      services.put(each.service(), RequestCounts.of(metrics.scrape(RequestCounts.NAMES)));
      RequestCounts.tenants(metrics.scrape(Set.of(RequestCounts.TENANTS)), tenants);
    }
    if (!before.equals(Instant.EPOCH)) {
      double seconds = Math.max(0.001, Duration.between(before, now).toMillis() / 1000.0);
      add(
          new Row(
              now.toEpochMilli(),
              points(servicesBefore, services, seconds, services.size()),
              points(tenantsBefore, tenants, seconds, TENANTS_MAX)));
    }
    servicesBefore = services;
    tenantsBefore = tenants;
    before = now;
    return Next.at(now.plus(PERIOD));
  }

  private static Map<String, HistoryPoint> points(
      Map<String, RequestCounts> before,
      Map<String, RequestCounts> after,
      double seconds,
      int max) {
    var points = new LinkedHashMap<String, HistoryPoint>();
    after.entrySet().stream()
        .limit(max)
        .forEach(
            each ->
                points.put(
                    each.getKey(),
                    HistoryPoint.between(
                        before.getOrDefault(each.getKey(), RequestCounts.NONE),
                        each.getValue(),
                        seconds)));
    return points;
  }

  private void add(Row row) {
    rows.addLast(row);
    if (kept == ROWS_MAX) {
      rows.pollFirst();
    } else {
      kept++;
    }
  }

  /** The kept rows after that time, oldest first. */
  List<Row> since(long millis) {
    return rows.stream().filter(row -> row.atMillis() > millis).toList();
  }
}
