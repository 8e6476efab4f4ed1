package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.FreePorts;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/**
 * The tour, unattended: every figure of it must be right. It takes more than a minute, and each
 * chapter shows again what tests of its service show.
 */
@Tag("long")
@ResourceLock(Resources.SYSTEM_OUT)
class DemoTest {
  /** From the tour's own node to the last door of the third machine. */
  private static final int PORTS = 100 + 3 * 100;

  @Test
  @Timeout(300)
  void everyFigureOfTheTourOnOneMachineIsRight() throws Exception {
    tour(7, "--one-machine");
  }

  @Test
  @Timeout(600)
  void everyFigureOfTheWholeTourIsRight() throws Exception {
    tour(8);
  }

  private static void tour(int chapters, String... more) throws Exception {
    var words = new ArrayList<>(List.of("demo", "--fast", "--base-port"));
    words.add(Integer.toString(FreePorts.row(PORTS)));
    words.addAll(List.of(more));
    Said said = Said.by(words.toArray(String[]::new));
    assertThat(said.exit()).as(said.out() + said.err()).isZero();
    assertThat(said.out().lines().filter(line -> line.startsWith("  RIGHT: "))).hasSize(chapters);
  }
}
