package dev.ron.storage.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.testkit.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class PlacementTest {
  private static final int OBJECTS = 2000;

  @Test
  void aHomeThatJoinsTakesOnlyItsOwnShare() {
    Seeds.forEach(
        5,
        (_, random) -> {
          List<VolumeState> before = homes(random, 2 + random.nextInt(6));
          List<VolumeState> after = new ArrayList<>(before);
          VolumeState joined = home(random);
          after.add(random.nextInt(after.size() + 1), joined);
          int replication = 1 + random.nextInt(2);
          int moved = 0;
          for (int i = 0; i < OBJECTS; i++) {
            Address address = address(random);
            List<VolumeState> was = Placement.targets(address, before, replication);
            List<VolumeState> is = Placement.targets(address, after, replication);
            List<VolumeState> stayed = new ArrayList<>(is);
            stayed.remove(joined);
            assertThat(was).as("nothing moves but to the new home").containsAll(stayed);
            moved += is.contains(joined) ? 1 : 0;
          }
          double share = (double) replication / after.size();
          assertThat((double) moved / OBJECTS).isBetween(share * 0.8, share * 1.2);
        });
  }

  @Test
  void whatAHomeThatLeavesHadGoesToTheNextInLine() {
    Seeds.forEach(
        5,
        (_, random) -> {
          List<VolumeState> before = homes(random, 3 + random.nextInt(5));
          List<VolumeState> after = new ArrayList<>(before);
          VolumeState left = after.remove(random.nextInt(after.size()));
          for (int i = 0; i < OBJECTS; i++) {
            Address address = address(random);
            List<VolumeState> was = new ArrayList<>(Placement.order(address, before));
            was.remove(left);
            assertThat(Placement.order(address, after)).isEqualTo(was);
          }
        });
  }

  @Test
  void copiesAreSpreadEvenly() {
    Seeds.forEach(
        3,
        (_, random) -> {
          List<VolumeState> homes = homes(random, 5);
          Map<VolumeState, Integer> held = new HashMap<>();
          for (int i = 0; i < OBJECTS; i++) {
            Placement.targets(address(random), homes, 2)
                .forEach(home -> held.merge(home, 1, Integer::sum));
          }
          double fair = 2.0 * OBJECTS / 5;
          assertThat(held.values())
              .hasSize(5)
              .allSatisfy(count -> assertThat((double) count).isBetween(fair * 0.85, fair * 1.15));
        });
  }

  @Test
  void theOrderOfTheListDoesNotMatterAndHomesThatTakeNothingArePassedOver() {
    VolumeState a = new VolumeState("a", VolumeState.Service.READS_AND_WRITES);
    VolumeState full = new VolumeState("b", VolumeState.Service.READS);
    VolumeState gone = new VolumeState("c", VolumeState.Service.NOTHING);
    Address address = new Address(Blake3.hash(new byte[] {1}));
    assertThat(Placement.order(address, List.of(a, full, gone)))
        .isEqualTo(Placement.order(address, List.of(gone, a, full)));
    assertThat(Placement.targets(address, List.of(a, full, gone), 2)).containsExactly(a);
  }

  private static List<VolumeState> homes(RandomGenerator random, int count) {
    return IntStream.range(0, count).mapToObj(_ -> home(random)).toList();
  }

  private static VolumeState home(RandomGenerator random) {
    return new VolumeState(
        "%016x".formatted(random.nextLong()), VolumeState.Service.READS_AND_WRITES);
  }

  private static Address address(RandomGenerator random) {
    byte[] bytes = new byte[16];
    random.nextBytes(bytes);
    return new Address(Blake3.hash(bytes));
  }
}
