package dev.ron.storage.s3.object;

import dev.ron.http.Refusal;
import dev.ron.kernel.Scope;
import dev.ron.kernel.tenant.TenantFault;
import dev.ron.kernel.tenant.TenantLimit;
import dev.ron.storage.s3.names.NameView;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Holds owners to their {@code stored}: what the rows count for them, what is about to get its
 * name, and what they have at the storage's other door.
 *
 * <p>An object that takes another's place needs its own room first; what it replaces is given back
 * with the change.
 *
 * <p>Threading: thread-safe; room is taken in one step, so requests that come together cannot all
 * have the last of it.
 */
public final class StoredQuota {
  private final Scope scope;
  private final Map<String, Long> reserved = new ConcurrentHashMap<>();

  public StoredQuota(Scope scope, NameView view) {
    this.scope = scope;
    scope
        .registry()
        .tenantUse(
            TenantLimit.STORED,
            owner -> reserved.getOrDefault(owner, 0L) + view.storedBytes(owner));
  }

  /** Room for bytes whose name is being given; given back by closing it, whatever came of that. */
  public final class Room implements AutoCloseable {
    private final String owner;
    private final long bytes;

    private Room(String owner, long bytes) {
      this.owner = owner;
      this.bytes = bytes;
    }

    @Override
    public void close() {
      if (bytes > 0) {
        reserved.computeIfPresent(owner, (_, all) -> all == bytes ? null : all - bytes);
      }
    }
  }

  /** Refuses what cannot fit, before its body is read. */
  public void require(NameView view, String owner, long bytes) throws Refusal {
    reserve(view, owner, bytes).close();
  }

  Room reserve(NameView view, String owner, long bytes) throws Refusal {
    OptionalLong allowed = scope.tenants().get().of(owner).limit(TenantLimit.STORED);
    if (allowed.isEmpty() || bytes <= 0) {
      return new Room(owner, 0);
    }
    long sum = reserved.merge(owner, bytes, Long::sum);
    var room = new Room(owner, bytes);
    // After the reservation: what is named meanwhile is seen, here and at the other door.
    long stored =
        view.storedBytes(owner) + scope.registry().tenantUseBeside(TenantLimit.STORED, owner);
    if (stored + sum > allowed.getAsLong()) {
      room.close();
      throw Refusal.of(
          new TenantFault.OverStock(owner, TenantLimit.STORED, allowed.getAsLong(), stored));
    }
    return room;
  }
}
