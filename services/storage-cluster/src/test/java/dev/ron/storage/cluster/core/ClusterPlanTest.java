package dev.ron.storage.cluster.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.storage.core.Inventory;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ClusterPlanTest {
  private final Inventory.Listed one = listed(1);
  private final Inventory.Listed two = listed(2);
  private final Inventory.Listed three = listed(3);

  @Test
  void theLastCopyIsFetchedFirst() {
    var plan = new ClusterPlan("a", 3);
    plan.found(one, "b");
    plan.found(one, "c");
    plan.found(two, "b");
    plan.found(three, "b");
    plan.found(three, "b");
    plan.found(three, "c");
    assertThat(plan.plans().stream().map(NodeRepairPlan::urgent))
        .containsExactly(true, false, false);
    assertThat(plan.plans().getFirst().address()).isEqualTo(two.address());
    assertThat(plan.objects()).isEqualTo(3);
    assertThat(plan.copiesMin()).isEqualTo(1);
  }

  @Test
  void theFewestCopiesAreCounted() {
    var plan = new ClusterPlan("a", 3);
    assertThat(plan.copiesMin()).as("where nothing is missing").isEqualTo(3);
    plan.found(one, "b");
    plan.found(one, "c");
    assertThat(plan.copiesMin()).isEqualTo(2);
    plan.found(two, "c");
    assertThat(plan.copiesMin()).isEqualTo(1);
  }

  @Test
  void withOneCopyOfEachNothingIsUrgent() {
    var plan = new ClusterPlan("a", 1);
    plan.found(one, "b");
    assertThat(plan.plans()).noneMatch(NodeRepairPlan::urgent);
  }

  @Test
  void whatHasEnoughCopiesElsewhereIsMoved() {
    var plan = new ClusterPlan("a", 2);
    plan.found(one, "b");
    plan.found(two, "b");
    plan.found(two, "c");
    assertThat(plan.plans())
        .containsExactly(
            new NodeRepairPlan.Fetch(one.address(), one.sizeBytes(), "a", true, false),
            new NodeRepairPlan.Fetch(two.address(), two.sizeBytes(), "a", false, true));
  }

  @ParameterizedTest
  @CsvSource({"9, 6, false", "7, 6, false", "6, 6, true", "5, 6, true"})
  void aCodedObjectWithNoShardToSpareIsUrgent(int there, int data, boolean urgent) {
    assertThat(ClusterPlan.lastChance(there, data)).isEqualTo(urgent);
  }

  @ParameterizedTest
  @CsvSource({"0, HERE", "3, HERE", "4, AWAY", "60, AWAY", "61, GONE"})
  void aNodeIsAwayBeforeItIsGone(int silenceSeconds, Presence presence) {
    Instant now = Instant.EPOCH.plusSeconds(1000);
    assertThat(Presence.of(now.minusSeconds(silenceSeconds), now, Duration.ofSeconds(60)))
        .isEqualTo(presence);
  }

  private static Inventory.Listed listed(int seed) {
    return new Inventory.Listed(new Address(Blake3.hash(new byte[] {(byte) seed})), seed);
  }
}
