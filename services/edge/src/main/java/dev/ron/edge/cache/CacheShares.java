package dev.ron.edge.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.ron.edge.core.StoredResponse;
import dev.ron.kernel.tenant.TenantLimit;
import dev.ron.kernel.tenant.TenantTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * What of the cache each tenant has filled, held to its {@code cached}.
 *
 * <p>A tenant that is at its share makes room by its own oldest answers. So it can displace no more
 * of the others' than its share, however much it asks for. A share that a reload has made smaller
 * is looked for from time to time, for its tenant may fill nothing more. An answer stays with the
 * tenant that filled it first, whichever asks whether it is still right.
 *
 * <p>Threading: thread-safe; {@code lock} guards all of it, and is a leaf.
 */
final class CacheShares {
  /** No answer's id. */
  private static final long NONE = -1;

  private final Supplier<TenantTable> tenants;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock") private final Map<Long, String> owners = new HashMap<>();

  @GuardedBy("lock") private final Map<String, Share> shares = new HashMap<>();

  /** One tenant's answers, the oldest first. */
  private static final class Share {
    private final LinkedHashMap<Long, StoredResponse> answers = new LinkedHashMap<>();
    private long bytes;

    /**
     * What has to go, the oldest first.
     *
     * @param kept the id of one that stays
     */
    List<StoredResponse> beyond(OptionalLong most, long kept) {
      List<StoredResponse> beyond = new ArrayList<>();
      long left = bytes;
      for (StoredResponse oldest : answers.values()) {
        if (most.isEmpty() || left <= most.getAsLong() || oldest.id() == kept) {
          break;
        }
        left -= oldest.bytes();
        beyond.add(oldest);
      }
      return beyond;
    }
  }

  CacheShares(Supplier<TenantTable> tenants) {
    this.tenants = tenants;
  }

  /** Whether an answer of this size has room in the tenant's share at all. */
  boolean fits(String tenant, long bytes) {
    OptionalLong most = allowed(tenant);
    return most.isEmpty() || bytes <= most.getAsLong();
  }

  private OptionalLong allowed(String tenant) {
    return tenants.get().of(tenant).limit(TenantLimit.CACHED);
  }

  /** Whose an answer is, which may be stored already. */
  String owner(StoredResponse stored, String asking) {
    lock.lock();
    try {
      return owners.getOrDefault(stored.id(), asking);
    } finally {
      lock.unlock();
    }
  }

  /**
   * An answer is in the cache, or is now another under its id.
   *
   * @return what of the same tenant's has to go for it
   */
  List<StoredResponse> entered(String tenant, StoredResponse stored) {
    OptionalLong most = allowed(tenant);
    lock.lock();
    try {
      owners.put(stored.id(), tenant);
      Share share = shares.computeIfAbsent(tenant, _ -> new Share());
      StoredResponse before = share.answers.putLast(stored.id(), stored);
      share.bytes += stored.bytes() - (before == null ? 0 : before.bytes());
      return share.beyond(most, stored.id());
    } finally {
      lock.unlock();
    }
  }

  /** What of each tenant's is over its share by now. */
  List<StoredResponse> beyond() {
    List<StoredResponse> beyond = new ArrayList<>();
    lock.lock();
    try {
      shares.forEach((tenant, share) -> beyond.addAll(share.beyond(allowed(tenant), NONE)));
      return beyond;
    } finally {
      lock.unlock();
    }
  }

  /** An answer is gone; another that has its id by now is not. */
  void left(StoredResponse gone) {
    lock.lock();
    try {
      String tenant = owners.get(gone.id());
      Share share = tenant == null ? null : shares.get(tenant);
      if (tenant != null && share != null && share.answers.remove(gone.id(), gone)) {
        owners.remove(gone.id());
        share.bytes -= gone.bytes();
        if (share.answers.isEmpty()) {
          shares.remove(tenant);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  long bytes(String tenant) {
    lock.lock();
    try {
      Share share = shares.get(tenant);
      return share == null ? 0 : share.bytes;
    } finally {
      lock.unlock();
    }
  }
}
