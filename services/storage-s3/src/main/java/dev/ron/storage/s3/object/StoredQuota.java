package dev.ron.storage.s3.object;

import dev.ron.http.Refusal;
import dev.ron.kernel.Scope;
import dev.ron.kernel.tenant.TenantFault;
import dev.ron.kernel.tenant.TenantLimit;
import dev.ron.kernel.tenant.TenantStock;
import dev.ron.storage.s3.names.NameView;

/**
 * Holds owners to their {@code stored}: what is about to get its name, what the rows count for
 * them, and what they have at the storage's other door.
 *
 * <p>An object that takes another's place needs its own room first; what it replaces is given back
 * with the change.
 *
 * <p>Threading: thread-safe; its stock is.
 */
public final class StoredQuota {
  private final TenantStock unnamed;

  public StoredQuota(Scope scope, NameView view) {
    this.unnamed =
        new TenantStock(
            TenantLimit.STORED,
            scope.tenants(),
            owner ->
                view.storedBytes(owner)
                    + scope.registry().tenantUseBeside(TenantLimit.STORED, owner));
    scope
        .registry()
        .tenantUse(TenantLimit.STORED, owner -> unnamed.used(owner) + view.storedBytes(owner));
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
      unnamed.change(owner, -bytes);
    }
  }

  /** Refuses what cannot fit, before its body is read. */
  public void require(String owner, long bytes) throws Refusal {
    reserve(owner, bytes).close();
  }

  Room reserve(String owner, long bytes) throws Refusal {
    long taken = Math.max(0, bytes);
    TenantFault over = unnamed.reserve(owner, taken);
    if (over != null) {
      throw Refusal.of(over);
    }
    return new Room(owner, taken);
  }
}
