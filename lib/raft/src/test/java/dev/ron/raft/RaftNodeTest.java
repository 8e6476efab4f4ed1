package dev.ron.raft;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.testkit.FreePorts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RaftNodeTest {
  @TempDir private Path folder;

  private static CompletableFuture<Void> propose(
      Cluster cluster, String leader, int group, String text) throws Exception {
    return cluster.node(leader).group(group).propose(ByteBuffer.wrap(text.getBytes(UTF_8)));
  }

  @Test
  void whatWasCommittedIsOnEveryMachineInOneOrderAndOutlivesTheLeader() throws Exception {
    try (var cluster = new Cluster(folder, 1, "a", "b", "c")) {
      String first = cluster.leader(0);
      List<CompletableFuture<Void>> all = new ArrayList<>();
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        expected.add("m" + i);
        all.add(propose(cluster, first, 0, "m" + i));
      }
      for (CompletableFuture<Void> each : all) {
        each.get(20, TimeUnit.SECONDS);
      }
      for (String name : List.of("a", "b", "c")) {
        cluster.await(name + " has all", () -> cluster.texts(name, 0).applied.equals(expected));
      }
      long term = cluster.texts(first, 0).leads;

      cluster.stop(first);
      String second = cluster.leader(0);
      assertThat(cluster.texts(second, 0).leads).isGreaterThan(term).isPositive();
      assertThat(cluster.node(second).group(0).status().term())
          .isEqualTo(cluster.texts(second, 0).leads);
      propose(cluster, second, 0, "after").get(20, TimeUnit.SECONDS);
      assertThat(cluster.texts(second, 0).applied).endsWith("m199", "after").hasSize(201);

      cluster.start(first, cluster.addresses, false);
      cluster.await(first + " catches up", () -> cluster.texts(first, 0).applied.size() == 201);
      assertThat(cluster.texts(first, 0).applied).isEqualTo(cluster.texts(second, 0).applied);
    }
  }

  @Test
  void everyMachineProposesThroughTheLeader() throws Exception {
    try (var cluster = new Cluster(folder, 1, "a", "b", "c")) {
      String first = cluster.leader(0);
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        expected.add("p" + i);
        cluster
            .node(List.of("a", "b", "c").get(i % 3))
            .group(0)
            .proposeToLeader(ByteBuffer.wrap(("p" + i).getBytes(UTF_8)))
            .get(20, TimeUnit.SECONDS);
      }
      for (String name : List.of("a", "b", "c")) {
        cluster.await(name + " has all", () -> cluster.texts(name, 0).applied.equals(expected));
      }
      cluster.stop(first);
      String second = cluster.leader(0);
      String third =
          List.of("a", "b", "c").stream()
              .filter(name -> !name.equals(first) && !name.equals(second))
              .findFirst()
              .orElseThrow();
      cluster.await(
          "the machine that does not lead knows which does",
          () -> cluster.node(third).group(0).leader().equals(Optional.of(second)));
      cluster
          .node(third)
          .group(0)
          .proposeToLeader(ByteBuffer.wrap("after".getBytes(UTF_8)))
          .get(20, TimeUnit.SECONDS);
      assertThat(cluster.texts(second, 0).applied).endsWith("p59", "after");
    }
  }

  @Test
  void aMinorityCommitsNothingAndSaysSo() throws Exception {
    try (var cluster = new Cluster(folder, 1, "a", "b", "c")) {
      String leader = cluster.leader(0);
      List<String> others = new ArrayList<>(List.of("a", "b", "c"));
      others.remove(leader);
      cluster.stop(others.toArray(String[]::new));
      CompletableFuture<Void> lost = propose(cluster, leader, 0, "lost");
      cluster.await("the leader notices", () -> !cluster.node(leader).group(0).status().quorum());
      assertThat(cluster.texts(leader, 0).applied).isEmpty();
      assertThatThrownBy(() -> lost.get(20, TimeUnit.SECONDS)).hasMessageContaining("NotLeader");
      assertThat(cluster.texts(leader, 0).leads).isNegative();
    }
  }

  @Test
  void leadershipIsHandedOverAndTheOthersAreAskedThroughIt() throws Exception {
    try (var cluster = new Cluster(folder, 2, "a", "b", "c")) {
      String leader = cluster.leader(1);
      propose(cluster, leader, 1, "x").get(20, TimeUnit.SECONDS);
      String to = leader.equals("a") ? "b" : "a";
      cluster.node(leader).group(1).transfer(to, Duration.ofSeconds(10));
      cluster.await(to + " leads", () -> cluster.texts(to, 1).leads >= 0);
      cluster.await(leader + " follows", () -> cluster.texts(leader, 1).leads < 0);
      cluster.await(
          "the new leader is known",
          () -> cluster.node(leader).group(1).status().leader().equals(java.util.Optional.of(to)));
      byte[] answer = cluster.node(leader).group(1).ask(new byte[] {1}).get(20, TimeUnit.SECONDS);
      assertThat(new String(answer, UTF_8)).endsWith(" x");
    }
  }

  @Test
  void aLeaderThatCannotHandOverGoesOnLeadingOrMakesRoom() throws Exception {
    try (var cluster = new Cluster(folder, 1, "a", "b", "c")) {
      String leader = cluster.leader(0);
      String gone = leader.equals("a") ? "b" : "a";
      cluster.commit(0, "x");
      cluster.await(gone + " has all", () -> cluster.texts(gone, 0).applied.equals(List.of("x")));
      cluster.stop(gone);
      for (int i = 0; i < 40; i++) {
        RaftGroup at = cluster.node(cluster.leader(0)).group(0);
        assertThatThrownBy(() -> at.transfer(gone, Duration.ofMillis(30)))
            .isInstanceOf(IOException.class);
      }
      cluster.commit(0, "y");
    }
  }

  @Test
  void aMachineJoinsAndAnotherLeaves() throws Exception {
    try (var cluster = new Cluster(folder, 1, "a", "b", "c")) {
      String leader = cluster.leader(0);
      propose(cluster, leader, 0, "early").get(20, TimeUnit.SECONDS);
      var four = new LinkedHashMap<>(cluster.addresses);
      four.put("d", "127.0.0.1:" + FreePorts.one());
      cluster.start("d", four, true);
      cluster.node(leader).group(0).change(four);
      cluster.await("d has it", () -> cluster.texts("d", 0).applied.equals(List.of("early")));

      String leaves = leader.equals("a") ? "b" : "a";
      four.remove(leaves);
      cluster.node(leader).group(0).change(four);
      assertThat(cluster.node(leader).group(0).status().peers())
          .extracting(RaftGroupStatus.Peer::name)
          .containsExactlyInAnyOrderElementsOf(four.keySet());
    }
  }

  /** Two are about to leave, so the third leads in the end. */
  @Test
  void aMachineThatIsNotToLeadHandsOverToOneThatMay() throws Exception {
    try (var cluster = new Cluster(folder, 1, "a", "b", "c")) {
      String first = cluster.leader(0);
      String stays = first.equals("c") ? "b" : "c";
      var told = new CopyOnWriteArrayList<RaftGroupStatus>();
      var machines =
          new GroupMachines() {
            @Override
            public Map<String, String> wanted() {
              return Map.of();
            }

            @Override
            public boolean mayLead(String machine) {
              return machine.equals(stays);
            }

            @Override
            public void told(List<RaftGroupStatus> groups) {
              told.addAll(groups);
            }
          };
      var scope = Scope.of("test", World.real(Log.silent()));
      var task = new GroupMembership(scope, cluster.node(first), machines);
      cluster.await(
          stays + " leads",
          () -> {
            task.run(scope.time().now());
            return cluster.node(stays).group(0).status().leads();
          });
      assertThat(told).isNotEmpty().allMatch(each -> each.peers().size() == 3);
      cluster.commit(0, "later");
    }
  }

  @Test
  void aFounderBeginsWithWhatItHadAndTheOthersFetchIt() throws Exception {
    try (var cluster = new Cluster(folder, 1)) {
      var three = new LinkedHashMap<String, String>();
      for (String name : List.of("a", "b", "c")) {
        three.put(name, "127.0.0.1:" + FreePorts.one());
      }
      cluster.start("a", three, Set.of("a"), List.of("old", "older"));
      cluster.start("b", three, Set.of("a"), List.of());
      cluster.start("c", three, Set.of("a"), List.of());
      cluster.commit(0, "alone");
      cluster.node("a").group(0).change(three);
      cluster.commit(0, "three");
      for (String name : three.keySet()) {
        cluster.await(
            name + " has all",
            () -> cluster.texts(name, 0).applied.equals(List.of("old", "older", "alone", "three")));
      }
      assertThat(cluster.texts("b", 0).fetched && cluster.texts("c", 0).fetched).isTrue();

      // What a machine alone had is not asked for again.
      cluster.stop("a", "b", "c");
      for (String name : three.keySet()) {
        cluster.start(name, three, Set.of("a"), List.of("something else"));
      }
      cluster.commit(0, "later");
      assertThat(cluster.texts(cluster.leader(0), 0).applied)
          .containsExactly("old", "older", "alone", "three", "later");
    }
  }

  /** Answers come from the founder's disk until then, whichever machine is asked. */
  @Test
  void noMachineIsReadyWhileTheFounderHasTheGroupAlone() throws Exception {
    try (var cluster = new Cluster(folder, 1)) {
      var three = new LinkedHashMap<String, String>();
      for (String name : List.of("a", "b", "c")) {
        three.put(name, "127.0.0.1:" + FreePorts.one());
      }
      var ready = new LinkedHashMap<String, GroupReadiness>();
      for (String name : three.keySet()) {
        cluster.start(name, three, Set.of("a"), List.of());
        ready.put(name, new GroupReadiness(cluster.node(name), () -> three));
      }
      cluster.commit(0, "alone");
      assertThat(ready.get("a").missing()).contains("group 0 is on a alone so far");
      assertThat(ready.get("b").missing()).contains("group 0 has no quorum");
      cluster.node("a").group(0).change(three);
      for (String name : three.keySet()) {
        cluster.await(name + " is ready", () -> ready.get(name).missing().isEmpty());
        assertThat(cluster.node(name).group(0).status().members())
            .containsExactlyInAnyOrder("a", "b", "c");
      }
      cluster.stop("a");
      cluster.commit(0, "without a");
      assertThat(ready.get("b").missing()).isEmpty();
    }
  }

  /** Whatever it founded before, the others have it: it waits until it is taken in. */
  @Test
  void aFounderThatLostItsFolderIsTakenInAgain() throws Exception {
    try (var cluster = new Cluster(folder, 1)) {
      var three = new LinkedHashMap<String, String>();
      for (String name : List.of("a", "b", "c")) {
        three.put(name, "127.0.0.1:" + FreePorts.one());
      }
      for (String name : three.keySet()) {
        cluster.start(name, three, Set.of("a"), List.of());
      }
      cluster.commit(0, "alone");
      cluster.node("a").group(0).change(three);
      cluster.commit(0, "three");
      for (String name : three.keySet()) {
        cluster.await(name + " has all", () -> cluster.texts(name, 0).applied.size() == 2);
      }
      cluster.stop("a", "b", "c");
      try (Stream<Path> all = Files.walk(folder.resolve("a"))) {
        for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
      cluster.start("a", three, Set.of("b", "c"), List.of());
      // Longer than two elections take: alone it would lead, and acknowledge what is lost later.
      Instant end = cluster.time.now().plusMillis(1500);
      while (cluster.time.now().isBefore(end)) {
        assertThat(cluster.texts("a", 0).leads).isNegative();
        cluster.time.sleepUntil(cluster.time.now().plusMillis(5));
      }
      cluster.start("b", three, Set.of("a"), List.of());
      cluster.start("c", three, Set.of("a"), List.of());
      cluster.commit(0, "later");
      for (String name : three.keySet()) {
        cluster.await(
            name + " has all again",
            () -> cluster.texts(name, 0).applied.equals(List.of("alone", "three", "later")));
      }
    }
  }

  @Test
  void aTrimmedLogIsGoneOnBehindAndWhoJoinsFetchesTheState() throws Exception {
    try (var cluster = new Cluster(folder, 1, 16 << 10, "a", "b", "c")) {
      for (int i = 0; i < 150; i++) {
        cluster.commit(0, "m" + i + "x".repeat(1000));
      }
      List<String> all = List.copyOf(cluster.texts(cluster.leader(0), 0).applied);
      cluster.stop("a", "b", "c");
      for (String name : List.of("a", "b", "c")) {
        cluster.start(name, cluster.addresses, false);
      }
      String later = cluster.leader(0);
      cluster.await("all is back", () -> cluster.texts(later, 0).applied.equals(all));

      var four = new LinkedHashMap<>(cluster.addresses);
      four.put("d", "127.0.0.1:" + FreePorts.one());
      cluster.start("d", four, true);
      cluster.node(later).group(0).change(four);
      cluster.await("d has all", () -> cluster.texts("d", 0).applied.equals(all));
      assertThat(cluster.texts("d", 0).fetched).as("the log alone was not enough").isTrue();
    }
  }
}
