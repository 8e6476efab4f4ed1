package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.FreePorts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** The tour, unattended: every figure of it must be right. */
@Timeout(300)
@ResourceLock(Resources.SYSTEM_OUT)
class DemoTest {
  @Test
  void everyFigureOfTheTourIsRight() throws Exception {
    Said said =
        Said.by(
            "demo",
            "--fast",
            "--base-port",
            Integer.toString(FreePorts.row(AdminConfig.PORT_OFFSET + 1)));
    assertThat(said.exit()).as(said.out() + said.err()).isZero();
    assertThat(said.out().lines().filter(line -> line.startsWith("  RIGHT: "))).hasSize(4);
  }
}
