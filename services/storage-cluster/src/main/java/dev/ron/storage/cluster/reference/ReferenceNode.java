package dev.ron.storage.cluster.reference;

import dev.ron.blake3.Address;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One of the machines, this one or another, as far as references go.
 *
 * <p>An {@code IOException} says that it cannot be asked or cannot do it now.
 *
 * <p>Threading: thread-safe.
 */
public interface ReferenceNode {
  /**
   * Records of one machine.
   *
   * @param level whether it has all that it ever accepted
   */
  record Page(boolean level, List<OwnerRecord> records) {
    public Page {
      records = List.copyOf(records);
    }
  }

  /** Objects, by what one machine knows. */
  record Names(boolean level, List<Address> addresses) {
    public Names {
      addresses = List.copyOf(addresses);
    }
  }

  /**
   * What a machine accepted or learned, in the order in which it did.
   *
   * @param run of the machine; positions are of one run
   * @param next where the next page begins
   * @param more whether there is one
   */
  record Changes(String run, long next, boolean more, List<OwnerRecord> records) {
    public Changes {
      records = List.copyOf(records);
    }
  }

  String name();

  Vote prepare(Address address, Ballot ballot) throws IOException, InterruptedException;

  Vote accept(OwnerRecord record) throws IOException, InterruptedException;

  /** What is recorded of these objects. */
  Page read(List<Address> addresses) throws IOException, InterruptedException;

  /** Objects in whose records a tenant is named, in the order of addresses. */
  Names named(String tenant, @Nullable Address after, int max)
      throws IOException, InterruptedException;

  /** From the beginning, if the run is not the machine's. */
  Changes changes(String run, long after) throws IOException, InterruptedException;

  /** Lets no bytes of an object in until the seal is lifted; false if another seal is on it. */
  boolean seal(Address address, String seal) throws IOException, InterruptedException;

  void lift(Address address, String seal) throws IOException, InterruptedException;
}
