package dev.ron.edge.fill;

import dev.ron.edge.EdgeFault;
import dev.ron.edge.EdgeMetrics;
import dev.ron.edge.core.CacheKey;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.SendResult;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The fills that wait or are under way, and who may join them.
 *
 * <p>Threading: thread-safe.
 */
public final class SingleFlight {
  private final EdgeMetrics metrics;
  private final Map<Key, Fill> shared = new ConcurrentHashMap<>();

  /** Those that no request may join too: what they bring can be stored all the same. */
  private final Set<Fill> underWay = ConcurrentHashMap.newKeySet();

  private final Channel<Fill> work;
  private volatile boolean shedding;

  public SingleFlight(Scope scope, int capacity, EdgeMetrics metrics) {
    this.metrics = metrics;
    this.work = Channel.fair(scope, "work", capacity, Fill::tenant, _ -> 1, this::abandoned);
    scope.readiness().derived("work", this::full);
  }

  /** From the first fill that is refused until half of the places are free again. */
  private Optional<String> full() {
    if (shedding && work.depth() <= work.capacity() / 2) {
      shedding = false;
    }
    return shedding
        ? Optional.of(
            "%d of %d fills wait; misses are refused".formatted(work.depth(), work.capacity()))
        : Optional.empty();
  }

  /** Where workers take fills from. */
  public Channel<Fill> work() {
    return work;
  }

  /**
   * What fills are joined by.
   *
   * @param range the client's, if it is passed on; empty for the whole
   */
  public record Key(CacheKey key, String range) {}

  /** What came of asking for a fill. */
  public sealed interface Place {
    /**
     * @param first this request began the fill; the others only wait for it
     */
    record Waiting(Fill fill, boolean first) implements Place {}

    record Refused(EdgeFault fault) implements Place {}
  }

  /** The fill that is under way for a key, to wait for without having begun it. */
  public Optional<Place> running(Key key) {
    return Optional.ofNullable(shared.get(key)).map(fill -> new Place.Waiting(fill, false));
  }

  /** Joins the fill that is under way for the key, or begins one. */
  public Place join(Key key, Supplier<Fill> make) {
    while (true) {
      Fill running = shared.get(key);
      if (running != null) {
        return new Place.Waiting(running, false);
      }
      Fill mine = make.get();
      if (shared.putIfAbsent(key, mine) == null) {
        Place place = enqueue(mine);
        if (place instanceof Place.Refused(EdgeFault fault)) {
          shared.remove(key, mine);
          // Requests that joined in between are told the same.
          mine.settle(new Fill.Outcome.Failed(fault));
          mine.end();
        }
        return place;
      }
    }
  }

  /** Begins a fill that no other request may join. */
  public Place alone(Fill fill) {
    return enqueue(fill);
  }

  private Place enqueue(Fill fill) {
    metrics.inflight().inc();
    underWay.add(fill);
    return switch (work.trySend(fill)) {
      case SendResult.Sent _ -> new Place.Waiting(fill, true);
      case SendResult.Full(_, int capacity) -> {
        shedding = true;
        yield refused(fill, new EdgeFault.Busy(capacity));
      }
      case SendResult.Closed _ ->
          refused(fill, new EdgeFault.Unavailable("the edge is shutting down"));
    };
  }

  private Place refused(Fill fill, EdgeFault fault) {
    underWay.remove(fill);
    metrics.inflight().dec();
    return new Place.Refused(fault);
  }

  /**
   * What is under way for these keys is not stored, and no request joins it any more.
   *
   * @return whether there was any
   */
  public boolean spoil(Collection<CacheKey> keys) {
    shared.keySet().removeIf(joined -> keys.contains(joined.key()));
    boolean any = false;
    for (Fill fill : underWay) {
      if (keys.contains(fill.request().key())) {
        fill.spoil();
        any = true;
      }
    }
    return any;
  }

  /** The fill is over, and the next request for its key begins anew. */
  void leave(Fill fill) {
    shared.values().remove(fill);
    underWay.remove(fill);
    fill.end();
    metrics.inflight().dec();
  }

  /** A fill that its queue gave up: no worker is left, or another tenant has fewer there. */
  private void abandoned(Fill fill) {
    fill.settle(
        new Fill.Outcome.Failed(
            work.ended()
                ? new EdgeFault.Unavailable("the edge is shutting down")
                : new EdgeFault.Busy(work.capacity())));
    leave(fill);
  }
}
