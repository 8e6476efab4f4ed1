package dev.ron.rewarder.core;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How an epoch's pool is shared out.
 *
 * <p>Threading: immutable.
 *
 * @param weightsPpm of each metric, in parts per million, in the order of their names
 * @param minPayout an amount below this is not paid
 * @param actorCap an amount above this is cut to it
 * @param poolCap no more of the pool than this is shared out
 * @param holdsBadLines holds an actor with a bad line; otherwise such a line refuses the run
 * @param pools parts of the pool for some metrics each; one part for all metrics if none is named
 */
public record Policy(
    String id,
    long version,
    Map<String, Long> weightsPpm,
    Rounding rounding,
    Wide minPayout,
    Optional<Wide> actorCap,
    Optional<Wide> poolCap,
    boolean holdsBadLines,
    List<Pool> pools) {
  /** So that units below 2^96 times a weight are below 2^127. */
  public static final long WEIGHT_MAX = Integer.MAX_VALUE;

  public static final int METRICS_MAX = 256;
  public static final int POOLS_MAX = 16;
  public static final long PPM = 1_000_000;

  /** A part of the pool: so much of it, for those metrics. */
  public record Pool(String name, long sharePpm, List<String> metrics) {
    public Pool {
      metrics = List.copyOf(metrics);
      check(sharePpm >= 0 && sharePpm <= PPM, "pools: share_ppm must be 0 to 1000000");
    }
  }

  public Policy {
    weightsPpm = java.util.Collections.unmodifiableMap(new TreeMap<>(weightsPpm));
    check(!weightsPpm.isEmpty(), "weights_ppm: must have at least one metric");
    check(weightsPpm.size() <= METRICS_MAX, "weights_ppm: more than 256 metrics");
    for (long weight : weightsPpm.values()) {
      check(weight >= 0 && weight <= WEIGHT_MAX, "weights_ppm: must be 0 to 2147483647");
    }
    pools =
        pools.isEmpty()
            ? List.of(new Pool("all", PPM, List.copyOf(weightsPpm.keySet())))
            : List.copyOf(pools);
    checkPools(pools, weightsPpm);
  }

  private static void checkPools(List<Pool> pools, Map<String, Long> weights) {
    check(pools.size() <= POOLS_MAX, "pools: more than 16");
    long shares = 0;
    var names = new HashSet<String>();
    var metrics = new HashSet<String>();
    for (Pool pool : pools) {
      shares += pool.sharePpm();
      check(names.add(pool.name()), "pools: two of one name");
      for (String metric : pool.metrics()) {
        check(weights.containsKey(metric), "pools: a metric without a weight");
        check(metrics.add(metric), "pools: a metric in two pools");
      }
    }
    check(shares <= PPM, "pools: the shares are more than 1000000 together");
    check(metrics.size() == weights.size(), "pools: a metric in no pool");
  }

  /** The place of the pool that a metric counts for. */
  public int poolOf(String metric) {
    for (int i = 0; i < pools.size(); i++) {
      if (pools.get(i).metrics().contains(metric)) {
        return i;
      }
    }
    throw new IllegalArgumentException("no pool has " + metric);
  }

  /** What of {@code pool} may be shared out at all. */
  public Wide capped(Wide pool) {
    return poolCap.map(pool::min).orElse(pool);
  }

  /** Each pool's part of what may be shared out, rounded down. */
  public List<Wide> budgets(Wide pool) {
    Wide shared = capped(pool);
    return pools.stream()
        .map(each -> shared.timesDividedBy(Wide.of(each.sharePpm()), Wide.of(PPM)).quotient())
        .toList();
  }

  private static void check(boolean right, String words) {
    if (!right) {
      throw new IllegalArgumentException(words);
    }
  }
}
