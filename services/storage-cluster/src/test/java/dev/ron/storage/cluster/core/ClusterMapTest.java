package dev.ron.storage.cluster.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.testkit.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ClusterMapTest {
  private static final int OBJECTS = 2000;

  @Test
  void aNodeThatJoinsTakesOnlyItsOwnShare() {
    Seeds.forEach(
        8,
        (_, random) -> {
          ClusterMap before = view(random, 3 + random.nextInt(6), 1 + random.nextInt(3));
          var more = new ArrayList<>(before.members());
          more.add(new Member("joined", "r" + random.nextInt(4), 1 + random.nextInt(3)));
          ClusterMap after = new ClusterMap(more, Set.of(), before.replication());
          for (Address address : addresses(random)) {
            List<String> stayed = new ArrayList<>(after.targets(address));
            stayed.remove("joined");
            assertThat(before.targets(address))
                .as("nothing moves but to the new node")
                .containsAll(stayed);
          }
        });
  }

  @Test
  void whatANodeThatLeavesHadGoesElsewhereAndNothingElseMoves() {
    Seeds.forEach(
        8,
        (_, random) -> {
          ClusterMap before = view(random, 4 + random.nextInt(6), 1 + random.nextInt(3));
          String left = before.members().getFirst().name();
          ClusterMap after = before.without(Set.of(left));
          for (Address address : addresses(random)) {
            List<String> was = new ArrayList<>(before.targets(address));
            boolean had = was.remove(left);
            assertThat(after.targets(address)).containsAll(was);
            if (!had) {
              assertThat(new HashSet<>(after.targets(address))).isEqualTo(new HashSet<>(was));
            }
          }
        });
  }

  @Test
  void aWeightThatGrowsMovesCopiesToThatNodeAlone() {
    Seeds.forEach(
        8,
        (_, random) -> {
          ClusterMap before = view(random, 4 + random.nextInt(4), 2);
          Member first = before.members().getFirst();
          var changed = new ArrayList<>(before.members());
          changed.set(0, new Member(first.name(), first.region(), first.weight() + 2));
          ClusterMap after = new ClusterMap(changed, Set.of(), 2);
          for (Address address : addresses(random)) {
            List<String> stayed = new ArrayList<>(after.targets(address));
            stayed.remove(first.name());
            assertThat(before.targets(address)).containsAll(stayed);
          }
        });
  }

  @Test
  void sharesFollowWeights() {
    Seeds.forEach(
        2,
        (_, random) -> {
          ClusterMap view =
              new ClusterMap(List.of(member("a", 1), member("b", 2), member("c", 5)), Set.of(), 1);
          Map<String, Integer> held = new HashMap<>();
          for (int i = 0; i < 4; i++) {
            addresses(random)
                .forEach(each -> held.merge(view.targets(each).getFirst(), 1, Integer::sum));
          }
          assertThat(held.get("a") / (4.0 * OBJECTS)).isBetween(0.11, 0.14);
          assertThat(held.get("b") / (4.0 * OBJECTS)).isBetween(0.23, 0.27);
          assertThat(held.get("c") / (4.0 * OBJECTS)).isBetween(0.60, 0.65);
        });
  }

  @Test
  void copiesGoToDifferentRegionsAndOnlyWhereTheyMayLie() {
    var random = new java.util.SplittableRandom(3);
    List<Member> members =
        List.of(
            new Member("a", "eu", 1),
            new Member("b", "eu", 1),
            new Member("c", "us", 1),
            new Member("d", "us", 1),
            new Member("e", "asia", 1),
            new Member("none", "eu", 0));
    ClusterMap anywhere = new ClusterMap(members, Set.of(), 3);
    ClusterMap europe = new ClusterMap(members, Set.of("eu"), 3);
    ClusterMap two = new ClusterMap(members, Set.of("eu", "us"), 3);
    Map<String, String> region = new HashMap<>();
    members.forEach(member -> region.put(member.name(), member.region()));
    for (Address address : addresses(random)) {
      assertThat(anywhere.targets(address).stream().map(region::get))
          .containsExactlyInAnyOrder("eu", "us", "asia");
      assertThat(europe.targets(address)).containsExactlyInAnyOrder("a", "b");
      assertThat(two.targets(address).stream().map(region::get))
          .hasSize(3)
          .contains("eu", "us")
          .doesNotContain("asia");
      assertThat(anywhere.order(address)).doesNotContain("none");
    }
  }

  @Test
  void noNodeHasMoreShardsThanItMustAndFewMoveWhenOneJoins() {
    Seeds.forEach(
        3,
        (_, random) -> {
          ClusterMap nine = view(random, 9, 1);
          var more = new ArrayList<>(nine.members());
          more.add(member("joined", 1));
          ClusterMap ten = new ClusterMap(more, Set.of(), 1);
          ClusterMap three = new ClusterMap(nine.members().subList(0, 3), Set.of(), 1);
          int moved = 0;
          int objects = 0;
          for (Address address : addresses(random).subList(0, 300)) {
            List<String> was = nine.shards(address, 9);
            List<String> is = ten.shards(address, 9);
            assertThat(new HashSet<>(was)).hasSize(9);
            assertThat(new HashSet<>(is)).hasSize(9);
            Map<String, Integer> load = new HashMap<>();
            three.shards(address, 9).forEach(node -> load.merge(node, 1, Integer::sum));
            assertThat(load.values()).containsOnly(3);
            moved += (int) IntStream.range(0, 9).filter(i -> !was.get(i).equals(is.get(i))).count();
            objects++;
          }
          // At least 0.9 of a shard has to: the new node's fair share.
          assertThat((double) moved / objects).as("shards moved per object").isBetween(0.5, 3.0);
        });
  }

  @Test
  void namesAndWeightsAreChecked() {
    assertThatThrownBy(() -> member("a", -1)).hasMessageContaining("weight of a = -1");
    assertThatThrownBy(() -> new ClusterMap(List.of(member("a", 1), member("a", 2)), Set.of(), 1))
        .hasMessageContaining("two nodes of one name");
  }

  private static ClusterMap view(RandomGenerator random, int count, int replication) {
    List<Member> members =
        IntStream.range(0, count)
            .mapToObj(
                i ->
                    new Member(
                        "%02d-%04x".formatted(i, random.nextInt(1 << 16)),
                        "r" + random.nextInt(3),
                        1 + random.nextInt(3)))
            .toList();
    return new ClusterMap(members, Set.of(), replication);
  }

  private static Member member(String name, int weight) {
    return new Member(name, "local", weight);
  }

  private static List<Address> addresses(RandomGenerator random) {
    return IntStream.range(0, OBJECTS)
        .mapToObj(
            _ -> {
              byte[] bytes = new byte[16];
              random.nextBytes(bytes);
              return new Address(Blake3.hash(bytes));
            })
        .toList();
  }
}
