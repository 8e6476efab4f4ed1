package dev.ron.http.server.exchange;

import dev.ron.kernel.time.Waiter;
import org.jspecify.annotations.Nullable;

/**
 * A stretch in which a blocking handler waits for nothing but the work of its node, such as a shard
 * or a flush: it keeps its place among the requests that its door works on.
 *
 * <p>Not for a wait that another request may have to end, of a peer or at the same door: with all
 * places taken by such waits, that request would not begin.
 *
 * <p>Threading: owned by the thread of the handler; on any other thread it says nothing.
 */
public final class OwnWait implements AutoCloseable {
  private static final OwnWait NONE = new OwnWait(null);

  private final @Nullable TenantStay stay;

  private OwnWait(@Nullable TenantStay stay) {
    this.stay = stay;
  }

  /**
   * @param own false says nothing
   */
  public static OwnWait beginIf(boolean own) {
    if (!own || !(Waiter.current() instanceof BlockingCall.Peer peer)) {
      return NONE;
    }
    peer.stay().ownWait(true);
    return new OwnWait(peer.stay());
  }

  /**
   * The same of a request whose peer has given all it will give: a wait for the peer ended its
   * place, and without one the work that is left would be done in no order of tenants. So it stands
   * in line again first.
   *
   * @param own false says nothing
   */
  public static OwnWait resumeIf(boolean own) {
    if (own && Waiter.current() instanceof BlockingCall.Peer peer) {
      peer.resume();
    }
    return beginIf(own);
  }

  @Override
  public void close() {
    if (stay != null) {
      stay.ownWait(false);
    }
  }
}
