package dev.ron.storage.cluster.node;

import dev.ron.storage.cluster.reference.Ballot;
import dev.ron.storage.cluster.reference.OwnerRecord;
import dev.ron.storage.cluster.reference.Vote;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What nodes say to each other about references; records are their text.
 *
 * <p>Threading: immutable.
 */
public final class ReferenceMessages {
  private ReferenceMessages() {}

  /** A ballot that is to be promised. */
  public record Prepare(String address, long counter, String node) {
    public Ballot ballot() {
      return new Ballot(counter, node);
    }
  }

  /** A record that is to be accepted. */
  public record Accept(String record) {}

  /** A vote. */
  public record Voted(boolean granted, boolean level, long highest, @Nullable String record) {
    public static Voted of(Vote vote) {
      OwnerRecord record = vote.record();
      return new Voted(
          vote.granted(), vote.level(), vote.highest(), record == null ? null : record.text());
    }

    Optional<Vote> vote() {
      OwnerRecord read = record == null ? null : OwnerRecord.parse(record).orElse(null);
      return record != null && read == null
          ? Optional.empty()
          : Optional.of(new Vote(granted, level, highest, read));
    }
  }

  /** Which objects' owners are asked for. */
  public record Read(List<String> addresses) {
    public static final int MAX = 256;

    public Read {
      addresses = List.copyOf(addresses);
      if (addresses.size() > MAX) {
        throw new IllegalArgumentException("addresses: at most " + MAX);
      }
    }
  }

  /** Records of a node. */
  public record Records(boolean level, List<String> records) {}

  /** Which objects a tenant is named in the records of, after one and at most so many. */
  public record Named(String tenant, @Nullable String after, int max) {
    public Named {
      if (max < 1 || max > 1000) {
        throw new IllegalArgumentException("max: 1 to 1000");
      }
    }
  }

  /** Objects, by their addresses. */
  public record Names(boolean level, List<String> addresses) {}

  /** From where changes are asked for. */
  public record Since(String run, long after) {}

  /** Changes of a node, in the order in which it made them. */
  public record Changed(String run, long next, boolean more, List<String> records) {}

  /** A seal that is to be set on an object, or to be lifted. */
  public record Seal(String address, String seal, boolean on) {}

  /** Whether it was. */
  public record Sealed(boolean done) {}
}
