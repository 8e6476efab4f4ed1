package dev.ron.storage.repair;

import dev.ron.blake3.Address;
import dev.ron.content.ContentStat;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.storage.StorageEvent;
import dev.ron.storage.StorageMetrics;
import dev.ron.storage.core.Inventory;
import dev.ron.storage.core.ObjectCopies;
import dev.ron.storage.core.Placement;
import dev.ron.storage.core.RepairPlan;
import dev.ron.storage.core.VolumeState;
import dev.ron.storage.object.Volume;
import dev.ron.storage.object.Volumes;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Compares what is there with what should be, on a period and when something happened.
 *
 * <p>A round goes through all objects page by page. A plan that finds the queue full is counted and
 * found again: an ordinary one by the next round, an urgent one by this, which waits at its object.
 *
 * <p>Threading: one step at a time; any thread reads the last round.
 */
public final class RepairPlanner implements Task {
  private static final int PAGE = 512;

  /** Readers that are slowed for longer notice it. */
  private static final Duration ADJUST = Duration.ofMillis(100);

  private static final Duration FULL_REST = Duration.ofMillis(100);

  private final Volumes volumes;
  private final Function<RepairPlan, RepairQueue.Offer> queue;
  private final RepairThrottle pace;
  private final Duration period;
  private final StorageMetrics metrics;
  private final AtomicReference<Round> last;
  private final Broadcast<StorageEvent>.Subscription events;
  private final boolean alone;

  private @Nullable Address after;
  private boolean waiting;

  /** Something happened that the round under way may have passed by. */
  private boolean roundWanted;

  private boolean inRound = true;
  private Round round = Round.NONE;
  private Instant nextRound = Instant.MIN;
  private Instant nextAdjust = Instant.MIN;

  /** What a round found. */
  public record Round(long number, long objects, long tooFew, long unrepairable, int copiesLeast) {
    public static final Round NONE = new Round(0, 0, 0, 0, Integer.MAX_VALUE);
  }

  /**
   * @param queue takes plans, or has no room
   * @param alone whether the copies on this node are all there are
   */
  public RepairPlanner(
      Volumes volumes,
      Function<RepairPlan, RepairQueue.Offer> queue,
      RepairThrottle pace,
      Duration period,
      StorageMetrics metrics,
      AtomicReference<Round> last,
      boolean alone) {
    this.volumes = volumes;
    this.queue = queue;
    this.pace = pace;
    this.period = period;
    this.metrics = metrics;
    this.last = last;
    this.events = volumes.damage().events().subscribe();
    this.alone = alone;
    if (alone) {
      metrics.rfTarget().set(volumes.replication());
    }
  }

  @Override
  public Next run(Instant now) {
    if (!now.isBefore(nextAdjust)) {
      pace.adjust();
      nextAdjust = now.plus(ADJUST);
    }
    hear();
    if (!inRound && (roundWanted || !now.isBefore(nextRound))) {
      inRound = true;
      roundWanted = false;
      after = null;
    }
    if (inRound) {
      page(now);
      return waiting ? Next.at(now.plus(FULL_REST)) : Next.again();
    }
    return Next.await(events, nextRound.isBefore(nextAdjust) ? nextRound : nextAdjust);
  }

  /** A damaged copy is planned for at once, a home that changed by a round that starts now. */
  private void hear() {
    for (StorageEvent event : events.drain()) {
      if (event instanceof StorageEvent.Damaged(Address address, String home, _)) {
        List<Volume> holders =
            volumes.all().stream().filter(volume -> volume.store().contains(address)).toList();
        if (!holders.isEmpty()) {
          long size =
              holders.getFirst().store().stat(address).map(ContentStat::sizeBytes).orElse(0L);
          var homes = new HashSet<>(holders.stream().map(Volume::id).toList());
          homes.add(home);
          roundWanted |= plan(new ObjectCopies(address, size, homes)) == PlanResult.NO_ROOM;
        }
      } else if (event instanceof StorageEvent.HomeChanged) {
        roundWanted = true;
      }
    }
  }

  private void page(Instant now) {
    if (volumes.all().size() == 1) {
      // There is nowhere to copy to or from, so there is nothing to look for object by object.
      long bad = volumes.badCopies();
      long objects = volumes.all().getFirst().store().space().objects();
      round = new Round(0, objects, bad, bad, bad > 0 ? 0 : 1);
      finishRound(now);
      return;
    }
    Map<String, List<Inventory.Listed>> listings = new HashMap<>();
    for (Volume volume : volumes.all()) {
      if (volume.home().takesReads()) {
        listings.put(
            volume.id(),
            volume.store().list(after, PAGE).stream()
                .map(stat -> new Inventory.Listed(stat.address(), stat.sizeBytes()))
                .toList());
      }
    }
    Inventory inventory = Inventory.page(listings, PAGE);
    for (ObjectCopies holding : inventory.holdings()) {
      PlanResult planned = plan(holding);
      waiting = planned == PlanResult.NO_ROOM;
      if (waiting) {
        return; // looked at again from here, with what is left of the page
      }
      count(holding, planned == PlanResult.SOMETHING);
      after = holding.address();
    }
    after = inventory.next();
    if (after == null) {
      finishRound(now);
    }
  }

  private void finishRound(Instant now) {
    int least = round.objects() == 0 ? volumes.replication() : round.copiesLeast();
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

  private void count(ObjectCopies holding, boolean planned) {
    Set<String> damaged = volumes.badHomes(holding.address());
    int good = (int) holding.homes().stream().filter(home -> !damaged.contains(home)).count();
    boolean lost = good == 0 && !planned;
    if (lost) {
      metrics.repairSkipped().labelValues("no-source").inc();
    }
    round =
        new Round(
            round.number(),
            round.objects() + 1,
            round.tooFew() + (good < volumes.replication() ? 1 : 0),
            round.unrepairable() + (lost ? 1 : 0),
            Math.min(round.copiesLeast(), good));
  }

  /** What there was to do for an object. */
  private enum PlanResult {
    NOTHING,
    SOMETHING,
    /** Something urgent, which the queue did not take. */
    NO_ROOM
  }

  private PlanResult plan(ObjectCopies holding) {
    List<VolumeState> order = Placement.order(holding.address(), volumes.homes());
    Set<String> damaged = volumes.badHomes(holding.address());
    List<RepairPlan> plans = RepairPlan.of(holding, order, damaged, volumes.replication());
    boolean refused = false;
    for (RepairPlan plan : plans) {
      if (queue.apply(plan) == RepairQueue.Offer.FULL) {
        refused |= plan.urgent();
        if (!waiting) {
          metrics.repairSkipped().labelValues("full").inc();
        }
      }
    }
    if (refused) {
      return PlanResult.NO_ROOM;
    }
    return plans.isEmpty() ? PlanResult.NOTHING : PlanResult.SOMETHING;
  }
}
