package dev.ron.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The compiler arguments of the root pom, main and test, refuse a planted file. */
final class WiringTest {
  private static final Pattern ARGUMENTS =
      Pattern.compile("<compilerArgs.*?</compilerArgs>", Pattern.DOTALL);
  private static final Pattern WARNINGS = Pattern.compile("<arg>(-Xlint[^<]*|-Werror)</arg>");
  private static final Pattern PLUGIN = Pattern.compile("<arg>(-Xplugin:ErrorProne[^<]*)</arg>");

  static List<String> plugins() throws Exception {
    String pom = Files.readString(Path.of(System.getProperty("ron.root"), "pom.xml"));
    return PLUGIN.matcher(pom).results().map((MatchResult match) -> match.group(1)).toList();
  }

  @Test
  void aWarningFailsTheBuildOfMainAndOfTests(@TempDir Path classes) throws Exception {
    String pom = Files.readString(Path.of(System.getProperty("ron.root"), "pom.xml"));
    List<MatchResult> builds = ARGUMENTS.matcher(pom).results().toList();
    assertThat(builds).as("main and test each have their own").hasSize(2);
    assertThat(plugins()).hasSize(2);
    for (MatchResult build : builds) {
      var arguments = new ArrayList<>(List.of("-proc:none", "-d", classes.toString()));
      WARNINGS.matcher(build.group()).results().forEach(each -> arguments.add(each.group(1)));
      assertThat(compiles(arguments, "class Sound {}")).isTrue();
      assertThat(compiles(arguments, "class Raw { java.util.List raw; }")).isFalse();
    }
  }

  private static boolean compiles(List<String> arguments, String source) {
    var file =
        new SimpleJavaFileObject(URI.create("string:///Planted.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    return ToolProvider.getSystemJavaCompiler()
        .getTask(null, null, _ -> {}, arguments, null, List.of(file))
        .call();
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
