package dev.ron.storage.cluster.core;

import dev.ron.blake3.Address;
import dev.ron.storage.core.QueuedRepair;
import dev.ron.storage.core.RepairPlan;

/**
 * One thing that a node of several has to do so that an object is where it belongs.
 *
 * <p>Threading: immutable.
 */
public sealed interface NodeRepairPlan extends QueuedRepair {
  @Override
  default Work work() {
    return switch (this) {
      case OnDisks(RepairPlan plan) -> plan.work();
      case Fetch _ -> Work.COPY;
      case Rebuild _ -> Work.SHARD;
      case GiveUp _, GiveUpShards _ -> Work.REMOVAL;
    };
  }

  /** Among the disks of this node alone. */
  record OnDisks(RepairPlan plan) implements NodeRepairPlan {
    @Override
    public Address address() {
      return plan.address();
    }

    @Override
    public long sizeBytes() {
      return plan.sizeBytes();
    }

    @Override
    public String home() {
      return plan.home();
    }

    @Override
    public boolean urgent() {
      return plan.urgent();
    }
  }

  /**
   * A copy belongs to this node, and other nodes have it.
   *
   * @param rebalance whether there are enough copies, elsewhere
   */
  record Fetch(Address address, long sizeBytes, String home, boolean urgent, boolean rebalance)
      implements NodeRepairPlan {
    public Fetch(Address address, long sizeBytes, String home, boolean urgent) {
      this(address, sizeBytes, home, urgent, false);
    }
  }

  /** A shard of a coded object belongs to this node and has to be computed from the others. */
  record Rebuild(Address address, int shard, long sizeBytes, String home, boolean urgent)
      implements NodeRepairPlan {}

  /** This node has a copy that belongs to other nodes, which have it too. */
  record GiveUp(Address address, long sizeBytes, String home) implements NodeRepairPlan {
    @Override
    public boolean urgent() {
      return false;
    }
  }

  /** This node has a shard that belongs to another, or no shard at all of an object it knows. */
  record GiveUpShards(Address address, long sizeBytes, String home) implements NodeRepairPlan {
    @Override
    public boolean urgent() {
      return false;
    }
  }
}
