package dev.ron.node.cluster;

import dev.ron.http.tls.PeerIdentity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The machines of a cluster, as all of them shall see it.
 *
 * <p>Threading: immutable.
 *
 * @param cluster its name
 * @param term counts the machines that kept the list; a machine that was lost and comes back with
 *     changes of its own gives them up
 * @param version counts the changes; of two lists of one term the one with more holds
 * @param founder the machine that has the authority and keeps this list: the one whose messages,
 *     objects and names the cluster began with, or another after that one was lost
 * @param revoked the names of machines whose certificates count no more, as {@link PeerIdentity}
 *     reads them
 */
public record ClusterRoster(
    String cluster,
    long term,
    long version,
    Phase phase,
    String founder,
    List<ClusterMachine> machines,
    List<String> revoked) {
  /** With fewer, the loss of one would stop the others: a majority of two is two. */
  public static final int FORMED_FROM = 3;

  private static final int MACHINES_MAX = 16;

  /** How far a cluster is on its way from one machine to several. */
  public enum Phase {
    /** The founder runs alone; those that joined wait. */
    GATHERING,
    /** Enough have joined: they start and wait for the founder, which still runs alone. */
    FORMING,
    /** All of them are one. */
    FORMED
  }

  public ClusterRoster {
    machines = machines.stream().sorted(Comparator.comparing(ClusterMachine::name)).toList();
    revoked = List.copyOf(new TreeSet<>(revoked));
  }

  static ClusterRoster founded(String cluster, ClusterMachine by) {
    return new ClusterRoster(cluster, 1, 1, Phase.GATHERING, by.name(), List.of(by), List.of());
  }

  /**
   * Whether this list holds and the other does not. The same on all machines, also if the authority
   * was imported on two at a time: then the one whose name comes first keeps the list.
   */
  boolean isNewerThan(ClusterRoster other) {
    return other.isOlderThan(term, version, founder);
  }

  /** The same by what a machine says of its list. */
  boolean isOlderThan(long otherTerm, long otherVersion, String otherFounder) {
    if (otherTerm != term) {
      return otherTerm > term;
    }
    return otherVersion == version ? otherFounder.compareTo(founder) < 0 : otherVersion > version;
  }

  public Optional<ClusterMachine> machine(String name) {
    return machines.stream().filter(each -> each.name().equals(name)).findFirst();
  }

  public List<ClusterMachine> without(String name) {
    return machines.stream().filter(each -> !each.name().equals(name)).toList();
  }

  /** Some of the machines, as if there were no others. */
  ClusterRoster of(List<ClusterMachine> some) {
    return new ClusterRoster(cluster, term, version, phase, founder, some, revoked);
  }

  /** Host and port of each machine at one place after its base port. */
  public Map<String, String> at(int place) {
    var all = new LinkedHashMap<String, String>();
    machines.forEach(each -> all.put(each.name(), each.at(place)));
    return all;
  }

  /**
   * With another machine, or another certificate of one that is there.
   *
   * @throws IllegalArgumentException if it would be in the way of another; the message says why
   */
  ClusterRoster with(ClusterMachine fresh) {
    List<ClusterMachine> others = without(fresh.name());
    if (others.size() >= MACHINES_MAX) {
      throw new IllegalArgumentException(
          "a cluster has %d machines at most".formatted(MACHINES_MAX));
    }
    for (ClusterMachine each : others) {
      boolean close = Math.abs(each.basePort() - fresh.basePort()) <= ClusterMachine.JOIN;
      if (each.host().equals(fresh.host()) && close) {
        throw new IllegalArgumentException(
            "%s and %s are both at %s with base ports %d and %d; they must be %d apart"
                .formatted(
                    each.name(),
                    fresh.name(),
                    fresh.host(),
                    each.basePort(),
                    fresh.basePort(),
                    ClusterMachine.JOIN + 1));
      }
    }
    var all = new ArrayList<>(others);
    all.add(fresh);
    return new ClusterRoster(cluster, term, version + 1, phase, founder, all, revoked);
  }

  /**
   * With a machine that is to be emptied before it leaves, or is so no more.
   *
   * @throws IllegalArgumentException if there is no such machine, or it has nothing to give away
   *     yet
   */
  ClusterRoster draining(String name, boolean drains) {
    ClusterMachine machine =
        machine(name)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "%s is none of the machines %s".formatted(name, names())));
    if (phase != Phase.FORMED) {
      throw new IllegalArgumentException(
          "the cluster has not formed yet: `ron cluster leave %s` lets it go as it is"
              .formatted(name));
    }
    boolean last = machines.stream().allMatch(each -> each.drains() || each.name().equals(name));
    if (drains && last) {
      throw new IllegalArgumentException("all other machines drain already");
    }
    return with(machine.draining(drains));
  }

  /** Machines that copies are put on: of fewer than are needed each keeps what it has. */
  boolean givesAway(ClusterMachine machine) {
    long staying = machines.stream().filter(each -> !each.drains()).count();
    return machine.drains() && staying >= FORMED_FROM;
  }

  ClusterRoster in(Phase next) {
    return new ClusterRoster(cluster, term, version + 1, next, founder, machines, revoked);
  }

  /**
   * Without a machine, whose certificate counts no more.
   *
   * @throws IllegalArgumentException if it cannot be let go; the message says why
   */
  ClusterRoster letGo(String name) {
    ClusterMachine gone =
        machine(name)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "%s is none of the machines %s".formatted(name, names())));
    if (name.equals(founder)) {
      throw new IllegalArgumentException(
          name + " has the authority, without which no machine can join: it cannot leave");
    }
    if (phase == Phase.FORMED && machines.size() <= FORMED_FROM) {
      throw new IllegalArgumentException(
          "of %d machines none can leave without another in its place: `ron cluster invite --replace %s`"
              .formatted(machines.size(), name));
    }
    return without(gone);
  }

  /**
   * With the authority on another machine.
   *
   * @throws IllegalArgumentException if the cluster has not formed: only the first machine can be
   *     what it forms around
   */
  ClusterRoster keptBy(String name) {
    if (phase != Phase.FORMED) {
      throw new IllegalArgumentException(
          "the cluster has not formed yet, so the authority stays on " + founder);
    }
    return new ClusterRoster(cluster, term + 1, version + 1, phase, name, machines, revoked);
  }

  /**
   * Looked at when a machine is invited, and again when it comes: the list may have changed.
   *
   * @throws IllegalArgumentException if a machine's place cannot go to another
   */
  void requireReplaceable(String name) {
    if (machine(name).isEmpty()) {
      throw new IllegalArgumentException("%s is none of the machines %s".formatted(name, names()));
    }
    if (name.equals(founder)) {
      throw new IllegalArgumentException(
          name
              + " has the authority of the cluster and cannot be replaced by a machine that asks it");
    }
  }

  /** A dead machine's place goes to another. */
  ClusterRoster replaced(String name) {
    return without(machine(name).orElseThrow());
  }

  /** A cluster that was about to form with too few waits for others again. */
  private ClusterRoster without(ClusterMachine gone) {
    var refused = new ArrayList<>(revoked);
    refused.add(PeerIdentity.holder(gone.name()));
    List<ClusterMachine> left = without(gone.name());
    boolean tooFew = phase == Phase.FORMING && left.size() < FORMED_FROM;
    return new ClusterRoster(
        cluster, term, version + 1, tooFew ? Phase.GATHERING : phase, founder, left, refused);
  }

  List<String> names() {
    return machines.stream().map(ClusterMachine::name).toList();
  }

  /** A name is given once: all certificates that were made for it may be revoked. */
  boolean isFree(String name) {
    return machine(name).isEmpty() && !revoked.contains(PeerIdentity.holder(name));
  }

  /**
   * The first letter that names no machine.
   *
   * @param promised names of machines that are not listed yet
   */
  String freeName(Set<String> promised) {
    for (char letter = 'a'; letter <= 'z'; letter++) {
      String name = String.valueOf(letter);
      if (isFree(name) && !promised.contains(name)) {
        return name;
      }
    }
    throw new IllegalArgumentException("every letter names a machine: choose a name by --node");
  }
}
