package dev.ron.gateway.core;

import java.util.random.RandomGenerator;

/**
 * Chooses an upstream: the less loaded of two random ones.
 *
 * <p>Looking at two instead of all keeps gateways that know nothing of each other from all running
 * to the same upstream at once, and comes close to the best choice (Mitzenmacher, 2001).
 *
 * <p>Threading: stateless.
 */
public final class Balancer {
  /** None can be chosen. */
  public static final int NONE = -1;

  private Balancer() {}

  /** What is known about the candidates. */
  public interface Loads {
    int count();

    boolean usable(int index);

    /** Requests it works on. */
    int load(int index);
  }

  public static int pick(Loads loads, RandomGenerator random) {
    int count = loads.count();
    if (count == 1) {
      return loads.usable(0) ? 0 : NONE;
    }
    var usable = new int[count];
    int found = 0;
    for (int i = 0; i < count; i++) {
      if (loads.usable(i)) {
        usable[found++] = i;
      }
    }
    if (found < 2) {
      return found == 0 ? NONE : usable[0];
    }
    int first = random.nextInt(found);
    int second = random.nextInt(found - 1);
    int one = usable[first];
    int other = usable[second >= first ? second + 1 : second];
    return loads.load(other) < loads.load(one) ? other : one;
  }
}
