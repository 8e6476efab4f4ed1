package dev.ron.storage.cluster.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes belong to the storage, from what a registry lists over time.
 *
 * <p>A node that is no longer listed belongs until the grace has passed: it may only have lost its
 * way to the registry, its copies still count, and a delete that forgot it would be undone when it
 * comes back. A node that has no list at all asks nothing of this and keeps what it knew last.
 *
 * <p>Threading: immutable.
 */
public record Membership(Map<String, Seat> seats) {
  /** What a node says of itself. */
  public record Seat(String url, String region, int weight, @Nullable Instant missedSince) {
    public Seat(String url, String region, int weight) {
      this(url, region, weight, null);
    }

    Seat missed(Instant now) {
      return missedSince == null ? new Seat(url, region, weight, now) : this;
    }
  }

  public Membership {
    seats = Collections.unmodifiableMap(new TreeMap<>(seats));
  }

  /**
   * After the registry was read.
   *
   * @param self belongs whether it is listed or not
   */
  public Membership heard(Map<String, Seat> listed, String self, Instant now, Duration grace) {
    var next = new TreeMap<String, Seat>(listed);
    seats.forEach(
        (name, seat) -> {
          if (name.equals(self)) {
            next.put(name, seat);
          } else if (!listed.containsKey(name)) {
            Seat missed = seat.missed(now);
            Instant since = missed.missedSince();
            if (since == null || since.plus(grace).isAfter(now)) {
              next.put(name, missed);
            }
          }
        });
    return new Membership(next);
  }

  /** Whether objects belong to the same nodes at the same places. */
  public boolean sameAs(Membership other) {
    return described().equals(other.described());
  }

  private Map<String, Seat> described() {
    var plain = new TreeMap<String, Seat>();
    seats.forEach(
        (name, seat) -> plain.put(name, new Seat(seat.url(), seat.region(), seat.weight())));
    return plain;
  }

  public ClusterMap view(Set<String> residency, int replication) {
    List<Member> members =
        seats.entrySet().stream()
            .map(
                each ->
                    new Member(each.getKey(), each.getValue().region(), each.getValue().weight()))
            .toList();
    return new ClusterMap(members, residency, replication);
  }
}
