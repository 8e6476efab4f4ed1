package dev.ron.gateway.admit;

import dev.ron.gateway.GatewayFault;
import dev.ron.gateway.route.UpstreamPool;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One request's way to a place: it waits, has one, or has left.
 *
 * <p>The holder of a ticket calls {@link #leave} once when the request is over, however it ended;
 * the place or the wait is given back then and not before, so no count can leak.
 *
 * <p>Threading: thread-safe; {@code state} moves forward by compare-and-set, and the caller that
 * moves it settles the counts that go with the move.
 */
public final class AdmissionTicket {
  private static final Duration REST = Duration.ofSeconds(1);

  private final UpstreamPool pool;
  private final Tenant tenant;
  private final String line;
  private final int cost;
  private final Holder holder;
  private final AtomicReference<State> state = new AtomicReference<>(State.NEW);

  private boolean beyond;

  private enum State {
    NEW,
    WAITING,
    GRANTED,
    LEFT
  }

  /** Who is told; from any thread. */
  public interface Holder {
    /** The place is there. */
    void granted();

    /** There will be none. */
    void refused(GatewayFault fault);
  }

  /**
   * @param line whose turn it counts against: the tenant's key, or one name for all
   */
  public AdmissionTicket(UpstreamPool pool, Tenant tenant, String line, int cost, Holder holder) {
    this.pool = pool;
    this.tenant = tenant;
    this.line = line;
    this.cost = cost;
    this.holder = holder;
  }

  UpstreamPool pool() {
    return pool;
  }

  public Tenant tenant() {
    return tenant;
  }

  String line() {
    return line;
  }

  int cost() {
    return cost;
  }

  public Holder holder() {
    return holder;
  }

  /**
   * Its queue gave it up.
   *
   * @param draining because the gateway ends; otherwise a newer request took its place
   */
  public void dropped(boolean draining) {
    GatewayFault.QueuePlace standing = tenant.standing();
    holder.refused(
        draining
            ? new GatewayFault.Draining(standing)
            : new GatewayFault.Degraded(
                "a newer request took its place in the queue", REST, standing));
  }

  /** The place was free and no request waited. */
  void entered() {
    pool.holdings().took(line);
    state.set(State.GRANTED);
  }

  /**
   * @param beyondLimit it came when the gateway was full, so a request has to give way
   */
  void waits(boolean beyondLimit) {
    beyond = beyondLimit;
    tenant.waiting().incrementAndGet();
    state.set(State.WAITING);
  }

  /** Gives it a place; false if the request is over meanwhile. */
  boolean grant() {
    pool.holdings().took(line); // before it can leave
    if (!state.compareAndSet(State.WAITING, State.GRANTED)) {
      pool.holdings().left(line);
      return false;
    }
    tenant.waiting().decrementAndGet();
    pool.slots().grant();
    return true;
  }

  /** Published by the channel it is handed over in. */
  boolean beyondLimit() {
    return beyond;
  }

  boolean gone() {
    return state.get() == State.LEFT;
  }

  /**
   * The request is over.
   *
   * @return true if a place became free for which a request waits
   */
  boolean leave() {
    return switch (state.getAndSet(State.LEFT)) {
      case NEW, LEFT -> false;
      case WAITING -> {
        tenant.waiting().decrementAndGet();
        pool.slots().stopWaiting();
        yield false;
      }
      case GRANTED -> {
        pool.holdings().left(line);
        yield pool.slots().release();
      }
    };
  }
}
