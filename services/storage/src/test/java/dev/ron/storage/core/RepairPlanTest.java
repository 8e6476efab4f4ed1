package dev.ron.storage.core;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is planned for an object whose order of homes is a, b, c. */
final class RepairPlanTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // copies wanted | homes: w writes, r reads, - nothing | held | damaged | plans
        "1 | w w w | a     |     | nothing",
        "2 | w w w | a b   |     | nothing",
        "2 | w w w | a     |     | copy b urgent",
        "2 | w w w | b     |     | copy a urgent",
        "2 | w w w | c     |     | copy a urgent, copy b urgent",
        "2 | w w w | a c   |     | move b",
        "3 | w w w | a b   |     | copy c",
        "3 | w w w | c     |     | copy a urgent, copy b urgent",
        "2 | w w w | a b   | b   | heal b urgent",
        "2 | w w w | a b c | b   | heal b",
        "2 | w w w | a b   | a b | heal a urgent, heal b urgent",
        "1 | w w w | a     | a   | nothing",
        "1 | w w w | a b   | a   | heal a",
        "2 | w w w | a b c |     | drop c",
        "1 | w w w | b     |     | move a",
        "1 | w w w | a b   |     | drop b",
        "2 | w r w | a     |     | copy c urgent",
        "2 | r w w | a b   |     | nothing",
        "2 | r r w | a b   |     | nothing",
        "2 | - w w | a b   |     | copy c urgent",
        "2 | - w w | a     |     | nothing",
        "2 | w w - | a b c |     | nothing",
        "2 | w w r | a b c |     | nothing",
      })
  void copiesBeforeRemovalsAndTheLastCopyFirst(
      int replication, String services, String held, String damaged, String plans) {
    List<VolumeState> order = new ArrayList<>();
    String[] each = services.split(" ", -1);
    for (int i = 0; i < each.length; i++) {
      order.add(new VolumeState("abc".substring(i, i + 1), service(each[i])));
    }
    var holding = new ObjectCopies(new Address(Blake3.hash(new byte[0])), 10, names(held));
    assertThat(
            RepairPlan.of(holding, order, names(damaged), replication).stream()
                .map(RepairPlanTest::words)
                .collect(joining(", ")))
        .isEqualTo(plans.equals("nothing") ? "" : plans);
  }

  private static String words(RepairPlan plan) {
    String verb =
        switch (plan) {
          case RepairPlan.Copy copy -> copy.rebalance() ? "move " : "copy ";
          case RepairPlan.Heal _ -> "heal ";
          case RepairPlan.Drop _ -> "drop ";
          default -> throw new AssertionError(plan + " on one node");
        };
    return verb + plan.home() + (plan.urgent() ? " urgent" : "");
  }

  private static VolumeState.Service service(String letter) {
    return switch (letter) {
      case "w" -> VolumeState.Service.READS_AND_WRITES;
      case "r" -> VolumeState.Service.READS;
      default -> VolumeState.Service.NOTHING;
    };
  }

  private static Set<String> names(String text) {
    return text == null ? Set.of() : new HashSet<>(List.of(text.split(" ", -1)));
  }
}
