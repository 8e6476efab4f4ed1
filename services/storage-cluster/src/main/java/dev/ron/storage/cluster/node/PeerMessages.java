package dev.ron.storage.cluster.node;

import dev.ron.storage.api.StoredObject;
import dev.ron.storage.cluster.core.ClusterMap;
import dev.ron.storage.cluster.core.Member;
import dev.ron.storage.cluster.core.RangeDigests;
import dev.ron.storage.core.Inventory;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What nodes say to each other in JSON; bytes travel as slices.
 *
 * <p>Threading: immutable.
 */
public final class PeerMessages {
  private PeerMessages() {}

  /** In the query of a read that is for repair, and answered with {@link #PACE_SHARE}. */
  public static final String FOR_REPAIR = "for=repair";

  /** The field that says how much of a repair rate the readers of a node leave, 0 to 1. */
  public static final String PACE_SHARE = "Ron-Pace-Share";

  /** Another node. */
  public record NodeView(String node, String url, String presence, boolean takesWrites) {}

  /** The other nodes, the source of that list, and what the last comparison with them found. */
  public record ClusterView(
      String node,
      String registry,
      List<NodeView> nodes,
      int replication,
      long round,
      long missing,
      long urgent,
      long surplus,
      long skipped,
      List<String> away) {}

  /**
   * How a node is.
   *
   * @param knows the nodes on its list, itself too; null from a build that does not say
   */
  public record Status(String node, boolean takesWrites, @Nullable List<String> knows) {
    public Status {
      knows = knows == null ? null : List.copyOf(knows);
    }
  }

  /** What a node says of itself where the others look for it. */
  public record Seat(String url, String region, int weight) {
    public Seat {
      if (url == null || !url.matches("https?://[^/]+/?")) {
        throw new IllegalArgumentException("url: http://host:port");
      }
      if (region == null || region.isBlank() || weight < 0) {
        throw new IllegalArgumentException("region and weight");
      }
    }
  }

  /** An object a node knows. */
  public record Known(long size, boolean coded) {}

  /** What was stored, as the node that stored it names it. */
  public record Stored(String address, long size, boolean fresh) {}

  /** A write that was refused. */
  public record TakeBack(String kind, String address, String write) {}

  /** A question about what two nodes share in the asker's view. */
  public record Question(
      String kind,
      List<Member> members,
      List<String> residency,
      int replication,
      int shards,
      String with,
      String range) {
    public Question {
      members = List.copyOf(members);
      residency = List.copyOf(residency);
      if (members.isEmpty() || members.size() > 1024) {
        throw new IllegalArgumentException("members: 1 to 1024");
      }
      if (!range.matches("([0-9a-f]{2}){0,32}")) {
        throw new IllegalArgumentException("range: up to 32 pairs of hex digits");
      }
      if (replication < 1 || shards < 0 || shards > 255) {
        throw new IllegalArgumentException("replication and shards");
      }
    }

    public static Question of(String kind, ClusterMap view, int shards, String with, String range) {
      return new Question(
          kind,
          view.members(),
          List.copyOf(view.residency()),
          view.replication(),
          shards,
          with,
          range);
    }

    public ClusterMap view() {
      return new ClusterMap(members, new HashSet<>(residency), replication);
    }
  }

  /** The parts of a range. */
  public record Parts(List<RangeDigests.Part> parts) {}

  /** The objects of a range. */
  public record Objects(List<StoredObject> objects) {
    public static Objects of(List<Inventory.Listed> listed) {
      return new Objects(
          listed.stream().map(each -> StoredObject.of(each.address(), each.sizeBytes())).toList());
    }
  }

  /** Addresses of one kind, asked for or answered. */
  public record Addresses(String kind, List<String> addresses) {
    public static final int MAX = 256;

    public Addresses {
      addresses = List.copyOf(addresses);
      if (addresses.size() > MAX) {
        throw new IllegalArgumentException("addresses: at most " + MAX);
      }
    }
  }

  /** An object that belongs to the node that is told. */
  public record Offer(String address, long size, boolean urgent) {}

  /** A page of a listing. */
  public record Page(List<StoredObject> objects, @Nullable String next) {}
}
