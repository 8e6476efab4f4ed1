package dev.ron.storage.task;

import dev.ron.blake3.Address;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.Overflow;
import dev.ron.kernel.channel.SendResult;
import dev.ron.storage.core.RepairPlan;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Plans on their way to the workers: urgent ones first, each object and home once.
 *
 * <p>Threading: thread-safe; a plan is in {@code known} from before it is sent until it is done, so
 * two rounds of planning never have two workers on one copy.
 */
public final class RepairQueue {
  static final int CAPACITY = 256;

  private final Channel<RepairPlan> urgent;
  private final Channel<RepairPlan> ordinary;
  private final Set<Key> known = ConcurrentHashMap.newKeySet();
  private final AtomicLong bytesLeft = new AtomicLong();

  private record Key(Address address, String home) {}

  /** What became of a plan. */
  public enum Offer {
    TAKEN,
    /** It is queued or being carried out already. */
    KNOWN,
    FULL
  }

  public RepairQueue(Scope scope) {
    this.urgent = Channel.bounded(scope, "repair-urgent", CAPACITY, Overflow.REJECT_NEW);
    this.ordinary = Channel.bounded(scope, "repair", CAPACITY, Overflow.REJECT_NEW);
  }

  Channel<RepairPlan> urgent() {
    return urgent;
  }

  Channel<RepairPlan> ordinary() {
    return ordinary;
  }

  public Offer offer(RepairPlan plan) {
    var key = new Key(plan.address(), plan.home());
    if (!known.add(key)) {
      return Offer.KNOWN;
    }
    if (!((plan.urgent() ? urgent : ordinary).trySend(plan) instanceof SendResult.Sent)) {
      known.remove(key);
      return Offer.FULL;
    }
    bytesLeft.addAndGet(plan.sizeBytes());
    return Offer.TAKEN;
  }

  @Nullable RepairPlan next() {
    RepairPlan first = urgent.tryReceive();
    return first != null ? first : ordinary.tryReceive();
  }

  /** Something is planned or being done for it. */
  boolean busyWith(Address address) {
    return known.stream().anyMatch(key -> key.address().equals(address));
  }

  void done(RepairPlan plan) {
    known.remove(new Key(plan.address(), plan.home()));
    bytesLeft.addAndGet(-plan.sizeBytes());
  }

  public int urgentDepth() {
    return urgent.depth();
  }

  public int ordinaryDepth() {
    return ordinary.depth();
  }

  /** Queued and under way. */
  public int plans() {
    return known.size();
  }

  public long bytesLeft() {
    return bytesLeft.get();
  }
}
