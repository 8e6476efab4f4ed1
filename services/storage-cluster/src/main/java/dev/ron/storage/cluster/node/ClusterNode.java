package dev.ron.storage.cluster.node;

import dev.ron.blake3.Address;
import dev.ron.blake3.bao.Outboard;
import dev.ron.content.ContentStat;
import dev.ron.storage.cluster.core.ClusterMap;
import dev.ron.storage.cluster.core.CodedObject;
import dev.ron.storage.cluster.core.RangeDigests;
import dev.ron.storage.cluster.reference.ReferenceNode;
import dev.ron.storage.core.Inventory;
import dev.ron.storage.object.ObjectStore;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One of the nodes, this one or another, with what it keeps itself.
 *
 * <p>An {@code IOException} says that it cannot be asked or cannot do it now; what it answers has
 * been verified on this side.
 *
 * <p>Threading: thread-safe.
 */
public interface ClusterNode {
  /** What is kept apart from what. */
  enum Kind {
    /** Whole copies. */
    OBJECT("o"),
    /** Shards, and the records of the objects they belong to. */
    SHARD("shard");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    /** As nodes call it. */
    public String word() {
      return word;
    }
  }

  /** What bytes are read for: repair is told how far it has to give way, and counted. */
  enum Purpose {
    READER,
    REPAIR
  }

  /** An object that a node knows. */
  record Known(ContentStat stat, boolean coded) {}

  /**
   * Which write of which object, and which of its shards.
   *
   * @param anew whether a copy is written also where there is one, so that it takes as long
   */
  record Origin(String write, @Nullable Address object, int shard, boolean anew) {
    public static Origin whole(String write) {
      return new Origin(write, null, 0, false);
    }

    public static Origin anew(String write) {
      return new Origin(write, null, 0, true);
    }

    public static Origin shard(String write, Address object, int shard) {
      return new Origin(write, object, shard, false);
    }
  }

  /** What two nodes should both have, in the view of the one that compares. */
  record Shared(Kind kind, ClusterMap view, int shards, String with) {}

  String name();

  /** The same node, as far as references go. */
  ReferenceNode references();

  /** Worth asking now. */
  boolean here();

  boolean takesWrites();

  /**
   * @param expected null for a shard whose address is what it hashes to
   */
  ObjectStore.Written put(
      Kind kind, @Nullable Address expected, Origin origin, ObjectStore.Source source)
      throws IOException, InterruptedException;

  /** A write was refused: its copy goes, if nothing else relies on it. */
  void takeBack(Kind kind, Address address, String write) throws IOException, InterruptedException;

  Optional<Known> stat(Address address) throws IOException, InterruptedException;

  /** Verified bytes of a copy or shard; empty if it is not there. */
  Optional<byte[]> read(Kind kind, ContentStat stat, long from, int length, Purpose purpose)
      throws IOException, InterruptedException;

  Optional<Outboard> tree(ContentStat stat) throws IOException, InterruptedException;

  Optional<CodedObject> coded(Address address) throws IOException, InterruptedException;

  /**
   * False if it was not there.
   *
   * @param seal that must be on it; null where objects have no references
   */
  boolean delete(Address address, @Nullable String seal) throws IOException, InterruptedException;

  /** The same of an object that has no references. */
  default boolean delete(Address address) throws IOException, InterruptedException {
    return delete(address, null);
  }

  List<ContentStat> list(@Nullable Address after, int max) throws IOException, InterruptedException;

  List<RangeDigests.Part> parts(Shared shared, String range)
      throws IOException, InterruptedException;

  List<Inventory.Listed> objects(Shared shared, String range)
      throws IOException, InterruptedException;

  /** Whether it is here and every byte of it is good; that takes as long as reading it. */
  boolean sound(Kind kind, ContentStat stat) throws IOException, InterruptedException;

  /** Those of the addresses that are here, as far as known good, and will be kept for a while. */
  Set<Address> promise(Kind kind, List<Address> addresses) throws IOException, InterruptedException;

  /** Those of the addresses that are here and not known to be bad. */
  Set<Address> have(Kind kind, List<Address> addresses) throws IOException, InterruptedException;

  /** Tells the node of an object that belongs to it and that the teller has. */
  void offer(Address address, long sizeBytes, boolean urgent)
      throws IOException, InterruptedException;
}
