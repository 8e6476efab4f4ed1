package dev.ron.storage.core;

import dev.ron.blake3.Address;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One thing to do on the disks of one node so that an object is where it belongs.
 *
 * <p>Threading: immutable.
 */
public sealed interface RepairPlan extends QueuedRepair {
  @Override
  default Work work() {
    return switch (this) {
      case Copy _, Heal _ -> Work.COPY;
      case Drop _ -> Work.REMOVAL;
    };
  }

  /**
   * A home that should have a copy has none.
   *
   * @param rebalance whether there are enough copies, elsewhere
   */
  record Copy(Address address, long sizeBytes, String home, boolean urgent, boolean rebalance)
      implements RepairPlan {
    public Copy(Address address, long sizeBytes, String home, boolean urgent) {
      this(address, sizeBytes, home, urgent, false);
    }
  }

  /** A home has a copy that is not what was stored. */
  record Heal(Address address, long sizeBytes, String home, boolean urgent) implements RepairPlan {}

  /** A home has a copy that belongs elsewhere, and it is there. */
  record Drop(Address address, long sizeBytes, String home) implements RepairPlan {
    @Override
    public boolean urgent() {
      return false;
    }
  }

  /**
   * What is to be done for one object, copies before removals.
   *
   * @param order all homes in the object's order
   * @param damaged ids of homes whose copy is known to be bad
   */
  static List<RepairPlan> of(
      ObjectCopies holding, List<VolumeState> order, Set<String> damaged, int replication) {
    Set<String> good = new HashSet<>(holding.homes());
    good.removeAll(damaged);
    order.stream().filter(home -> !home.takesReads()).map(VolumeState::id).forEach(good::remove);
    if (good.isEmpty() && holding.homes().size() < 2) {
      // Nothing to repair from. Two bad copies may still make one good one, group by group.
      return List.of();
    }
    boolean urgent = good.size() < 2 && replication > 1;
    var plans = new ArrayList<RepairPlan>();
    var wanted = new HashSet<String>();
    for (VolumeState home : order) {
      boolean holds = good.contains(home.id());
      if (wanted.size() < replication && (holds || home.takesWrites())) {
        wanted.add(home.id());
        if (!holds && holding.homes().contains(home.id())) {
          plans.add(new Heal(holding.address(), holding.sizeBytes(), home.id(), urgent));
        } else if (!holds) {
          boolean enough = good.size() >= replication;
          plans.add(new Copy(holding.address(), holding.sizeBytes(), home.id(), urgent, enough));
        }
      }
    }
    boolean complete = plans.isEmpty() && wanted.size() == replication;
    for (VolumeState home : order) {
      boolean surplus = holding.homes().contains(home.id()) && !wanted.contains(home.id());
      if (complete && surplus && home.takesWrites()) {
        plans.add(new Drop(holding.address(), holding.sizeBytes(), home.id()));
      }
    }
    return List.copyOf(plans);
  }
}
