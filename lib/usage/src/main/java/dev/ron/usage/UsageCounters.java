package dev.ron.usage;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.kernel.metric.Meter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * The cells of all tenants of all services, and what of them is not journaled yet.
 *
 * <p>Each service keeps up to {@code tenantsMax} tenants apart; later ones, and names that no
 * account can have, share the account {@link #OTHER}.
 *
 * <p>Threading: meters from any thread, without a lock once a tenant is known; {@link #fold} from
 * one thread at a time.
 */
public final class UsageCounters {
  /** No capability can name such a tenant. */
  public static final String OTHER = "_other";

  /** About 0.7 KiB each. Only a signed token names a tenant, so a stranger cannot fill this. */
  public static final int TENANTS_MAX = 100_000;

  private static final int NAME_BYTES_MAX = 512;

  private final int tenantsMax;
  private final Map<String, ServiceCells> services = new ConcurrentHashMap<>();

  public UsageCounters(int tenantsMax) {
    this.tenantsMax = tenantsMax;
  }

  /** The meter of one service; the same cells each time. */
  public Meter meter(String service) {
    return services.computeIfAbsent(service, _ -> new ServiceCells());
  }

  private final class ServiceCells implements Meter {
    private final Map<String, TenantCells> tenants = new ConcurrentHashMap<>();
    private final AtomicInteger known = new AtomicInteger();

    @Override
    public Account account(String tenant) {
      TenantCells cells = tenants.get(tenant);
      return cells == null ? make(tenant) : cells;
    }

    private TenantCells make(String tenant) {
      boolean own = isName(tenant) && known.get() < tenantsMax;
      return tenants.computeIfAbsent(
          own ? tenant : OTHER,
          name -> {
            known.incrementAndGet();
            return new TenantCells(name);
          });
    }
  }

  /**
   * What was counted since the process began, of a bounded number of tenants; all others are added
   * up under {@link #OTHER}.
   */
  SortedMap<UsageKey, Long> totals(int tenantsShown) {
    var shown = new HashSet<String>();
    var totals = new TreeMap<UsageKey, Long>();
    services.forEach(
        (service, meter) ->
            meter.tenants.forEach(
                (tenant, cells) -> {
                  boolean own = shown.contains(tenant) || shown.size() < tenantsShown;
                  if (own) {
                    shown.add(tenant);
                  }
                  cells.each(
                      (unit, units) ->
                          totals.merge(
                              new UsageKey(own ? tenant : OTHER, service + "." + unit.word()),
                              units,
                              Long::sum));
                }));
    return totals;
  }

  /** As the rewarder takes an actor: 1 to 512 bytes of UTF-8 without controls. */
  static boolean isName(String name) {
    return !name.isEmpty()
        && name.length() <= NAME_BYTES_MAX
        && name.chars().noneMatch(Character::isISOControl)
        && UTF_8.newEncoder().canEncode(name)
        && name.getBytes(UTF_8).length <= NAME_BYTES_MAX;
  }

  /** One growth, and the cell it is of. */
  private record Growth(TenantCells cells, Meter.Unit unit, UsageRecord.Delta delta) {}

  /**
   * Offers what is not journaled, record by record.
   *
   * <p>A count is offered no sooner than at the second fold after it was made: its answer is with
   * the client by then, so a crash in between loses units and never invents them.
   *
   * @param all also what the last fold did not see; for the end, when no request is left
   * @param journal true if it took the record; a record it refused is offered again later
   */
  public void fold(boolean all, Predicate<UsageRecord.Counted> journal) {
    var grown = new ArrayList<Growth>();
    services.forEach(
        (service, meter) ->
            meter.tenants.values().forEach(cells -> collect(service, cells, all, grown)));
    for (int from = 0; from < grown.size(); from += UsageRecord.Counted.DELTAS_MAX) {
      List<Growth> some =
          grown.subList(from, Math.min(grown.size(), from + UsageRecord.Counted.DELTAS_MAX));
      if (!journal.test(new UsageRecord.Counted(some.stream().map(Growth::delta).toList()))) {
        return;
      }
      some.forEach(each -> each.cells().journaled(each.unit(), each.delta().units()));
    }
  }

  private static void collect(String service, TenantCells cells, boolean all, List<Growth> grown) {
    cells.due(
        all,
        (unit, units) -> {
          var key = new UsageKey(cells.tenant(), service + "." + unit.word());
          grown.add(new Growth(cells, unit, new UsageRecord.Delta(key, units)));
        });
  }
}
