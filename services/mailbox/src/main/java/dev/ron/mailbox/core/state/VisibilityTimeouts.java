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
 * <p>On one machine only those of FIFO queues are written to disk: after a crash no other lease
 * holds, its message is ready again, and a receipt from before fits nothing.
 *
 * <p>Threading: owned by the shard's loop.
 */
public final class VisibilityTimeouts {
  private final Map<Ulid, Fact.Leased> leases = new HashMap<>();
  private final DueTimes deadlines = new DueTimes();

  void add(Fact.Leased lease) {
    deadlines.add(lease.id(), lease.untilMillis());
    leases.put(lease.id(), lease);
  }

  void extend(Ulid id, long untilMillis) {
    Fact.Leased old = remove(id);
    add(new Fact.Leased(id, old.receipt(), untilMillis, old.atMillis(), old.durable()));
  }

  Fact.Leased remove(Ulid id) {
    Fact.Leased lease = Objects.requireNonNull(leases.remove(id), "a message in flight");
    deadlines.remove(id, lease.untilMillis());
    return lease;
  }

  /** True if the message is in flight and the receipt, where one is shown, is that of its lease. */
  public boolean holds(Ulid id, @Nullable Receipt receipt) {
    Fact.Leased lease = leases.get(id);
    return lease != null && (receipt == null || receipt.equals(lease.receipt()));
  }

  public List<Fact.Leased> all() {
    return List.copyOf(leases.values());
  }

  /** The lease of a message; null if it is not in flight. */
  public Fact.@Nullable Leased find(Ulid id) {
    return leases.get(id);
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
