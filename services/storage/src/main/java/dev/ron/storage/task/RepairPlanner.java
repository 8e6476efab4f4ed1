package dev.ron.storage.task;

import dev.ron.blake3.Address;
import dev.ron.content.ContentStat;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.storage.StorageMetrics;
import dev.ron.storage.core.Holding;
import dev.ron.storage.core.Home;
import dev.ron.storage.core.Inventory;
import dev.ron.storage.core.Placement;
import dev.ron.storage.core.RepairPlan;
import dev.ron.storage.disk.Shelf;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Compares what is there with what should be, on a period and when something happened.
 *
 * <p>A round goes through all objects page by page. An ordinary plan that finds the queue full is
 * counted and waits for the next round; for an urgent one the round itself waits.
 *
 * <p>Threading: one step at a time; the last round is read by anybody.
 */
public final class RepairPlanner implements Task {
  private static final int PAGE = 512;

  /** Readers who suffer for longer notice it. */
  private static final Duration ADJUST = Duration.ofMillis(100);

  private static final Duration FULL_REST = Duration.ofMillis(100);

  private final Shelves shelves;
  private final RepairQueue queue;
  private final Pace pace;
  private final Duration period;
  private final StorageMetrics metrics;
  private final Watch<Boolean> shutdown;
  private final AtomicReference<Round> last;
  private final Broadcast<StorageEvent>.Subscription events;
  private final boolean alone;

  /** Urgent plans of one page at most, waiting for room. */
  private final ArrayDeque<RepairPlan> pending = new ArrayDeque<>();

  private @Nullable Address after;
  private boolean inRound = true;
  private Round round = Round.NONE;
  private Instant nextRound = Instant.MIN;
  private Instant nextAdjust = Instant.MIN;

  /** What a round found. */
  public record Round(long number, long objects, long tooFew, long unrepairable, int copiesLeast) {
    public static final Round NONE = new Round(0, 0, 0, 0, Integer.MAX_VALUE);
  }

  /**
   * @param alone whether the copies on this node are all there are
   */
  public RepairPlanner(
      Shelves shelves,
      RepairQueue queue,
      Pace pace,
      Duration period,
      StorageMetrics metrics,
      Watch<Boolean> shutdown,
      AtomicReference<Round> last,
      boolean alone) {
    this.shelves = shelves;
    this.queue = queue;
    this.pace = pace;
    this.period = period;
    this.metrics = metrics;
    this.shutdown = shutdown;
    this.last = last;
    this.events = shelves.damage().events().subscribe();
    this.alone = alone;
    if (alone) {
      metrics.rfTarget().set(shelves.replication());
    }
  }

  @Override
  public Next run(Instant now) {
    if (!now.isBefore(nextAdjust)) {
      pace.adjust();
      nextAdjust = now.plus(ADJUST);
    }
    hear();
    if (!sendPending()) {
      return Next.at(now.plus(FULL_REST));
    }
    if (!inRound && !now.isBefore(nextRound)) {
      inRound = true;
      after = null;
    }
    if (inRound) {
      page(now);
      return Next.again();
    }
    return Next.await(events, nextRound.isBefore(nextAdjust) ? nextRound : nextAdjust);
  }

  /** A damaged copy is planned for at once, a home that changed by a round that starts now. */
  private void hear() {
    for (StorageEvent event : events.drain()) {
      if (event instanceof StorageEvent.Damaged(Address address, String home, _)) {
        List<Shelf> holders =
            shelves.all().stream().filter(shelf -> shelf.store().contains(address)).toList();
        if (!holders.isEmpty()) {
          long size =
              holders.getFirst().store().stat(address).map(ContentStat::sizeBytes).orElse(0L);
          var homes = new HashSet<>(holders.stream().map(Shelf::id).toList());
          homes.add(home);
          plan(new Holding(address, size, homes));
        }
      } else if (event instanceof StorageEvent.HomeChanged) {
        nextRound = Instant.MIN;
      }
    }
  }

  private void page(Instant now) {
    if (shelves.all().size() == 1) {
      // There is nowhere to copy to or from, so there is nothing to look for object by object.
      int bad = shelves.damage().objects();
      long objects = shelves.all().getFirst().store().space().objects();
      round = new Round(0, objects, bad, bad, bad > 0 ? 0 : 1);
      finishRound(now);
      return;
    }
    Map<String, List<Inventory.Listed>> listings = new HashMap<>();
    for (Shelf shelf : shelves.all()) {
      if (shelf.home().takesReads()) {
        listings.put(
            shelf.id(),
            shelf.store().list(after, PAGE).stream()
                .map(stat -> new Inventory.Listed(stat.address(), stat.sizeBytes()))
                .toList());
      }
    }
    Inventory inventory = Inventory.page(listings, PAGE);
    for (Holding holding : inventory.holdings()) {
      count(holding, plan(holding));
    }
    after = inventory.next();
    if (after == null) {
      finishRound(now);
    }
  }

  private void finishRound(Instant now) {
    int least = round.objects() == 0 ? shelves.replication() : round.copiesLeast();
    if (alone) {
      metrics.rfObserved().set(least);
    }
    last.set(
        new Round(
            last.get().number() + 1, round.objects(), round.tooFew(), round.unrepairable(), least));
    round = Round.NONE;
    inRound = false;
    nextRound = now.plus(period);
  }

  private void count(Holding holding, boolean planned) {
    Set<String> damaged = shelves.damage().homesOf(holding.address());
    int good = (int) holding.homes().stream().filter(home -> !damaged.contains(home)).count();
    boolean lost = good == 0 && !planned;
    if (lost) {
      metrics.repairSkipped().labelValues("no-source").inc();
    }
    round =
        new Round(
            round.number(),
            round.objects() + 1,
            round.tooFew() + (good < shelves.replication() ? 1 : 0),
            round.unrepairable() + (lost ? 1 : 0),
            Math.min(round.copiesLeast(), good));
  }

  /** True if there is something to do. */
  private boolean plan(Holding holding) {
    List<Home> order = Placement.order(holding.address(), shelves.homes());
    Set<String> damaged = shelves.damage().homesOf(holding.address());
    List<RepairPlan> plans = RepairPlan.of(holding, order, damaged, shelves.replication());
    for (RepairPlan plan : plans) {
      if (queue.offer(plan) == RepairQueue.Offer.FULL) {
        if (plan.urgent()) {
          pending.add(plan);
        } else {
          metrics.repairSkipped().labelValues("full").inc();
        }
      }
    }
    return !plans.isEmpty();
  }

  /** True if none is left. */
  private boolean sendPending() {
    while (!pending.isEmpty()) {
      if (queue.offer(pending.peek()) == RepairQueue.Offer.FULL) {
        return false;
      }
      pending.remove();
    }
    return true;
  }

  /** The first to end: whoever copies hears of it here. */
  @Override
  public void finish(Instant now) {
    shutdown.set(true);
  }
}
