package dev.ron.node.cluster;

import dev.ron.http.tls.PeerTls;
import dev.ron.node.NodeConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The settings of all services that follow from the list of machines: users write none of them.
 *
 * <p>One log for the mailbox, because the journal of a machine that was alone becomes that log's
 * journal as it is; and on few connections one is faster than three (ADR 0027).
 *
 * <p>Threading: stateless.
 */
final class ClusterSettings {
  /** One machine may be lost, and a write is durable on two others' disks at least. */
  private static final int COPIES_MAX = 3;

  private static final String MAILBOX = "mailbox";
  private static final String S3 = "s3";

  /** Services with a log, as {@code NodeMachines} names them. */
  static final Set<String> LOGS = Set.of(MAILBOX, S3);

  private ClusterSettings() {}

  /**
   * @param services that the node was told to run. The rewarder runs where the list is kept: a
   *     machine's ledger is its own, and clients ask for one
   * @param founding services whose log this machine founds
   * @return keys of the configuration and their values, as on a command line
   */
  static Map<String, String> of(
      ClusterRoster roster,
      String self,
      PeerTls tls,
      List<NodeConfig.Service> services,
      Set<String> founding) {
    var all = new LinkedHashMap<String, String>();
    if (!self.equals(roster.founder())) {
      all.put(
          "node.services",
          services.stream()
              .filter(each -> each != NodeConfig.Service.REWARDER)
              .map(NodeConfig.Service::word)
              .collect(Collectors.joining(",")));
    }
    all.put("mailbox.cluster.engine", "ratis");
    all.put("mailbox.cluster.node", self);
    all.put("mailbox.cluster.groups", "1");
    all.put("mailbox.cluster.founders", founders(roster, self, founding.contains(MAILBOX)));
    all.put("mailbox.cluster.peers", table(roster.at(ClusterMachine.MAILBOX_LOG), ""));
    put(all, "mailbox.cluster.tls", tls);
    all.put("storage.cluster.node", self);
    all.put("storage.cluster.peers", table(roster.at(ClusterMachine.OBJECTS), "https://"));
    put(all, "storage.cluster.tls", tls);
    String empty =
        roster.machines().stream()
            .filter(roster::givesAway)
            .map(each -> each.name() + "=0")
            .collect(Collectors.joining(","));
    if (!empty.isEmpty()) {
      all.put("storage.cluster.weights", empty);
    }
    all.put(
        "storage.durability.replication",
        Integer.toString(Math.min(COPIES_MAX, roster.machines().size())));
    all.put("storage.s3.cluster.names", table(roster.at(ClusterMachine.NAMES_LOG), ""));
    all.put("storage.s3.cluster.blocks", table(roster.at(ClusterMachine.BLOCKS), "https://"));
    all.put("storage.s3.cluster.founders", founders(roster, self, founding.contains(S3)));
    return all;
  }

  /**
   * A log is founded once, when the cluster forms. A founder whose folder was lost, or is from an
   * earlier time, would found another under the same name, alone, and take what it decides there
   * for decided: it waits until the others, who have the log, take it in again.
   */
  private static String founders(ClusterRoster roster, String self, boolean founds) {
    return founds || !self.equals(roster.founder())
        ? roster.founder()
        : roster.without(self).stream().map(ClusterMachine::name).collect(Collectors.joining(","));
  }

  private static void put(Map<String, String> all, String section, PeerTls tls) {
    all.put(section + ".cert", tls.certificates().toString());
    all.put(section + ".key", tls.key().toString());
    all.put(section + ".ca", tls.authority().toString());
    tls.revoked().ifPresent(file -> all.put(section + ".revoked", file.toString()));
  }

  private static String table(Map<String, String> values, String prefix) {
    return values.entrySet().stream()
        .map(each -> each.getKey() + "=" + prefix + each.getValue())
        .collect(Collectors.joining(","));
  }
}
