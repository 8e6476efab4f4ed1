package dev.ron.storage.cluster.core;

import dev.ron.storage.core.Inventory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds out what another node has and this one has not, asking only about ranges that differ.
 *
 * <p>Threading: stateless.
 */
public final class InventoryDiff {
  /** So few are named one by one; more are divided first. */
  public static final int NAMED_MAX = 256;

  private InventoryDiff() {}

  /**
   * The other side of the comparison.
   *
   * @param <X> how asking it may fail
   */
  public interface Ranges<X extends Exception> {
    List<RangeDigests.Part> parts(String range) throws X, InterruptedException;

    /** At most {@link #NAMED_MAX} of them. */
    List<Inventory.Listed> objects(String range) throws X, InterruptedException;
  }

  /**
   * Objects of theirs that are not among mine.
   *
   * @param max how many are enough for now; the rest is found by the next comparison
   */
  public static <X extends Exception> List<Inventory.Listed> missing(
      RangeDigests mine, Ranges<X> theirs, int max) throws X, InterruptedException {
    var missing = new ArrayList<Inventory.Listed>();
    var differing = new ArrayDeque<String>(List.of(""));
    while (!differing.isEmpty() && missing.size() < max) {
      String range = differing.remove();
      Map<Integer, String> own = new HashMap<>();
      mine.parts(range).forEach(part -> own.put(part.next(), part.digest()));
      for (RangeDigests.Part part : theirs.parts(range)) {
        if (part.digest().equals(own.get(part.next()))) {
          continue;
        }
        String name = range + "%02x".formatted(part.next());
        if (part.count() > NAMED_MAX) {
          differing.add(name);
          continue;
        }
        for (Inventory.Listed object : theirs.objects(name)) {
          if (!mine.contains(object.address())) {
            missing.add(object);
          }
        }
      }
    }
    return missing.size() > max ? List.copyOf(missing.subList(0, max)) : missing;
  }
}
