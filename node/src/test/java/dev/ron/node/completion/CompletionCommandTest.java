package dev.ron.node.completion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.node.Said;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
@ResourceLock(Resources.SYSTEM_OUT)
final class CompletionCommandTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void theScriptIsOneThatTheShellReads(CompletionCommand.Shell shell) throws Exception {
    String script = script(shell.name());
    assertThat(script).contains("mirror", "presign", "topics").doesNotContain("rehearse-client");
    assumeTrue(isInstalled(shell.name()), "NOT RUN: " + shell + " is not installed");
    Path file = Files.writeString(folder.resolve("script"), script);
    Process read =
        new ProcessBuilder(shell.name(), "-n", file.toString()).redirectErrorStream(true).start();
    String said = new String(read.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(read.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(read.exitValue()).as(said).isZero();
  }

  @Test
  void bashCompletesASubcommand() throws Exception {
    assumeTrue(isInstalled("bash"), "NOT RUN: bash is not installed");
    Path file =
        Files.writeString(
            folder.resolve("try.sh"),
            script("bash")
                + "\n"
                + "COMP_WORDS=(ron s3 mir); COMP_CWORD=2; _complete_ron; echo"
                + " \"${COMPREPLY[@]}\"\n");
    Process bash = new ProcessBuilder("bash", file.toString()).redirectErrorStream(true).start();
    String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(said.strip()).endsWith("mirror");
  }

  @Test
  void fishKnowsCommandsBelowCommandsAndTheirOptions() {
    assertThat(script("fish"))
        .contains(
            "complete -c ron -n '__fish_seen_subcommand_from s3; and not",
            "complete -c ron -n '__fish_seen_subcommand_from s3; and __fish_seen_subcommand_from"
                + " mirror' -l from-endpoint -r -d 'The server to copy from.'");
  }

  /** {@code ron cluster status} has options of its own, and none of {@code ron status}. */
  @Test
  void fishTellsACommandFromOneOfThatNameBelowAnother() {
    assertThat(script("fish").lines().filter(line -> line.contains(" -l admin ")))
        .filteredOn(line -> line.contains("'__fish_seen_subcommand_from status;"))
        .singleElement()
        .asString()
        .contains("; and not __fish_seen_subcommand_from cluster repair epoch'");
  }

  private static String script(String shell) {
    Said said = Said.by("completion", shell);
    assertThat(said.exit()).as(said.err()).isZero();
    return said.out();
  }

  private static boolean isInstalled(String program) {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
        .anyMatch(each -> Files.isExecutable(Path.of(each, program)));
  }
}
