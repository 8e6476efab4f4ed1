package dev.ron.storage.cluster.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.storage.core.Inventory;
import dev.ron.testkit.Seeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

final class InventoryDiffTest {
  @Test
  void itFindsExactlyWhatIsMissing() {
    Seeds.forEach(
        6,
        (_, random) -> {
          List<Inventory.Listed> all = objects(random, random.nextInt(5000));
          var mine = new ArrayList<Inventory.Listed>();
          var theirs = new ArrayList<Inventory.Listed>();
          var expected = new HashSet<Inventory.Listed>();
          for (Inventory.Listed each : all) {
            int who = random.nextInt(200);
            if (who > 1) {
              mine.add(each);
            }
            if (who != 0) {
              theirs.add(each);
            }
            if (who == 1) {
              expected.add(each);
            }
          }
          var asked = new Asked(RangeDigests.of(theirs));
          List<Inventory.Listed> found =
              InventoryDiff.missing(RangeDigests.of(mine), asked, Integer.MAX_VALUE);
          assertThat(new HashSet<>(found)).isEqualTo(expected);
        });
  }

  @Test
  void whatIsTheSameIsNotSent() throws Exception {
    List<Inventory.Listed> all = objects(new java.util.SplittableRandom(7), 100_000);
    var mine = new ArrayList<>(all);
    Inventory.Listed lost = mine.remove(50_000);
    var same = new Asked(RangeDigests.of(all));
    assertThat(InventoryDiff.missing(RangeDigests.of(all), same, 10)).isEmpty();
    assertThat(same.named).isZero();
    assertThat(same.questions).isEqualTo(1);
    var different = new Asked(RangeDigests.of(all));
    assertThat(InventoryDiff.missing(RangeDigests.of(mine), different, 10)).containsExactly(lost);
    assertThat(different.named).as("addresses named, of 100000").isLessThan(256);
    assertThat(different.questions).isLessThanOrEqualTo(3);
  }

  @Test
  void allOfManyIsFoundAndAtMostAsManyAsWanted() throws Exception {
    List<Inventory.Listed> all = objects(new java.util.SplittableRandom(8), 100_000);
    var asked = new Asked(RangeDigests.of(all));
    assertThat(InventoryDiff.missing(RangeDigests.of(List.of()), asked, Integer.MAX_VALUE))
        .hasSize(100_000);
    assertThat(InventoryDiff.missing(RangeDigests.of(List.of()), asked, 99)).hasSize(99);
  }

  @Test
  void disorderIsRefused() {
    List<Inventory.Listed> two = objects(new java.util.SplittableRandom(9), 2);
    assertThatThrownBy(() -> RangeDigests.of(two.reversed())).hasMessageContaining("out of order");
  }

  private static final class Asked implements InventoryDiff.Ranges<RuntimeException> {
    private final RangeDigests digests;
    private int questions;
    private int named;

    Asked(RangeDigests digests) {
      this.digests = digests;
    }

    @Override
    public List<RangeDigests.Part> parts(String range) {
      questions++;
      return digests.parts(range);
    }

    @Override
    public List<Inventory.Listed> objects(String range) {
      questions++;
      List<Inventory.Listed> objects = digests.objects(range, InventoryDiff.NAMED_MAX);
      named += objects.size();
      return objects;
    }
  }

  private static List<Inventory.Listed> objects(RandomGenerator random, int count) {
    var objects = new ArrayList<Inventory.Listed>();
    byte[] bytes = new byte[16];
    for (int i = 0; i < count; i++) {
      random.nextBytes(bytes);
      objects.add(new Inventory.Listed(new Address(Blake3.hash(bytes)), random.nextInt(1000)));
    }
    objects.sort(Comparator.comparing(Inventory.Listed::address, Inventory::compare));
    return objects;
  }
}
