package dev.ron.mailbox.quota;

import dev.ron.kernel.tenant.TenantFault;
import dev.ron.mailbox.core.message.OwnerBytes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one shard has of {@link QueuedBytes}.
 *
 * <p>Room is taken before a message is written and settled with what the shard holds afterwards, so
 * a write that failed gives it back and a recovery corrects it.
 *
 * <p>Threading: owned by the shard's loop.
 */
public final class QueuedShare {
  private final QueuedBytes all;
  private final Map<String, Long> held = new HashMap<>();
  private final Set<String> reserved = new HashSet<>();
  private @Nullable OwnerBytes settled;

  public QueuedShare(QueuedBytes all) {
    this.all = all;
  }

  /** Null if there is room, until the next {@link #settle}. */
  public @Nullable TenantFault reserve(String account, long bytes) {
    TenantFault fault = all.stock().reserve(account, bytes);
    if (fault == null) {
      held.merge(account, bytes, Long::sum);
      reserved.add(account);
    }
    return fault;
  }

  /** Keeps what the shard really has; another shard than before is looked at as a whole. */
  public void settle(OwnerBytes now) {
    Set<String> accounts = new HashSet<>(now.takeChanged());
    accounts.addAll(reserved);
    reserved.clear();
    if (!now.equals(settled)) {
      accounts.addAll(now.accounts());
      accounts.addAll(held.keySet());
      settled = now;
    }
    for (String account : accounts) {
      long bytes = now.of(account);
      Long before = bytes == 0 ? held.remove(account) : held.put(account, bytes);
      all.stock().change(account, bytes - (before == null ? 0 : before));
    }
  }
}
