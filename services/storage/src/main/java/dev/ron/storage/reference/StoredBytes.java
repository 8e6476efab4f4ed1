package dev.ron.storage.reference;

import dev.ron.capability.caveat.Owner;
import dev.ron.http.Refusal;
import dev.ron.kernel.Scope;
import dev.ron.kernel.metric.ByteSeconds;
import dev.ron.kernel.tenant.TenantFault;
import dev.ron.kernel.tenant.TenantLimit;
import dev.ron.kernel.tenant.TenantStock;
import dev.ron.kernel.time.Time;

/**
 * What each tenant keeps: every object that it has a reference to, with its whole size, whichever
 * other tenants have it too. Held to its limit, and charged for the time that it is kept.
 *
 * <p>What {@code default} has is not counted: most of it has no reference, and whether some of it
 * has one follows from what other tenants have.
 *
 * <p>Threading: thread-safe; its parts are.
 */
public final class StoredBytes {
  private final TenantStock stock;
  private final ByteSeconds charged;
  private final Time time;

  public StoredBytes(Scope scope, ByteSeconds charged) {
    this.stock =
        new TenantStock(
            TenantLimit.STORED,
            scope.tenants(),
            tenant -> scope.registry().tenantUseBeside(TenantLimit.STORED, tenant));
    scope.registry().tenantUse(TenantLimit.STORED, stock::used);
    this.charged = charged;
    this.time = scope.time();
  }

  private static boolean isCounted(String tenant) {
    return !tenant.equals(Owner.DEFAULT) && !tenant.equals(Reference.DROPPED);
  }

  /**
   * Room for an object that is being stored; given back by closing it, unless it is kept.
   *
   * <p>Threading: owned by the request.
   */
  public final class Room implements AutoCloseable {
    private final String tenant;
    private long bytes;

    private Room(String tenant, long bytes) {
      this.tenant = tenant;
      this.bytes = bytes;
    }

    boolean isReserved() {
      return bytes > 0;
    }

    /** The tenant has the object now. */
    void keep() {
      bytes = 0;
    }

    @Override
    public void close() {
      stock.change(tenant, -bytes);
    }
  }

  /**
   * Takes room before an object is stored.
   *
   * @throws Refusal if there is none
   */
  public Room reserve(String tenant, long bytes) throws Refusal {
    long taken = isCounted(tenant) ? bytes : 0;
    TenantFault over = stock.reserve(tenant, taken);
    if (over != null) {
      throw Refusal.of(over);
    }
    return new Room(tenant, taken);
  }

  /** It has the object now. The room was reserved, or is taken without asking. */
  void gained(String tenant, long bytes, boolean reserved) {
    count(tenant, reserved ? 0 : bytes);
    charge(tenant, bytes);
  }

  /** It has the object no more. */
  void lost(String tenant, long bytes) {
    count(tenant, -bytes);
    charge(tenant, -bytes);
  }

  /** So many bytes more, or fewer, count against its limit. */
  public void count(String tenant, long bytes) {
    if (isCounted(tenant)) {
      stock.change(tenant, bytes);
    }
  }

  /** So many bytes more, or fewer, are charged from now on. */
  public void charge(String tenant, long bytes) {
    if (isCounted(tenant) && bytes != 0) {
      charged.change(tenant, bytes, time.now());
    }
  }
}
