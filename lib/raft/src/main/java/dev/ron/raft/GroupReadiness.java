package dev.ron.raft;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Why this machine cannot serve its groups, or does not carry them yet.
 *
 * <p>While a group is being founded the founder alone has it: it answers, and so do the machines
 * that ask it, but were its disk lost now, everything would be. So none of them is ready before the
 * group has agreed on having several machines, this one among them. A machine that carries a group
 * goes on doing so: later changes of the members take others in and out beside it.
 *
 * <p>Threading: thread-safe.
 */
public final class GroupReadiness {
  private final RaftNode node;
  private final GroupMachines machines;
  private final Set<Integer> carried = ConcurrentHashMap.newKeySet();

  public GroupReadiness(RaftNode node, GroupMachines machines) {
    this.node = node;
    this.machines = machines;
  }

  /** Empty if it carries all of them and can decide in each. */
  public Optional<String> missing() {
    List<RaftGroup> groups = node.groups();
    if (groups.isEmpty()) {
      return Optional.of("not open yet");
    }
    String all =
        groups.stream()
            .map(RaftGroup::status)
            .flatMap(status -> missing(status).stream())
            .collect(Collectors.joining(", "));
    return all.isEmpty() ? Optional.empty() : Optional.of(all);
  }

  private Optional<String> missing(RaftGroupStatus status) {
    String group = "group " + status.group();
    if (!status.alive()) {
      return Optional.of(group + " has failed here; restart this machine");
    }
    if (!status.quorum()) {
      return Optional.of(group + " has no quorum");
    }
    if (carried.contains(status.group())) {
      return Optional.empty();
    }
    boolean alone = status.members().size() == 1 && machines.wanted().size() > 1;
    if (status.members().contains(node.node()) && !alone) {
      carried.add(status.group());
      return Optional.empty();
    }
    return Optional.of(
        alone
            ? group + " is on " + status.members().iterator().next() + " alone so far"
            : group + " is about to take this machine in");
  }
}
