package dev.ron.storage.api;

import dev.ron.http.server.Answer;
import dev.ron.http.server.Blocking;
import dev.ron.storage.core.RepairBudget;
import dev.ron.storage.task.RepairPlanner;
import dev.ron.storage.task.Scrubber;
import dev.ron.storage.wire.JsonAnswer;

/**
 * {@code GET /repair}: plans, budget, progress, ETA, and what each home can be asked for.
 *
 * <p>Threading: immutable.
 */
record Repair(Desk desk) {
  private static final int SHOWN = 100;

  Blocking handler() {
    return _ -> Answer.bytes(200, "application/json", JsonAnswer.JSON.write(view()));
  }

  private JsonAnswer.RepairView view() {
    var queue = desk.upkeep().queue();
    RepairBudget budget = desk.upkeep().pace().budget();
    RepairPlanner.Round round = desk.upkeep().round();
    Scrubber.Progress scrub = desk.upkeep().scrubbed();
    long left = queue.bytesLeft();
    return new JsonAnswer.RepairView(
        new JsonAnswer.Plans(queue.plans(), queue.urgentDepth(), queue.ordinaryDepth(), left),
        new JsonAnswer.Budget(
            budget.bytesPerSecond(),
            budget.fullBytesPerSecond(),
            desk.upkeep().pace().movedBytes()),
        new JsonAnswer.RoundView(
            round.number(),
            round.objects(),
            round.tooFew(),
            round.unrepairable(),
            round.number() == 0 ? 0 : round.copiesLeast()),
        queue.plans() == 0 ? null : Math.ceilDiv(left, budget.bytesPerSecond()),
        new JsonAnswer.ScrubView(scrub.cycle(), scrub.objects(), scrub.bytes(), scrub.bad()),
        new JsonAnswer.Damaged(
            desk.shelves().badCopies(),
            desk.shelves().damage().some(SHOWN).stream().map(Object::toString).toList()),
        desk.shelves().all().stream().map(JsonAnswer.HomeView::of).toList(),
        desk.cluster().get());
  }
}
