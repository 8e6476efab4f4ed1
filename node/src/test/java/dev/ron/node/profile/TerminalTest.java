package dev.ron.node.profile;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TerminalTest {
  /** What the system says of a stream. */
  @ParameterizedTest
  @CsvSource({
    "/dev/pts/3, true",
    "/dev/tty1, true",
    "/dev/console, true",
    "pipe:[4711], false",
    "socket:[4711], false",
    "/dev/null, false",
    "/tmp/out.txt, false"
  })
  void aTerminalIsToldFromWhatElseAStreamLeadsTo(String device, boolean terminal) {
    assertThat(Terminal.isOne(device)).isEqualTo(terminal);
  }
}
