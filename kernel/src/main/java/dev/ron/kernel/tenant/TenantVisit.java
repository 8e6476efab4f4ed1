package dev.ron.kernel.tenant;

import dev.ron.kernel.time.Time;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One request of a tenant at a door: it comes, uses bytes, and leaves.
 *
 * <p>Threading: thread-safe; it leaves once.
 */
public final class TenantVisit {
  private final Time time;
  private final TenantTerms terms;
  private final TenantBudget budget;
  private final AtomicBoolean inside = new AtomicBoolean();
  private volatile long announced;

  TenantVisit(Time time, TenantTerms terms, TenantBudget budget) {
    this.time = time;
    this.terms = terms;
    this.budget = budget;
  }

  /**
   * @param bytesIn announced; 0 if unknown or none
   * @param onNewConnection whether its connection has to be counted for the tenant; if it is let in
   *     it is, until {@link #connectionClosed}
   * @return why it is not let in; null if it is
   */
  public @Nullable TenantFault admit(long bytesIn, boolean onNewConnection) {
    TenantFault fault = budget.admit(terms, bytesIn, onNewConnection, time.now());
    if (fault == null) {
      announced = bytesIn;
      inside.set(true);
    }
    return fault;
  }

  /** Bytes of its answer go out. */
  public void sent(long bytes) {
    if (bytes > 0 && terms.limits().containsKey(TenantLimit.BYTES_OUT_PER_SECOND)) {
      budget.used(TenantLimit.BYTES_OUT_PER_SECOND, bytes, time.now());
    }
  }

  /** Bytes of its body have come in. */
  public void received(long bytes) {
    long known = announced;
    announced = Math.max(0, known - bytes);
    if (bytes > known && terms.limits().containsKey(TenantLimit.BYTES_IN_PER_SECOND)) {
      budget.used(TenantLimit.BYTES_IN_PER_SECOND, bytes - known, time.now());
    }
  }

  public void connectionClosed() {
    budget.closed();
  }

  /** The request is over, however it ended. */
  public void leave() {
    if (inside.compareAndSet(true, false)) {
      budget.left(announced, time.now());
    }
  }
}
