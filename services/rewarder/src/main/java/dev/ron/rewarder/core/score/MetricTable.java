package dev.ron.rewarder.core.score;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.rewarder.core.Policy;
import java.util.Arrays;
import java.util.Map;

/**
 * A policy's metrics by their bytes: which pool each counts for, and its weight.
 *
 * <p>Threading: immutable.
 */
final class MetricTable {
  static final int UNKNOWN = -1;

  private final byte[][] names;
  private final long[] weights;
  private final int[] pools;
  private final int[] slots;

  MetricTable(Policy policy) {
    int count = policy.weightsPpm().size();
    names = new byte[count][];
    weights = new long[count];
    pools = new int[count];
    slots = new int[Integer.highestOneBit(count) * 8];
    Arrays.fill(slots, UNKNOWN);
    int next = 0;
    for (Map.Entry<String, Long> each : policy.weightsPpm().entrySet()) {
      names[next] = each.getKey().getBytes(UTF_8);
      weights[next] = each.getValue();
      pools[next] = policy.poolOf(each.getKey());
      int slot = hash(names[next], 0, names[next].length);
      while (slots[slot] != UNKNOWN) {
        slot = (slot + 1) & (slots.length - 1);
      }
      slots[slot] = next++;
    }
  }

  int find(byte[] bytes, int from, int to) {
    for (int slot = hash(bytes, from, to); ; slot = (slot + 1) & (slots.length - 1)) {
      int found = slots[slot];
      if (found == UNKNOWN) {
        return UNKNOWN;
      }
      byte[] name = names[found];
      if (name.length == to - from && Octets.same(name, 0, bytes, from, name.length)) {
        return found;
      }
    }
  }

  long weight(int metric) {
    return weights[metric];
  }

  int pool(int metric) {
    return pools[metric];
  }

  /** Ends, length and middle tell the few names of a policy apart well enough. */
  private int hash(byte[] bytes, int from, int to) {
    if (from == to) {
      return 0;
    }
    int mixed = bytes[from] * 31 + bytes[to - 1] * 17 + bytes[(from + to) >>> 1] * 7 + to - from;
    return (mixed ^ mixed >>> 5) & (slots.length - 1);
  }
}
