package dev.ron.storage.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.storage.core.Inventory.Listed;
import dev.ron.testkit.Seeds;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class InventoryTest {
  @Test
  void pageByPageEveryObjectIsSeenOnceWithAllItsHomes() {
    Seeds.forEach(
        50,
        (_, random) -> {
          Map<String, TreeMap<String, Listed>> homes = new HashMap<>();
          Map<Address, Set<String>> truth = new HashMap<>();
          for (String home : List.of("a", "b", "c")) {
            homes.put(home, new TreeMap<>());
          }
          for (int i = 0; i < random.nextInt(60); i++) {
            Address address = new Address(Blake3.hash(new byte[] {(byte) i}));
            for (String home : homes.keySet()) {
              if (random.nextInt(3) > 0) {
                homes.get(home).put(address.toString(), new Listed(address, i));
                truth.computeIfAbsent(address, _ -> new HashSet<>()).add(home);
              }
            }
          }
          int cutAt = 1 + random.nextInt(10);
          Map<Address, Set<String>> seen = new HashMap<>();
          Address after = null;
          do {
            Map<String, List<Listed>> listings = new HashMap<>();
            for (String home : homes.keySet()) {
              var rest =
                  after == null
                      ? homes.get(home)
                      : homes.get(home).tailMap(after.toString(), false);
              listings.put(home, rest.values().stream().limit(cutAt).toList());
            }
            Inventory page = Inventory.page(listings, cutAt);
            for (ObjectCopies holding : page.holdings()) {
              assertThat(seen.put(holding.address(), holding.homes())).as("seen twice").isNull();
            }
            after = page.next();
          } while (after != null);
          assertThat(seen).isEqualTo(truth);
        });
  }
}
