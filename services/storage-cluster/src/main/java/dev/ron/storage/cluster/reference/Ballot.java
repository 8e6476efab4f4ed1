package dev.ron.storage.cluster.reference;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.Optional;

/**
 * The rank of a proposal: no two machines propose with the same one.
 *
 * <p>The counter follows the clock where it can, so that a machine that comes back is not behind by
 * all that happened since. Nothing depends on the clock being right.
 *
 * <p>Threading: immutable.
 *
 * @param counter at least 1; 1 is of what a machine had before it was one of several
 */
public record Ballot(long counter, String node) implements Comparable<Ballot> {
  static final Ballot LOWEST = new Ballot(0, "");
  static final long FOUNDING = 1;

  static Optional<Ballot> parse(String text) {
    int colon = text.indexOf(':');
    try {
      return colon < 1
          ? Optional.empty()
          : Optional.of(
              new Ballot(
                  Long.parseLong(text.substring(0, colon)),
                  URLDecoder.decode(text.substring(colon + 1), UTF_8)));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  boolean isAbove(Ballot other) {
    return compareTo(other) > 0;
  }

  /** Without a space, whatever the machine is called. */
  String text() {
    return counter + ":" + URLEncoder.encode(node, UTF_8);
  }

  @Override
  public int compareTo(Ballot other) {
    int order = Long.compare(counter, other.counter);
    return order != 0 ? order : node.compareTo(other.node);
  }
}
