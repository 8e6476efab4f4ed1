package dev.ron.node.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.tls.PeerTls;
import dev.ron.node.NodeConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ClusterRosterTest {
  private static final ClusterRoster ONE =
      ClusterRoster.founded("home", new ClusterMachine("a", "10.0.0.1", 8080, "1a"));
  private static final ClusterRoster THREE =
      ONE.with(new ClusterMachine("b", "10.0.0.2", 8080, "1b"))
          .with(new ClusterMachine("c", "10.0.0.3", 8080, "1c"));

  @Test
  void everyChangeIsAnotherVersion() {
    assertThat(ONE.version()).isEqualTo(1);
    assertThat(THREE.version()).isEqualTo(3);
    assertThat(THREE.names()).containsExactly("a", "b", "c");
    assertThat(THREE.freeName(Set.of())).isEqualTo("d");
    assertThat(THREE.in(ClusterRoster.Phase.FORMED).version()).isEqualTo(4);
  }

  @Test
  void machinesThatWouldBeInEachOthersWayAreRefused() {
    assertThatThrownBy(() -> ONE.with(new ClusterMachine("b", "10.0.0.1", 8090, "1b")))
        .hasMessageContaining("they must be 27 apart");
    assertThatThrownBy(() -> new ClusterMachine("B!", "h", 1, "")).hasMessageContaining("name");
    assertThatThrownBy(() -> new ClusterMachine("b", "a b", 1, "")).hasMessageContaining("no host");
    assertThatThrownBy(() -> new ClusterMachine("b", "h", 0, "")).hasMessageContaining("base port");
    assertThat(new ClusterMachine("b", "::1", 8080, "").at(ClusterMachine.JOIN))
        .isEqualTo("[::1]:8106");
  }

  @Test
  void whoMayLeave() {
    ClusterRoster formed = THREE.in(ClusterRoster.Phase.FORMED);
    assertThatThrownBy(() -> formed.letGo("b")).hasMessageContaining("--replace b");
    assertThatThrownBy(() -> formed.letGo("x")).hasMessageContaining("none of the machines");
    ClusterRoster four = formed.with(new ClusterMachine("d", "10.0.0.4", 8080, "1d"));
    assertThatThrownBy(() -> four.letGo("a")).hasMessageContaining("has the authority");
    ClusterRoster left = four.letGo("b");
    assertThat(left.names()).containsExactly("a", "c", "d");
    assertThat(left.revoked()).containsExactly("name=b");
    assertThat(left.freeName(Set.of())).as("no name is given twice").isEqualTo("e");
    assertThat(THREE.letGo("c").names()).as("one that never came").containsExactly("a", "b");
    ClusterRoster forming = THREE.in(ClusterRoster.Phase.FORMING);
    assertThat(forming.letGo("c").phase())
        .as("two are too few to form")
        .isEqualTo(ClusterRoster.Phase.GATHERING);
    ClusterRoster more = forming.with(new ClusterMachine("d", "10.0.0.4", 8080, "1d"));
    assertThat(more.letGo("c").phase()).isEqualTo(ClusterRoster.Phase.FORMING);
  }

  @Test
  void aMachineThatDrainsGivesItsCopiesAwayIfThreeOthersStay() {
    ClusterRoster formed = THREE.in(ClusterRoster.Phase.FORMED);
    assertThatThrownBy(() -> THREE.draining("b", true)).hasMessageContaining("has not formed");
    assertThatThrownBy(() -> formed.draining("x", true)).hasMessageContaining("none of the");
    assertThatThrownBy(() -> formed.draining("a", true).draining("b", true).draining("c", true))
        .hasMessageContaining("all other machines drain");
    ClusterRoster three = formed.draining("b", true);
    assertThat(three.machine("b").orElseThrow().drains()).isTrue();
    assertThat(weights(three)).as("its copies have no other place").isNull();
    ClusterRoster four = three.with(new ClusterMachine("d", "10.0.0.4", 8080, "1d"));
    assertThat(weights(four)).isEqualTo("b=0");
    assertThat(weights(four.draining("b", false))).isNull();
    assertThat(four.letGo("b").names()).containsExactly("a", "c", "d");
  }

  private static @Nullable String weights(ClusterRoster roster) {
    var tls = new PeerTls(Path.of("cert"), Path.of("key"), Path.of("ca"));
    return ClusterSettings.of(roster, "a", tls, List.of(NodeConfig.Service.values()), Set.of())
        .get("storage.cluster.weights");
  }

  /** A founder that was lost, changed its list alone, and comes back. */
  @Test
  void theListOfTheMachineThatHasTheAuthorityNowHolds() {
    ClusterRoster formed = THREE.in(ClusterRoster.Phase.FORMED);
    ClusterRoster moved = formed.keptBy("b");
    ClusterRoster old = formed.draining("c", true).draining("c", false).draining("c", true);
    assertThat(old.version()).isGreaterThan(moved.version());
    assertThat(moved.isNewerThan(old)).isTrue();
    assertThat(old.isNewerThan(moved)).isFalse();
    assertThat(moved.isNewerThan(moved)).isFalse();
    ClusterRoster twice = formed.keptBy("c");
    assertThat(moved.isNewerThan(twice)).as("imported on two machines at a time").isTrue();
    assertThat(twice.isNewerThan(moved)).isFalse();
  }

  @Test
  void whatTheServicesOfAMachineRunAs() {
    record Row(ClusterRoster.Phase phase, String self, MachineStatus.Running as) {}
    for (Row row :
        List.of(
            new Row(ClusterRoster.Phase.GATHERING, "a", MachineStatus.Running.ALONE),
            new Row(ClusterRoster.Phase.GATHERING, "b", MachineStatus.Running.WAITING),
            new Row(ClusterRoster.Phase.FORMING, "a", MachineStatus.Running.ALONE),
            new Row(ClusterRoster.Phase.FORMING, "b", MachineStatus.Running.CLUSTER),
            new Row(ClusterRoster.Phase.FORMED, "a", MachineStatus.Running.CLUSTER),
            new Row(ClusterRoster.Phase.FORMED, "b", MachineStatus.Running.CLUSTER))) {
      assertThat(MachineStatus.wanted(THREE.in(row.phase()), row.self()))
          .as(row.toString())
          .isEqualTo(row.as());
    }
  }

  @Test
  void theSettingsOfAllServicesFollow() {
    var tls = new PeerTls(Path.of("cert"), Path.of("key"), Path.of("ca"));
    Map<String, String> settings =
        ClusterSettings.of(THREE, "b", tls, List.of(NodeConfig.Service.values()), Set.of());
    assertThat(settings)
        .containsEntry("node.services", "gateway,edge,mailbox,storage")
        .containsEntry("mailbox.cluster.node", "b")
        .containsEntry("mailbox.cluster.founders", "a")
        .containsEntry("mailbox.cluster.peers", "a=10.0.0.1:8100,b=10.0.0.2:8100,c=10.0.0.3:8100")
        .containsEntry(
            "storage.cluster.peers",
            "a=https://10.0.0.1:8102,b=https://10.0.0.2:8102,c=https://10.0.0.3:8102")
        .containsEntry("storage.durability.replication", "3")
        .containsEntry("storage.cluster.tls.cert", "cert");
  }

  /** A founder whose folder was lost would lead a log of its own beside that of the others. */
  @Test
  void aLogIsFoundedOnceByTheMachineThatFormedTheCluster() {
    var tls = new PeerTls(Path.of("cert"), Path.of("key"), Path.of("ca"));
    record Row(String self, Set<String> founding, String mailbox, String names) {}
    for (Row row :
        List.of(
            new Row("a", ClusterSettings.LOGS, "a", "a"),
            new Row("a", Set.of("s3"), "b,c", "a"),
            new Row("a", Set.of(), "b,c", "b,c"),
            new Row("b", Set.of(), "a", "a"))) {
      assertThat(
              ClusterSettings.of(
                  THREE.in(ClusterRoster.Phase.FORMED),
                  row.self(),
                  tls,
                  List.of(NodeConfig.Service.values()),
                  row.founding()))
          .as(row.toString())
          .containsEntry("mailbox.cluster.founders", row.mailbox())
          .containsEntry("storage.s3.cluster.founders", row.names());
    }
  }
}
