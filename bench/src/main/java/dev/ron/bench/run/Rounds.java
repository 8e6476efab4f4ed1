package dev.ron.bench.run;

import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * What both sides measured, round by round; the peer's half is missing when the peer is absent.
 *
 * <p>Threading: immutable if {@code T} is.
 *
 * @param cutShort the time ran out before every wished round was measured
 */
public record Rounds<T>(List<Round<T>> all, boolean cutShort) {
  /** One turn of each side, close together in time. */
  public record Round<T>(T ours, @Nullable T peer) {}

  public Rounds {
    all = List.copyOf(all);
    if (all.isEmpty()) {
      throw new IllegalArgumentException("a comparison needs at least one round");
    }
    boolean withPeer = all.getFirst().peer() != null;
    if (all.stream().anyMatch(round -> (round.peer() != null) != withPeer)) {
      throw new IllegalArgumentException("the peer took part in some rounds only");
    }
  }

  public int count() {
    return all.size();
  }

  public boolean hasPeer() {
    return all.getFirst().peer() != null;
  }

  public double[] ours(ToDoubleFunction<T> metric) {
    return all.stream().mapToDouble(round -> metric.applyAsDouble(round.ours())).toArray();
  }

  /** Only to be asked when {@link #hasPeer()}. */
  public double[] peer(ToDoubleFunction<T> metric) {
    return all.stream()
        .mapToDouble(round -> metric.applyAsDouble(Objects.requireNonNull(round.peer(), "peer")))
        .toArray();
  }
}
