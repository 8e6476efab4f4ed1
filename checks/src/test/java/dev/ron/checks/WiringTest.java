package dev.ron.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The compiler arguments of the root pom, main and test, refuse a planted file. */
final class WiringTest {
  private static final Pattern PLUGIN = Pattern.compile("<arg>(-Xplugin:ErrorProne[^<]*)</arg>");

  static List<String> plugins() throws Exception {
    String pom = Files.readString(Path.of(System.getProperty("ron.root"), "pom.xml"));
    return PLUGIN.matcher(pom).results().map((MatchResult match) -> match.group(1)).toList();
  }

  @Test
  void mainAndTestEachHaveTheirOwnArguments() throws Exception {
    assertThat(plugins()).hasSize(2);
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void refuseAPlantedFile(String plugin) {
    // NullAway is not on the path of this module's tests.
    String withoutNullAway = plugin + " -XepIgnoreUnknownCheckNames";
    var errors =
        Planted.compile(
            """
            class Planted {
              synchronized void locked() throws Exception { Thread.sleep(1); }
              @EventLoop void onLoop() throws Exception { Thread.sleep(1); }
            }
            """,
            withoutNullAway);
    assertThat(errors.errorsByLine()).containsOnlyKeys(2L, 3L);
    assertThat(errors.errorsAt(2).getFirst()).startsWith("[BlockingWhileLocked]");
    assertThat(errors.errorsAt(3).getFirst()).startsWith("[BlockingOnEventLoop]");
  }
}
