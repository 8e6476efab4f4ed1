package dev.ron.storage.repair;

import dev.ron.blake3.Address;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.Inbox;
import dev.ron.kernel.channel.Overflow;
import dev.ron.kernel.channel.SendResult;
import dev.ron.kernel.supervise.Next;
import dev.ron.storage.core.QueuedRepair;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Plans on their way to the workers: urgent ones first, whole copies before shards, each object and
 * home once.
 *
 * <p>Ordinary plans are refused when as many wait as it has places, of whatever kind. Urgent ones
 * pass those by and have as many places of their own.
 *
 * <p>Threading: thread-safe; a plan is in {@code known} from before it is sent until it is done, so
 * two rounds of planning never have two workers on one copy; {@code turn} lets one worker choose
 * after the other, so that no shard slips past a copy.
 */
public final class RepairQueue<P extends QueuedRepair> {
  /** A copy that is under way takes longer, so a shard that waits for it loses little. */
  private static final Duration LOOK = Duration.ofMillis(100);

  private final int capacity;
  private final ReentrantLock turn = new ReentrantLock();
  private final Map<Lane, Channel<P>> lanes = new EnumMap<>(Lane.class);
  private final Map<Lane, AtomicInteger> underWay = new EnumMap<>(Lane.class);
  private final Set<Key> known = ConcurrentHashMap.newKeySet();
  private final AtomicLong bytesLeft = new AtomicLong();

  private record Key(Address address, String home) {}

  /** Whose turn it is: what stands before another goes before it. */
  public enum Lane {
    URGENT_COPIES("repair-urgent"),
    URGENT_SHARDS("repair-urgent-shards"),
    COPIES("repair"),
    /** A shard is computed from many nodes; what is surplus harms nothing by waiting. */
    SHARDS_AND_REMOVALS("repair-shards");

    private final String channel;

    Lane(String channel) {
      this.channel = channel;
    }

    public static Lane of(QueuedRepair plan) {
      return switch (plan.work()) {
        case COPY -> plan.urgent() ? URGENT_COPIES : COPIES;
        case SHARD -> plan.urgent() ? URGENT_SHARDS : SHARDS_AND_REMOVALS;
        case REMOVAL -> SHARDS_AND_REMOVALS;
      };
    }

    boolean urgent() {
      return this == URGENT_COPIES || this == URGENT_SHARDS;
    }
  }

  /** What became of a plan. */
  public enum Offer {
    TAKEN,
    /** It is queued or being carried out already. */
    KNOWN,
    FULL
  }

  public RepairQueue(Scope scope, int capacity) {
    this.capacity = capacity;
    for (Lane lane : Lane.values()) {
      lanes.put(lane, Channel.bounded(scope, lane.channel, capacity, Overflow.REJECT_NEW));
      underWay.put(lane, new AtomicInteger());
    }
  }

  public Offer offer(P plan) {
    var key = new Key(plan.address(), plan.home());
    if (!known.add(key)) {
      return Offer.KNOWN;
    }
    Lane lane = Lane.of(plan);
    boolean room = lane.urgent() || ordinaryDepth() + urgentDepth() < capacity;
    if (!room || !(lane(lane).trySend(plan) instanceof SendResult.Sent)) {
      known.remove(key);
      return Offer.FULL;
    }
    bytesLeft.addAndGet(plan.sizeBytes());
    return Offer.TAKEN;
  }

  /** The plan whose turn it is; to be given back to {@link #done}. */
  public @Nullable P next() {
    turn.lock();
    try {
      for (Lane lane : Lane.values()) {
        P plan = heldBack(lane) ? null : lane(lane).tryReceive();
        if (plan != null) {
          underWay(lane).incrementAndGet();
          return plan;
        }
      }
      return null;
    } finally {
      turn.unlock();
    }
  }

  /** Until there may be a plan; for a worker that got none. */
  Next await(Instant now) {
    List<Lane> open = List.of(Lane.values()).stream().filter(lane -> !heldBack(lane)).toList();
    return new Next.Await(
        open.stream().<Inbox>map(this::lane).toList(),
        open.size() == Lane.values().length ? Instant.MAX : now.plus(LOOK));
  }

  /** Shards share the budget of bytes with copies, so they wait until those are made. */
  private boolean heldBack(Lane lane) {
    return switch (lane) {
      case URGENT_COPIES, COPIES -> false;
      case URGENT_SHARDS -> underWay(Lane.URGENT_COPIES).get() > 0;
      case SHARDS_AND_REMOVALS ->
          underWay(Lane.URGENT_COPIES).get() > 0 || underWay(Lane.COPIES).get() > 0;
    };
  }

  /** Something is planned or being done for it. */
  public boolean busyWith(Address address) {
    return known.stream().anyMatch(key -> key.address().equals(address));
  }

  public void done(P plan) {
    underWay(Lane.of(plan)).decrementAndGet();
    known.remove(new Key(plan.address(), plan.home()));
    bytesLeft.addAndGet(-plan.sizeBytes());
  }

  private Channel<P> lane(Lane lane) {
    return Objects.requireNonNull(lanes.get(lane), "every lane has a channel");
  }

  private AtomicInteger underWay(Lane lane) {
    return Objects.requireNonNull(underWay.get(lane), "every lane has a count");
  }

  public int urgentDepth() {
    return lane(Lane.URGENT_COPIES).depth() + lane(Lane.URGENT_SHARDS).depth();
  }

  public int ordinaryDepth() {
    return lane(Lane.COPIES).depth() + lane(Lane.SHARDS_AND_REMOVALS).depth();
  }

  /** Queued and under way. */
  public int plans() {
    return known.size();
  }

  public long bytesLeft() {
    return bytesLeft.get();
  }
}
