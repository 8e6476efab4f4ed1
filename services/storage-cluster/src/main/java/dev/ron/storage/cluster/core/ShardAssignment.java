package dev.ron.storage.cluster.core;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Gives each shard of an object a node, the best pairs first.
 *
 * <p>Threading: stateless.
 */
final class ShardAssignment {
  private ShardAssignment() {}

  /** How much a shard and a node want each other. */
  record Pair(int shard, String node, double score) {}

  static List<String> match(List<Pair> pairs, List<String> nodes, int shards, int eachMax) {
    var load = new HashMap<String, Integer>();
    @Nullable String[] found = new @Nullable String[shards];
    List<Pair> best =
        pairs.stream()
            .sorted(
                Comparator.comparingDouble(Pair::score)
                    .reversed()
                    .thenComparing(Pair::node)
                    .thenComparingInt(Pair::shard))
            .toList();
    int left = shards;
    for (Pair pair : best) {
      if (left > 0 && found[pair.shard()] == null && load.getOrDefault(pair.node(), 0) < eachMax) {
        found[pair.shard()] = pair.node();
        load.merge(pair.node(), 1, Integer::sum);
        left--;
      }
    }
    if (left > 0) {
      throw new IllegalStateException("%d shards on %s".formatted(shards, nodes));
    }
    return List.of(found).stream().map(Objects::requireNonNull).toList();
  }
}
