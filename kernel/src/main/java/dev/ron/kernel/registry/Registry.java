package dev.ron.kernel.registry;

import dev.ron.kernel.tenant.TenantLimit;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * The tasks, channels and locks of one service, and what tenants use of it now; filled as the
 * service is wired.
 *
 * <p>It is the source of three things that would otherwise drift apart: the tree that is printed at
 * start, the graph the dashboard draws, and the table in {@code docs/concurrency} that a golden
 * test compares.
 *
 * <p>Threading: thread-safe; rows are read live, registration is rare.
 */
public final class Registry {
  private final String service;
  private final List<Supplier<TaskRow>> tasks = new CopyOnWriteArrayList<>();
  private final List<Registered> channels = new CopyOnWriteArrayList<>();
  private final List<LockRow> locks = new CopyOnWriteArrayList<>();
  private final List<Use> uses = new CopyOnWriteArrayList<>();
  private volatile List<Registry> beside = List.of();

  private record Use(TenantLimit limit, ToLongFunction<String> byTenant) {}

  private record Registered(Supplier<ChannelRow> row, IntSupplier abandon) {}

  public Registry(String service) {
    this.service = service;
  }

  public String service() {
    return service;
  }

  public void task(Supplier<TaskRow> row) {
    tasks.add(row);
  }

  /** Names are unique in a service: a metric label and a row of the documentation depend on it. */
  public void channel(Supplier<ChannelRow> row, IntSupplier abandon) {
    String name = row.get().name();
    if (channels().stream().anyMatch(other -> other.name().equals(name))) {
      throw new IllegalArgumentException(service + " has two channels named " + name);
    }
    channels.add(new Registered(row, abandon));
  }

  /**
   * The service has stopped: what is left in its channels is dropped and counted.
   *
   * @return how many items were dropped
   */
  public int abandonChannels() {
    return channels.stream().mapToInt(channel -> channel.abandon().getAsInt()).sum();
  }

  public void lock(String name, int rank) {
    locks.add(new LockRow(name, rank));
  }

  /** The service holds tenants to this limit, and tells how much of it one uses now. */
  public void tenantUse(TenantLimit limit, ToLongFunction<String> byTenant) {
    uses.add(new Use(limit, byTenant));
  }

  /** What a tenant uses now of the limits that the service holds it to; unused ones are there. */
  public Map<TenantLimit, Long> tenantUse(String tenant) {
    Map<TenantLimit, Long> used = new EnumMap<>(TenantLimit.class);
    uses.forEach(use -> used.merge(use.limit, use.byTenant.applyAsLong(tenant), Long::sum));
    return used;
  }

  /** The other services of the node, which hold tenants to the same limits. */
  public void beside(List<Registry> others) {
    beside = List.copyOf(others);
  }

  /** What a tenant uses now of a limit at the other services of the node. */
  public long tenantUseBeside(TenantLimit limit, String tenant) {
    return beside.stream()
        .flatMap(other -> other.uses.stream())
        .filter(use -> use.limit == limit)
        .mapToLong(use -> use.byTenant.applyAsLong(tenant))
        .sum();
  }

  public List<TaskRow> tasks() {
    return tasks.stream().map(Supplier::get).toList();
  }

  public List<ChannelRow> channels() {
    return channels.stream().map(channel -> channel.row().get()).toList();
  }

  public List<LockRow> locks() {
    return locks.stream().sorted(Comparator.comparingInt(LockRow::rank)).toList();
  }
}
