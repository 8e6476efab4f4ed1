package dev.ron.simulator.names;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.simulator.engine.Violation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The blocks of all machines, as addresses alone: names say which are needed, and what has them is
 * another matter.
 *
 * <p>Few, so that objects share them and one is deleted while another request stores it anew.
 *
 * <p>Threading: owned by the scheduler's thread.
 */
final class SimulatedBlocks {
  static final int COUNT = 6;
  private static final List<Address> ALL =
      IntStream.range(0, COUNT)
          .mapToObj(i -> new Address(Blake3.hash(new byte[] {(byte) i})))
          .toList();

  private final Map<String, Set<String>> kept = new TreeMap<>();
  private final Map<String, Address> byText = new HashMap<>();

  SimulatedBlocks(List<String> machines) {
    machines.forEach(each -> kept.put(each, new TreeSet<>()));
    ALL.forEach(each -> byText.put(each.toString(), each));
  }

  static Address block(int number) {
    return ALL.get(Math.floorMod(number, COUNT));
  }

  /** A request writes a block to every machine. */
  void put(Address block) {
    kept.values().forEach(each -> each.add(block.toString()));
  }

  boolean delete(String machine, Address block) {
    return kept.getOrDefault(machine, Set.of()).remove(block.toString());
  }

  List<Address> list() {
    var all = new TreeSet<String>();
    kept.values().forEach(all::addAll);
    return all.stream().map(byText::get).toList();
  }

  /** A block that a name leads to must be on every machine it was written to. */
  void checkKept(Address block, String name) {
    kept.forEach(
        (machine, blocks) -> {
          if (!blocks.contains(block.toString())) {
            throw new Violation(
                "nothing is collected that is referenced",
                "%s of %s is gone from %s".formatted(block, name, machine));
          }
        });
  }

  /** In the end a machine has no block that no name leads to. */
  void checkCollected(Set<Address> referenced) {
    for (Address each : ALL) {
      kept.forEach(
          (machine, blocks) -> {
            if (!referenced.contains(each) && blocks.contains(each.toString())) {
              throw new Violation(
                  "what no name leads to is collected",
                  "%s is still on %s".formatted(each, machine));
            }
          });
    }
  }
}
