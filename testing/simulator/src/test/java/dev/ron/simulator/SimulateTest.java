package dev.ron.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What the command can be told. */
class SimulateTest {
  private static Simulate.Request parse(String... words) {
    return Simulate.Request.parse(List.of(words));
  }

  @Test
  void aSeedIsOneRunUnlessMoreAreAskedFor() {
    assertThat(parse()).extracting("first", "seeds").containsExactly(1L, 100);
    assertThat(parse("--seed", "42")).extracting("first", "seeds").containsExactly(42L, 1);
    assertThat(parse("--seed", "42", "--seeds", "7"))
        .extracting("first", "seeds")
        .containsExactly(42L, 7);
    assertThat(parse("--scenario", "names").scenarios()).hasSize(1);
  }

  @Test
  void wrongWordsAreNamed() {
    assertThatThrownBy(() -> parse("--sed", "1")).hasMessage("unknown: --sed");
    assertThatThrownBy(() -> parse("--seed")).hasMessage("--seed needs a value");
    assertThatThrownBy(() -> parse("--seeds", "0"))
        .hasMessage("--seeds = 0 is no whole number of 1 to 100000000");
    assertThatThrownBy(() -> parse("--scenario", "x")).hasMessage("no scenario x");
  }
}
