package dev.ron.storage.cluster.reference;

import dev.ron.blake3.Address;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One try to change the owners of an object: promises of a majority, then what follows from what
 * they had, accepted by a majority.
 *
 * <p>Threading: owned by the thread that proposes.
 */
final class Proposal {
  private final Address address;
  private final Ballot ballot;
  private final int nodes;
  private final int majority;
  private final Set<String> promised = new HashSet<>();
  private final Set<String> accepted = new HashSet<>();
  private @Nullable OwnerRecord latest;
  private long highest;
  private int notLevel;
  private boolean alike = true;

  /**
   * @param nodes how many machines there are, those that are away among them
   */
  Proposal(Address address, Ballot ballot, int nodes) {
    this.address = address;
    this.ballot = ballot;
    this.nodes = nodes;
    this.majority = majority(nodes);
  }

  static int majority(int nodes) {
    return nodes / 2 + 1;
  }

  /** As many answers meet every majority in one machine. */
  static int readers(int nodes) {
    return nodes - majority(nodes) + 1;
  }

  Address address() {
    return address;
  }

  Ballot ballot() {
    return ballot;
  }

  void promised(String node, Vote vote) {
    heard(vote);
    if (vote.granted()) {
      alike &= promised.isEmpty() || Objects.equals(latest, vote.record());
      promised.add(node);
      latest = later(latest, vote.record());
    }
  }

  /** Whether what they had is known, and nothing below this ballot can be decided any more. */
  boolean isPromised() {
    return promised.size() >= majority;
  }

  /**
   * Whether every machine has promised, and all had the same: then nothing else can come up later.
   * What a majority has in common is not enough, because one of the others may have a record that
   * was proposed and not decided, and a later proposal takes that for the latest.
   */
  boolean isSettled() {
    return promised.size() == nodes && alike;
  }

  /** What all that is decided up to here has led to. */
  Owners current() {
    return latest == null ? Owners.ABSENT : latest.owners();
  }

  OwnerRecord next(Owners owners) {
    return new OwnerRecord(address, ballot, owners);
  }

  void accepted(String node, Vote vote) {
    heard(vote);
    if (vote.granted()) {
      accepted.add(node);
    }
  }

  boolean isChosen() {
    return accepted.size() >= majority;
  }

  /** The highest counter that was heard of; the next try has to be above it. */
  long highest() {
    return highest;
  }

  /** Machines that answered and may not vote yet. */
  int notLevel() {
    return notLevel;
  }

  int majority() {
    return majority;
  }

  private void heard(Vote vote) {
    highest = Math.max(highest, vote.highest());
    notLevel += vote.level() ? 0 : 1;
  }

  static @Nullable OwnerRecord later(@Nullable OwnerRecord one, @Nullable OwnerRecord other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return other.ballot().isAbove(one.ballot()) ? other : one;
  }
}
