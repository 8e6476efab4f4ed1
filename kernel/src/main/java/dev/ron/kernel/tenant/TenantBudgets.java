package dev.ron.kernel.tenant;

import dev.ron.kernel.time.Time;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The budgets of all tenants at one door.
 *
 * <p>A bounded number of them: one that says no more than a new one would is forgotten when the
 * room is needed. While all of them say something, tenants that come later share one budget.
 *
 * <p>Threading: thread-safe; racing newcomers may exceed the bound by their number.
 */
public final class TenantBudgets {
  static final int TENANTS_MAX = 4096;

  /** No tenant has a name with a slash. */
  private static final String OTHERS = "others/";

  private final Time time;
  private final Supplier<TenantTable> table;
  private final Map<String, TenantBudget> budgets = new ConcurrentHashMap<>();

  /**
   * @param table as it is now; read for each request
   */
  public TenantBudgets(Time time, Supplier<TenantTable> table) {
    this.time = time;
    this.table = table;
  }

  /** The terms of now, and what the tenant has used of them. */
  public TenantVisit of(String tenant) {
    TenantTerms terms = table.get().of(tenant);
    return new TenantVisit(time, terms, budget(tenant));
  }

  /** How much of a limit the tenant uses at this door now; of a rate, of a second's worth. */
  public long use(String tenant, TenantLimit limit) {
    TenantBudget known = budgets.get(tenant);
    return known == null ? 0 : known.use(limit, time.now());
  }

  /** Whether there is nothing to hold a tenant to. */
  public boolean isEmpty() {
    return table.get().isEmpty();
  }

  private TenantBudget budget(String tenant) {
    TenantBudget known = budgets.get(tenant);
    if (known != null) {
      return known;
    }
    if (budgets.size() >= TENANTS_MAX) {
      budgets.values().removeIf(budget -> budget.isIdle(time.now()));
    }
    String name = budgets.size() >= TENANTS_MAX ? OTHERS : tenant;
    return budgets.computeIfAbsent(name, TenantBudget::new);
  }

  int count() {
    return budgets.size();
  }
}
