package dev.ron.mailbox.core.message;

import dev.ron.capability.caveat.Owner;
import dev.ron.mailbox.core.queue.QueueTopic;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The payloads of a shard by the tenant whose topics they are in, dead ones included.
 *
 * <p>Kept as messages come and go, so that it is as right as they are, after a crash too. A tenant
 * is known by its account here: a queue's topic says no more of it, and a topic's tenant has one.
 *
 * <p>Threading: owned by the shard's loop.
 */
public final class OwnerBytes {
  private static final int REMEMBERED_MAX = 4096;

  private final Map<String, Long> bytes = new HashMap<>();
  private final Set<String> changed = new HashSet<>();
  private final Map<String, String> accounts = new HashMap<>();

  /**
   * @param payload negative for a message that is gone
   */
  public void add(String topic, long payload) {
    String account = account(topic);
    changed.add(account);
    bytes.merge(account, payload, OwnerBytes::sum);
  }

  private static @Nullable Long sum(long before, long more) {
    return before + more == 0 ? null : before + more;
  }

  /** The account that a topic belongs to. */
  public String account(String topic) {
    if (QueueTopic.is(topic)) {
      int end = topic.lastIndexOf('/');
      return topic.substring(topic.lastIndexOf('/', end - 1) + 1, end);
    }
    String tenant = tenant(topic);
    String known = accounts.get(tenant);
    if (known == null) {
      if (accounts.size() >= REMEMBERED_MAX) {
        accounts.clear();
      }
      known = QueueTopic.accountOf(tenant);
      accounts.put(tenant, known);
    }
    return known;
  }

  private static String tenant(String topic) {
    String tenant = Owner.ofKept(topic).tenant();
    return tenant == null ? Owner.DEFAULT : tenant;
  }

  public long of(String account) {
    return bytes.getOrDefault(account, 0L);
  }

  /** All accounts that have something here. */
  public Set<String> accounts() {
    return bytes.keySet();
  }

  /** The accounts whose bytes have changed since this was asked the last time. */
  public Set<String> takeChanged() {
    if (changed.isEmpty()) {
      return Set.of();
    }
    Set<String> all = Set.copyOf(changed);
    changed.clear();
    return all;
  }
}
