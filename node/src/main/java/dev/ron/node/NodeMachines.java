package dev.ron.node;

import dev.ron.gateway.route.OtherMachines;
import dev.ron.raft.GroupMachines;
import dev.ron.rewarder.epoch.EpochLog;
import dev.ron.storage.s3.cluster.AgreedRecords;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The machines of the cluster that a node belongs to, as its services ask for them.
 *
 * <p>Threading: thread-safe.
 */
@FunctionalInterface
public interface NodeMachines {
  /** A node alone, or one whose machines stand in its configuration. */
  NodeMachines NONE = (_, _) -> Map::of;

  /**
   * The machines that a service's log is to have; none while there is no cluster that the node is
   * part of.
   *
   * @param place of the log's port after a machine's base port
   */
  GroupMachines of(String service, int place);

  /** Where the gateway finds services that are not ready here. */
  default OtherMachines gateways() {
    return OtherMachines.NONE;
  }

  /**
   * Which run each epoch belongs to, as all machines agree.
   *
   * @param records that they keep together; null on a node that does not run S3 among them
   */
  default EpochLog epochs(@Nullable AgreedRecords records) {
    return EpochLog.ALONE;
  }

  /** What an operator is shown of them. */
  default Optional<Record> report() throws IOException {
    return Optional.empty();
  }
}
