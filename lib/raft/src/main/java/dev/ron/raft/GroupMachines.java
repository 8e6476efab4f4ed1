package dev.ron.raft;

import java.util.List;
import java.util.Map;

/**
 * The machines that groups are to have, as a list outside of them says, and who is told what became
 * of it.
 *
 * <p>Threading: called from the task that follows it.
 */
@FunctionalInterface
public interface GroupMachines {
  /** Name to address; empty leaves the groups as they are. */
  Map<String, String> wanted();

  /** Whether a machine may lead; one that is about to leave hands over what it leads. */
  default boolean mayLead(String machine) {
    return true;
  }

  /** The groups as this machine sees them, about once a second. */
  default void told(List<RaftGroupStatus> groups) {}
}
