package dev.ron.node.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.client.RepairStatus;
import dev.ron.http.json.Json;
import dev.ron.http.json.JsonFault;
import dev.ron.http.json.JsonRead;
import dev.ron.node.cluster.ClusterReport;
import dev.ron.node.profile.TextTable;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a machine says of its groups, for people. */
final class ClusterTable {
  private static final Json JSON = Json.tolerant();

  /** A silence longer than this is shown. */
  private static final long SILENCE_MS = 2000;

  private ClusterTable() {}

  /** The table of {@code GET /cluster} of the admin door; nothing for a node alone. */
  static String machines(String json) {
    if (json.isEmpty()) {
      return "";
    }
    return switch (JSON.read(json.getBytes(UTF_8), ClusterReport.class)) {
      case JsonRead.Value<ClusterReport>(ClusterReport report) -> text(report);
      case JsonRead.Bad<ClusterReport>(JsonFault _) -> json + "\n";
    };
  }

  private static String text(ClusterReport report) {
    if (report.machines().isEmpty()) {
      return "";
    }
    List<List<String>> rows =
        report.machines().stream()
            .map(
                each ->
                    List.of(
                        each.name(),
                        each.address(),
                        runs(each),
                        each.ready() ? "yes" : "NO",
                        each.leads().isEmpty() ? "-" : String.join(" ", each.leads()),
                        each.runs().isEmpty() ? "" : Long.toString(each.lag()),
                        list(each, report.version()),
                        each.certificateUntil(),
                        each.build(),
                        each.trouble()))
            .toList();
    return "cluster %s is %s, as %s sees it%n"
            .formatted(report.cluster(), report.phase(), report.node())
        + TextTable.of(
            List.of(
                "MACHINE",
                "ADDRESS",
                "RUNS",
                "READY",
                "LEADS",
                "LAG",
                "LIST",
                "CERTIFICATE UNTIL",
                "VERSION",
                ""),
            rows,
            false)
        + "\n";
  }

  /**
   * A line of what {@code GET /repair} of the storage says of copies; nothing if it says nothing.
   */
  static String copies(String json) {
    return switch (JSON.read(json.getBytes(UTF_8), RepairStatus.class)) {
      case JsonRead.Value<RepairStatus>(RepairStatus status) -> copies(status);
      case JsonRead.Bad<RepairStatus>(JsonFault _) -> "";
    };
  }

  private static String copies(RepairStatus status) {
    RepairStatus.Cluster cluster = status.cluster();
    long missing = cluster == null ? status.lastRound().tooFewCopies() : cluster.missing();
    long urgent = cluster == null ? 0 : cluster.urgent();
    return "copies of objects: %d short, %d of them urgent; %d repairs wait, %d damaged here%n%n"
        .formatted(missing, urgent, status.plans().all(), status.damaged().objects());
  }

  private static String list(ClusterReport.Machine machine, long newest) {
    if (machine.runs().isEmpty()) {
      return "";
    }
    return machine.listVersion() == newest ? "same" : "OLDER";
  }

  private static String runs(ClusterReport.Machine machine) {
    String runs = machine.runs().isEmpty() ? "AWAY" : machine.runs();
    return machine.drains() ? runs + ", drains" : runs;
  }

  /** As {@code GET /v1/cluster} answers. */
  record Cluster(String node, List<Group> groups) {
    Cluster {
      if (groups == null) {
        throw new IllegalArgumentException("it names no groups");
      }
    }
  }

  /** One log, as that machine sees it. */
  record Group(
      int group,
      List<Integer> shards,
      @Nullable String leader,
      boolean leads,
      boolean quorum,
      boolean alive,
      long term,
      long ageMs,
      long committed,
      long applied,
      List<Peer> peers) {}

  /** A machine of a group; how far it is, only its leader knows. */
  record Peer(String node, String address, long matched, long silenceMs) {}

  static String text(String json) {
    return switch (JSON.read(json.getBytes(UTF_8), Cluster.class)) {
      case JsonRead.Value<Cluster>(Cluster cluster) -> text(cluster);
      // Another version's answer; shown as it came rather than not at all.
      case JsonRead.Bad<Cluster>(JsonFault _) -> json + "\n";
    };
  }

  private static String text(Cluster cluster) {
    var out = new StringBuilder();
    out.append("as %s sees it%n".formatted(cluster.node()));
    out.append(
        "%-5s  %-8s %-6s %6s %10s %10s  %-12s %s%n"
            .formatted(
                "GROUP", "LEADER", "QUORUM", "TERM", "COMMITTED", "APPLIED", "HEARD", "PEERS"));
    for (Group group : cluster.groups()) {
      out.append(
          "%-5d  %-8s %-6s %6d %10d %10d  %-12s %s%n"
              .formatted(
                  group.group(),
                  group.leader() == null ? "none" : group.leader(),
                  quorum(group),
                  group.term(),
                  group.committed(),
                  group.applied(),
                  group.leads() ? "leads" : group.ageMs() + " ms ago",
                  group.peers().stream()
                      .map(peer -> peer(group, peer))
                      .collect(Collectors.joining(", "))));
    }
    return out.toString();
  }

  private static String quorum(Group group) {
    if (!group.alive()) {
      return "FAILED";
    }
    return group.quorum() ? "yes" : "NO";
  }

  private static String peer(Group group, Peer peer) {
    String name = peer.node() + " " + peer.address();
    if (!group.leads()) {
      return name;
    }
    long behind = group.committed() - peer.matched();
    return name
        + (behind > 0 ? " (%d behind)".formatted(behind) : "")
        + (peer.silenceMs() > SILENCE_MS
            ? " (silent for %d s)".formatted(peer.silenceMs() / 1000)
            : "");
  }
}
