package dev.ron.http.server.connection;

import dev.ron.kernel.metric.Payer;
import dev.ron.kernel.tenant.TenantVisit;
import io.netty.channel.Channel;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The tenant that a connection counts for: the one whose requests come on it.
 *
 * <p>A connection on which requests of two tenants come is a proxy's, and counts for none of them:
 * the proxy keeps it open, not they. A request without a tenant, a stranger's or the operator's,
 * does not make it one.
 *
 * <p>Threading: thread-safe; the state moves by compare-and-set, and the caller that moves it
 * settles the count.
 */
public final class ConnectionTenant {
  private static final State NONE = new State("", null);
  private static final State SHARED = new State("/", null);

  /** Those who come without a tenant. */
  private static final Set<String> UNNAMED = Set.of(Payer.ANONYMOUS, Payer.OPERATOR);

  private final Channel channel;
  private final AtomicReference<State> state = new AtomicReference<>(NONE);

  /**
   * @param counted what takes the count back; null before it was counted
   */
  private record State(String tenant, @Nullable TenantVisit counted) {
    void release() {
      if (counted != null) {
        counted.connectionClosed();
      }
    }
  }

  ConnectionTenant(Channel channel) {
    this.channel = channel;
  }

  /** Whether the connection is to be counted for this tenant, and by this caller. */
  public boolean claim(String tenant) {
    while (true) {
      State seen = state.get();
      boolean free = seen.equals(NONE) || UNNAMED.contains(seen.tenant);
      if (seen.equals(SHARED)
          || seen.tenant.equals(tenant)
          || (!free && UNNAMED.contains(tenant))) {
        return false;
      }
      if (state.compareAndSet(seen, free ? new State(tenant, null) : SHARED)) {
        seen.release();
        return free;
      }
    }
  }

  /** The request of the claim was refused. */
  public void unclaim(String tenant) {
    State seen = state.get();
    if (seen.tenant.equals(tenant) && seen.counted == null) {
      state.compareAndSet(seen, NONE);
    }
  }

  /** The request of the claim was let in, and the connection counted with it. */
  @SuppressWarnings("FutureReturnValueIgnored") // the listener is all that is wanted
  public void counted(TenantVisit visit) {
    State seen = state.get();
    boolean mine = seen.counted == null && !seen.equals(SHARED) && !seen.equals(NONE);
    var held = new State(seen.tenant, visit);
    if (!mine || !state.compareAndSet(seen, held)) {
      visit.connectionClosed(); // another tenant came on it meanwhile
      return;
    }
    channel.closeFuture().addListener(_ -> closed(held));
  }

  private void closed(State held) {
    if (state.compareAndSet(held, SHARED)) {
      held.release();
    }
  }
}
