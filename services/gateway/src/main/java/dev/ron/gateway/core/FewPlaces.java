package dev.ron.gateway.core;

import java.util.Collection;

/**
 * How the places toward a pool are shared while failures have left only a few of them.
 *
 * <p>Taking turns is not enough then: a download keeps its place for as long as it likes, and the
 * turns of one client, taken one after the other, would end with all of the few places in its
 * hands. So each holder may have as many as are still free, which is half of them for one alone,
 * and the next that comes finds some.
 *
 * <p>What a holder had when the places became few counts for half of them at most: it keeps what it
 * has, and the others do not wait for it.
 *
 * <p>Threading: immutable.
 *
 * @param free what no holder counts for
 */
public record FewPlaces(int free) {
  /**
   * @param held by each that holds any
   */
  public static FewPlaces of(int limit, Collection<Integer> held) {
    int most = Math.max(1, limit / 2);
    int free = limit;
    for (int each : held) {
      free -= Math.min(each, most);
    }
    return new FewPlaces(Math.max(0, free));
  }

  public static boolean are(int limit, int max) {
    return limit < max / 2;
  }

  public boolean openTo(int held) {
    return held < free;
  }
}
