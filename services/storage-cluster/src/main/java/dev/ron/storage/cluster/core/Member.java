package dev.ron.storage.cluster.core;

/**
 * One of the nodes that share the objects, as placement sees it.
 *
 * <p>Threading: immutable.
 *
 * @param region where it is: copies of one object go to different regions where they can
 * @param weight how much it takes, measured against the others; 0 takes nothing new and gives away
 *     what it has
 */
public record Member(String name, String region, int weight) {
  public static final int WEIGHT_MAX = 1000;

  public Member {
    if (name.isBlank() || region.isBlank()) {
      throw new IllegalArgumentException("a node needs a name and a region");
    }
    if (weight < 0 || weight > WEIGHT_MAX) {
      throw new IllegalArgumentException(
          "weight of %s = %d, must be 0 to %d".formatted(name, weight, WEIGHT_MAX));
    }
  }
}
