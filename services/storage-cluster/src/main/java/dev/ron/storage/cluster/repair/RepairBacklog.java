package dev.ron.storage.cluster.repair;

import dev.ron.storage.StorageMetrics;
import dev.ron.storage.cluster.core.NodeRepairPlan;
import dev.ron.storage.repair.RepairQueue;
import java.util.ArrayDeque;
import java.util.EnumSet;

/**
 * Urgent plans of a round that found the queue full: so many of them, in the order they were found.
 *
 * <p>A comparison of nodes costs a pass over all objects, so what it found is sent bit by bit
 * instead of compared anew. What does not fit here either is counted and left to the next round.
 *
 * <p>Threading: owned by the planner.
 */
final class RepairBacklog {
  private final RepairQueue<NodeRepairPlan> queue;
  private final StorageMetrics metrics;
  private final int plansMax;
  private final ArrayDeque<NodeRepairPlan> waiting = new ArrayDeque<>();

  RepairBacklog(RepairQueue<NodeRepairPlan> queue, StorageMetrics metrics, int plansMax) {
    this.queue = queue;
    this.metrics = metrics;
    this.plansMax = plansMax;
  }

  /** False if it was left for the next round. */
  boolean offer(NodeRepairPlan plan) {
    if (queue.offer(plan) != RepairQueue.Offer.FULL) {
      return true;
    }
    if (plan.urgent() && waiting.size() < plansMax) {
      waiting.add(plan);
      return true;
    }
    metrics.repairSkipped().labelValues("full").inc();
    return false;
  }

  /** Sends what there is room for; true if none is left. */
  boolean send() {
    var full = EnumSet.noneOf(RepairQueue.Lane.class);
    for (var each = waiting.iterator(); each.hasNext() && full.size() < 2; ) {
      NodeRepairPlan plan = each.next();
      RepairQueue.Lane lane = RepairQueue.Lane.of(plan);
      if (full.contains(lane)) {
        continue;
      }
      if (queue.offer(plan) == RepairQueue.Offer.FULL) {
        full.add(lane);
      } else {
        each.remove();
      }
    }
    return waiting.isEmpty();
  }

  int size() {
    return waiting.size();
  }
}
