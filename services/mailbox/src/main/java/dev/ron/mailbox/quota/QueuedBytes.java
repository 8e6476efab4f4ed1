package dev.ron.mailbox.quota;

import dev.ron.kernel.Scope;
import dev.ron.kernel.tenant.TenantLimit;
import dev.ron.kernel.tenant.TenantStock;
import dev.ron.kernel.tenant.TenantTable;
import dev.ron.kernel.tenant.TenantTerms;
import dev.ron.mailbox.core.queue.QueueTopic;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What each tenant has in all shards together, held to its {@code queued}.
 *
 * <p>Tenants are told apart by their accounts. One that is not listed is called by its account in a
 * refusal, since its name is not known here.
 *
 * <p>Threading: thread-safe; the accounts of a table are looked up again when there is another.
 */
public final class QueuedBytes {
  private final Supplier<TenantTable> table;
  private final TenantStock stock = new TenantStock(TenantLimit.QUEUED, this::terms);
  private volatile AccountTerms listed = new AccountTerms(TenantTable.NONE, Map.of());

  /** The tenants of a table by their accounts. */
  private record AccountTerms(TenantTable table, Map<String, TenantTerms> terms) {
    static AccountTerms of(TenantTable table) {
      Map<String, TenantTerms> terms = new HashMap<>();
      table.listed().forEach(each -> terms.put(QueueTopic.accountOf(each.name()), each));
      return new AccountTerms(table, Map.copyOf(terms));
    }
  }

  public QueuedBytes(Scope scope) {
    this.table = scope.tenants();
    scope.registry().tenantUse(TenantLimit.QUEUED, tenant -> used(QueueTopic.accountOf(tenant)));
  }

  private TenantTerms terms(String account) {
    TenantTable now = table.get();
    AccountTerms seen = listed;
    if (!seen.table.equals(now)) {
      seen = AccountTerms.of(now);
      listed = seen;
    }
    TenantTerms own = seen.terms.get(account);
    return own == null ? now.of(account) : own;
  }

  TenantStock stock() {
    return stock;
  }

  public long used(String account) {
    return stock.used(account);
  }
}
