package dev.ron.node.profile;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.node.Ron;
import dev.ron.testkit.ChildJvm;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
final class TerminalGuardTest {
  private final ByteArrayOutputStream terminal = new ByteArrayOutputStream();
  private final PrintStream raw = new PrintStream(terminal, true, UTF_8);
  private final PrintStream guarded = new TerminalGuard(raw);

  /** {@code ^} stands for ESC, {@code ~} for the one byte that does the same. */
  @ParameterizedTest
  @CsvSource({
    "photos/ü €, photos/ü €",
    "a^[2Jb, a?[2Jb",
    "a^]0;title, a?]0;title",
    "a~2Jb, a?2Jb",
    "^^[1mbold^[0m, ?^[1mbold^[0m",
    "^[38;5;1mred, ^[38;5;1mred",
    "^[11111111111111111m, ?[11111111111111111m",
    "^[1A, ?[1A",
    "©, ©"
  })
  void controlCodesOfOthersAreShownAndColoursPass(String said, String shown) {
    guarded.println(coded(said) + "\t\r\u0007.");
    assertThat(terminal.toString(UTF_8)).isEqualTo(coded(shown) + "\t??.\n");
  }

  private static String coded(String text) {
    return text.replace('^', '\u001b').replace('~', '\u009b');
  }

  @Test
  void whatDrawsOverItselfPassesByIt() {
    TerminalGuard.raw(guarded).print("\r12 %");
    TerminalGuard.raw(raw).print("\r13 %");
    assertThat(terminal.toString(UTF_8)).isEqualTo("\r12 %\r13 %");
  }

  /** The command says what it was given; before every command stands the same guard. */
  @Test
  void aCommandOnATerminalPrintsThroughIt() throws Exception {
    Path script = Path.of("/usr/bin/script");
    assumeTrue(
        Files.isExecutable(script), "NOT RUN: script is not installed, so no terminal was tried");
    String get = String.join(" ", ChildJvm.command(Ron.class, "get", "'\u001b[2Jx'"));
    try (ChildJvm terminal =
        ChildJvm.start(List.of(script.toString(), "--quiet", "--command", get, "/dev/null"))) {
      String line = terminal.line(Duration.ofSeconds(60));
      assertThat(line).startsWith("ron: ?[2Jx is no address");
    }
  }
}
