package dev.ron.storage.api;

import dev.ron.http.server.Blocking;
import dev.ron.http.server.exchange.Answer;
import dev.ron.storage.core.RepairBudget;
import dev.ron.storage.repair.RepairPlanner;
import dev.ron.storage.repair.Scrubber;

/**
 * {@code GET /repair}: plans, budget, progress, ETA, and what each home can be asked for.
 *
 * <p>Threading: immutable.
 */
record RepairReport(StorageContext desk) {
  private static final int SHOWN = 100;

  Blocking handler() {
    return _ -> Answer.bytes(200, "application/json", StorageJson.JSON.write(view()));
  }

  private StorageJson.RepairView view() {
    var queue = desk.upkeep().queue();
    RepairBudget budget = desk.upkeep().pace().budget();
    RepairPlanner.Round round = desk.upkeep().round();
    Scrubber.Progress scrub = desk.upkeep().scrubbed();
    long left = queue.bytesLeft();
    return new StorageJson.RepairView(
        new StorageJson.Plans(queue.plans(), queue.urgentDepth(), queue.ordinaryDepth(), left),
        new StorageJson.Budget(
            budget.bytesPerSecond(),
            budget.fullBytesPerSecond(),
            desk.upkeep().pace().movedBytes()),
        new StorageJson.RoundView(
            round.number(),
            round.objects(),
            round.tooFew(),
            round.unrepairable(),
            round.number() == 0 ? 0 : round.copiesLeast()),
        queue.plans() == 0 ? null : Math.ceilDiv(left, budget.bytesPerSecond()),
        new StorageJson.ScrubView(scrub.cycle(), scrub.objects(), scrub.bytes(), scrub.bad()),
        new StorageJson.Damaged(
            desk.shelves().badCopies(),
            desk.shelves().damage().some(SHOWN).stream().map(Object::toString).toList()),
        desk.shelves().all().stream().map(StorageJson.HomeView::of).toList(),
        desk.cluster().get());
  }
}
