package dev.ron.storage.cluster.core;

import dev.ron.blake3.Address;
import dev.ron.storage.core.Inventory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What this node has to fetch, from what the others said they have.
 *
 * <p>Each node looks after itself: it fetches what belongs to it and gives up what does not. No
 * node tells another what to do, so no node has to be elected.
 *
 * <p>Threading: owned by the planner for one round.
 */
public final class ClusterPlan {
  private final String self;
  private final int replication;
  private final Map<Address, Missing> missing = new HashMap<>();

  private record Missing(long sizeBytes, Set<String> holders) {}

  public ClusterPlan(String self, int replication) {
    this.self = self;
    this.replication = replication;
  }

  /** A node has an object that belongs to this one too, where it is not. */
  public void found(Inventory.Listed object, String holder) {
    missing
        .computeIfAbsent(object.address(), _ -> new Missing(object.sizeBytes(), new HashSet<>()))
        .holders()
        .add(holder);
  }

  public int objects() {
    return missing.size();
  }

  /** Copies of the object that has the fewest, of those that are missing here. */
  public int copiesMin() {
    return missing.values().stream()
        .mapToInt(each -> each.holders().size())
        .reduce(replication, Math::min);
  }

  /** Those of which only one copy is known first, then those with few. */
  public List<NodeRepairPlan> plans() {
    var plans = new ArrayList<NodeRepairPlan>();
    missing.entrySet().stream()
        .sorted(
            Comparator.comparingInt(
                    (Map.Entry<Address, Missing> each) -> each.getValue().holders().size())
                .thenComparing(each -> each.getKey().toString()))
        .forEach(
            each -> {
              Missing object = each.getValue();
              boolean last = object.holders().size() < 2 && replication > 1;
              boolean enough = object.holders().size() >= replication;
              plans.add(
                  new NodeRepairPlan.Fetch(each.getKey(), object.sizeBytes(), self, last, enough));
            });
    return plans;
  }

  /** Of a coded object: too many shards gone for one more to go. */
  public static boolean lastChance(int shardsThere, int dataShards) {
    return shardsThere <= dataShards;
  }
}
