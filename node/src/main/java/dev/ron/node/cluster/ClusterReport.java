package dev.ron.node.cluster;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The machines of a cluster as one of them sees them, for {@code GET /cluster} of the admin door.
 *
 * <p>Threading: immutable.
 *
 * @param node the machine that tells
 * @param version of the list of machines
 */
public record ClusterReport(
    String cluster,
    String node,
    String phase,
    long version,
    String founder,
    List<Machine> machines,
    List<String> revoked) {
  /** Of a node that belongs to no cluster, or whose machines stand in its configuration. */
  public static final ClusterReport ALONE =
      new ClusterReport("", "", "alone", 0, "", List.of(), List.of());

  public ClusterReport {
    if (machines == null) {
      throw new IllegalArgumentException("it names no machines");
    }
  }

  /**
   * @param runs waiting, alone or cluster; empty if it does not answer
   * @param listVersion of the list that it has
   * @param certificateUntil when the certificate it shows ends
   * @param drains whether it is being emptied before it leaves
   * @param leads the logs it leads
   * @param lag entries of its logs that others have agreed on and it has not applied, of the log
   *     where it is furthest behind
   * @param trouble why it does not answer
   */
  public record Machine(
      String name,
      String address,
      String runs,
      boolean ready,
      long listVersion,
      String certificateUntil,
      String build,
      boolean drains,
      List<String> leads,
      long lag,
      String trouble) {
    public Machine {
      leads = leads == null ? List.of() : List.copyOf(leads);
    }

    static Machine of(
        ClusterMachine machine,
        @Nullable MachineStatus status,
        Map<String, Long> committed,
        String trouble) {
      String address = machine.at(0);
      return status == null
          ? new Machine(
              machine.name(),
              address,
              "",
              false,
              0,
              "",
              "",
              machine.drains(),
              List.of(),
              0,
              trouble)
          : new Machine(
              machine.name(),
              address,
              status.running().name().toLowerCase(Locale.ROOT),
              status.ready(),
              status.rosterVersion(),
              Instant.ofEpochMilli(status.certificateUntilMillis()).toString(),
              status.build(),
              machine.drains(),
              status.groups().stream()
                  .filter(MachineStatus.GroupPart::leads)
                  .map(MachineStatus.GroupPart::label)
                  .toList(),
              status.groups().stream()
                  .mapToLong(
                      part ->
                          Math.max(0, committed.getOrDefault(part.label(), 0L) - part.applied()))
                  .max()
                  .orElse(0),
              trouble.isEmpty() ? failed(status) : trouble);
    }

    private static String failed(MachineStatus status) {
      return status.groups().stream()
          .filter(part -> !part.alive())
          .map(part -> part.label() + " has failed there")
          .collect(Collectors.joining("; "));
    }
  }

  static ClusterReport of(ClusterTalk talk) throws IOException {
    ClusterRoster roster = talk.roster();
    var seen = new TreeMap<>(talk.seen());
    seen.put(talk.self(), new ClusterTalk.Seen(talk.status(), ""));
    var committed = new TreeMap<String, Long>();
    for (ClusterTalk.Seen each : seen.values()) {
      if (each.status() != null) {
        each.status()
            .groups()
            .forEach(part -> committed.merge(part.label(), part.committed(), Math::max));
      }
    }
    List<Machine> machines =
        roster.machines().stream()
            .map(
                each -> {
                  ClusterTalk.Seen last = seen.get(each.name());
                  return last == null
                      ? Machine.of(each, null, committed, "was not asked yet")
                      : Machine.of(each, last.status(), committed, last.why());
                })
            .toList();
    return new ClusterReport(
        roster.cluster(),
        talk.self(),
        roster.phase().name().toLowerCase(Locale.ROOT),
        roster.version(),
        roster.founder(),
        machines,
        roster.revoked());
  }
}
