package dev.ron.mailbox.core.state;

import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.core.message.Receipt;
import dev.ron.mailbox.core.message.Ulid;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which messages are in flight, under which receipt, and until when no other consumer sees them.
 *
 * <p>Never written to disk: after a crash no lease holds, its message is ready again, and a receipt
 * from before fits nothing.
 *
 * <p>Threading: owned by the shard's loop.
 */
public final class VisibilityTimeouts {
  private final Map<Ulid, Lease> leases = new HashMap<>();
  private final DueTimes deadlines = new DueTimes();

  /** One delivery. */
  record Lease(Receipt receipt, long untilMillis) {}

  void add(Ulid id, Receipt receipt, long untilMillis) {
    deadlines.add(id, untilMillis);
    leases.put(id, new Lease(receipt, untilMillis));
  }

  void extend(Ulid id, long untilMillis) {
    Lease old = remove(id);
    add(id, old.receipt(), untilMillis);
  }

  Lease remove(Ulid id) {
    Lease lease = Objects.requireNonNull(leases.remove(id), "a message in flight");
    deadlines.remove(id, lease.untilMillis());
    return lease;
  }

  /** True if the message is in flight and the receipt, where one is shown, is that of its lease. */
  public boolean holds(Ulid id, @Nullable Receipt receipt) {
    Lease lease = leases.get(id);
    return lease != null && (receipt == null || receipt.equals(lease.receipt()));
  }

  public List<Fact.Leased> all() {
    return leases.entrySet().stream()
        .map(
            each ->
                new Fact.Leased(
                    each.getKey(), each.getValue().receipt(), each.getValue().untilMillis()))
        .toList();
  }

  public List<Ulid> expired(long nowMillis, int max) {
    return deadlines.until(nowMillis, max);
  }

  public long nextMillis() {
    return deadlines.nextMillis();
  }

  public int size() {
    return leases.size();
  }
}
