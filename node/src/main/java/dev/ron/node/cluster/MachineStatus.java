package dev.ron.node.cluster;

import dev.ron.raft.RaftGroupStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a machine says of itself to the others.
 *
 * <p>Threading: immutable.
 *
 * @param running what its services run as
 * @param rosterTerm of the list of machines that it has
 * @param rosterFounder of the same list; two may have begun the same term
 * @param certificateUntilMillis when the certificate it shows ends
 * @param build the version of the program
 * @param groups the logs it has a part in; none from a machine that does not tell
 */
record MachineStatus(
    String name,
    Running running,
    boolean ready,
    long rosterTerm,
    long rosterVersion,
    String rosterFounder,
    long certificateUntilMillis,
    String build,
    List<GroupPart> groups) {
  MachineStatus {
    rosterFounder = rosterFounder == null ? "" : rosterFounder;
    groups = groups == null ? List.of() : List.copyOf(groups);
  }

  /** What the services of a machine run as. */
  enum Running {
    /** They do not, until enough machines have joined. */
    WAITING,
    ALONE,
    CLUSTER
  }

  /**
   * A machine's part in one log.
   *
   * @param leader null if it knows of none
   * @param alive false once it has given up on the group
   */
  record GroupPart(
      String service,
      int group,
      @Nullable String leader,
      boolean leads,
      boolean alive,
      long term,
      long committed,
      long applied) {
    static GroupPart of(String service, RaftGroupStatus status) {
      return new GroupPart(
          service,
          status.group(),
          status.quorum() ? status.leader().orElse(null) : null,
          status.leads(),
          status.alive(),
          status.term(),
          status.committed(),
          status.applied());
    }

    String label() {
      return service + "/" + group;
    }
  }

  /** What a machine's services are to run as. */
  static Running wanted(ClusterRoster roster, String self) {
    if (roster.phase() == ClusterRoster.Phase.FORMED) {
      return Running.CLUSTER;
    }
    if (self.equals(roster.founder())) {
      return Running.ALONE;
    }
    return roster.phase() == ClusterRoster.Phase.FORMING ? Running.CLUSTER : Running.WAITING;
  }
}
