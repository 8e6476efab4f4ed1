package dev.ron.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PlantedTest {

  static List<Planted> planted() {
    return Stream.of(PlantedCalls.all(), PlantedShapes.all(), PlantedTrees.all())
        .flatMap(List::stream)
        .toList();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("planted")
  void everyRuleTogetherFindsExactlyWhatWasPlanted(Planted planted) {
    assertThat(planted.found()).isEqualTo(planted.expected());
  }

  @Test
  void everyRuleIsProvenByAViolation() {
    var proven = new TreeSet<String>();
    planted().forEach(p -> proven.addAll(p.rules()));
    assertThat(proven)
        .containsExactlyInAnyOrderElementsOf(
            Planted.TIDY.rules().stream().map(Rule::name).toList());
  }
}
