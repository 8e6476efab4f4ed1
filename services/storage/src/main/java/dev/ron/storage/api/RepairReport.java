package dev.ron.storage.api;

import dev.ron.content.Space;
import dev.ron.http.Refusal;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.storage.core.RepairBudget;
import dev.ron.storage.object.Volume;
import dev.ron.storage.repair.RepairPlanner;
import dev.ron.storage.repair.Scrubber;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /repair}: plans, budget, progress, ETA, and what each home can be asked for.
 *
 * <p>Threading: immutable.
 */
record RepairReport(StorageContext context) implements Verb<Verb.None, RepairReport.Reply> {
  private static final int SHOWN = 100;

  /**
   * Where repair stands.
   *
   * @param cluster what a cluster tells of its nodes; null where there is one machine
   */
  record Reply(
      Plans plans,
      Budget budget,
      Round lastRound,
      @Nullable Long etaSeconds,
      ScrubProgress scrub,
      DamageCount damaged,
      List<Home> homes,
      @Nullable Object cluster) {}

  /** What is queued and under way. */
  record Plans(int all, int urgentWaiting, int ordinaryWaiting, long bytesLeft) {}

  /** How fast repair goes now, and how fast it may. */
  record Budget(long bytesPerSecond, long fullBytesPerSecond, long movedBytes) {}

  /** What the last comparison found. */
  record Round(long number, long objects, long tooFewCopies, long unrepairable, int copiesLeast) {
    static Round of(RepairPlanner.Round round) {
      return new Round(
          round.number(),
          round.objects(),
          round.tooFew(),
          round.unrepairable(),
          round.number() == 0 ? 0 : round.copiesLeast());
    }
  }

  /** How far the scrubber is. */
  record ScrubProgress(long cycle, long objects, long bytes, long bad) {}

  /** How many copies are bad, and some of them by name. */
  record DamageCount(long objects, List<String> some) {}

  /** A home and what it can be asked for. */
  record Home(
      String id,
      String label,
      String serves,
      @Nullable String why,
      long objects,
      long bytes,
      long freeBytes) {
    static Home of(Volume volume) {
      Space space = volume.store().space();
      Volume.Condition now = volume.condition();
      return new Home(
          volume.id(),
          volume.label(),
          now.service().name().toLowerCase(Locale.ROOT).replace('_', '-'),
          now.why().isEmpty() ? null : now.why(),
          space.objects(),
          space.objectBytes(),
          space.freeBytes());
    }
  }

  @Override
  public None parse(Exchange exchange) throws Refusal {
    StorageRights.requireOperator(exchange);
    return new None();
  }

  @Override
  public Reply handle(None request) {
    var queue = context.upkeep().queue();
    RepairBudget budget = context.upkeep().pace().budget();
    Scrubber.Progress scrub = context.upkeep().scrubbed();
    long left = queue.bytesLeft();
    return new Reply(
        new Plans(queue.plans(), queue.urgentDepth(), queue.ordinaryDepth(), left),
        new Budget(
            budget.bytesPerSecond(),
            budget.fullBytesPerSecond(),
            context.upkeep().pace().movedBytes()),
        Round.of(context.upkeep().round()),
        queue.plans() == 0 ? null : Math.ceilDiv(left, budget.bytesPerSecond()),
        new ScrubProgress(scrub.cycle(), scrub.objects(), scrub.bytes(), scrub.bad()),
        new DamageCount(
            context.volumes().badCopies(),
            context.volumes().damage().some(SHOWN).stream().map(Object::toString).toList()),
        context.volumes().all().stream().map(Home::of).toList(),
        context.cluster().get());
  }
}
