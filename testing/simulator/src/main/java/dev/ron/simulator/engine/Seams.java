package dev.ron.simulator.engine;

import dev.ron.kernel.disk.Disk;
import dev.ron.raft.RaftGroup;
import dev.ron.raft.RaftStateMachine;
import dev.ron.storage.cluster.node.ClusterNode;
import dev.ron.storage.cluster.node.PeerWire;
import dev.ron.storage.reference.ObjectViews;

/**
 * Where a test can put something of its own between the product and what is simulated, to plant a
 * bug. Each method gets the name of a machine.
 *
 * <p>Threading: what is answered runs as what it stands for does.
 */
public interface Seams {
  Seams NONE = new Seams() {};

  default Disk disk(String machine, Disk real) {
    return real;
  }

  /** What the log drives. */
  default RaftStateMachine driven(String machine, RaftStateMachine real) {
    return real;
  }

  /** The log as its user sees it. */
  default RaftGroup group(String machine, RaftGroup real) {
    return real;
  }

  /** The way from one machine of the storage to another. */
  default PeerWire wire(String from, String to, PeerWire real) {
    return real;
  }

  /** The storage as clients of a machine reach it. */
  default ObjectViews views(String machine, ObjectViews real) {
    return real;
  }

  /** A machine's own blocks, as names know them. */
  default ClusterNode blocks(String machine, ClusterNode real) {
    return real;
  }
}
