package dev.ron.node.profile;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import picocli.CommandLine;
import picocli.CommandLine.Option;

@ResourceLock(Resources.SYSTEM_OUT)
final class UserProfileTest {
  @TempDir private Path home;

  static final class Asked {
    @Option(names = "--cap", defaultValue = "${env:RON_CAP_OF_A_TEST:-nothing}")
    private String cap = "";

    @Option(names = "--limit", defaultValue = "5")
    private int limit;
  }

  @Test
  void aVariableCountsBeforeTheProfileAndAnOptionBeforeBoth() throws Exception {
    Path file = UserProfile.file(Map.of("HOME", home.toString()));
    assertThat(file).isEqualTo(home.resolve(".config/ron/profile"));
    assertThat(cap(Map.of("HOME", home.toString()))).as("no profile").isEqualTo("nothing");
    UserProfile.write(file, Map.of("RON_CAP_OF_A_TEST", "kept=here", "RON_URL_X", "http://x"));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(cap(Map.of("HOME", home.toString()))).isEqualTo("kept=here");
    assertThat(cap(Map.of("HOME", home.toString()), "--cap", "said")).isEqualTo("said");
    assertThat(cap(Map.of("HOME", home.toString(), "RON_CAP_OF_A_TEST", "set")))
        .as("the variable's value is picocli's to read, not the profile's")
        .isEqualTo("nothing");
    assertThat(cap(Map.of("HOME", home.toString(), "XDG_CONFIG_HOME", home + "/else")))
        .isEqualTo("nothing");
  }

  @Test
  void aCapabilityThatIsSavedLeavesTheAddresses() throws Exception {
    Path file = UserProfile.file(Map.of("HOME", home.toString()));
    UserProfile.write(file, Map.of("RON_CAP", "old", "RON_URL_ADMIN", "http://x"));
    UserProfile.change(file, Map.of("RON_CAP", "new"));
    assertThat(UserProfile.read(file))
        .containsExactly(Map.entry("RON_CAP", "new"), Map.entry("RON_URL_ADMIN", "http://x"));
  }

  @Test
  void aProfileThatOthersCanReadIsNotBelieved() throws Exception {
    Path file = UserProfile.file(Map.of("XDG_CONFIG_HOME", home.toString()));
    UserProfile.write(file, Map.of("RON_CAP_OF_A_TEST", "leaked"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(cap(Map.of("XDG_CONFIG_HOME", home.toString()))).isEqualTo("nothing");
  }

  private static String cap(Map<String, String> environment, String... args) {
    var asked = new Asked();
    var line = new CommandLine(asked).setDefaultValueProvider(new ProfileDefaults(environment));
    line.parseArgs(args);
    assertThat(asked.limit).isEqualTo(5);
    return asked.cap;
  }

  @Test
  void rowsStandInColumns() {
    List<List<String>> rows = List.of(List.of("orders", "12", "3 min"), List.of("a", "7", ""));
    assertThat(TextTable.of(List.of("TOPIC", "READY", "OLDEST"), rows, false))
        .isEqualTo("TOPIC   READY  OLDEST\norders     12  3 min\na           7");
    assertThat(TextTable.of(List.of("KEY"), List.of(List.of("\u001b[2Jk")), false))
        .as("a sender's text clears no screen")
        .isEqualTo("KEY\n?[2Jk");
    assertThat(TextTable.of(List.of("TOPIC"), List.of(), true))
        .isEqualTo("\u001b[1mTOPIC\u001b[0m");
    assertThat(TextTable.coloured(Map.of())).isTrue();
    assertThat(TextTable.coloured(Map.of("NO_COLOR", "1"))).isFalse();
    assertThat(TextTable.coloured(Map.of("TERM", "dumb"))).isFalse();
  }

  @Test
  void timesAndPayloadsAreWords() {
    assertThat(TextTable.ago(Duration.ofSeconds(59))).isEqualTo("59 s");
    assertThat(TextTable.ago(Duration.ofHours(1))).isEqualTo("1 h");
    assertThat(TextTable.ago(Duration.ofDays(3))).isEqualTo("3 d");
    assertThat(TextTable.ago(Duration.ofSeconds(-1))).isEqualTo("0 s");
    assertThat(TextTable.payload("a\nb  c".getBytes(UTF_8), 20)).isEqualTo("a b c");
    assertThat(TextTable.payload("0123456789".getBytes(UTF_8), 8)).isEqualTo("01234...");
    assertThat(TextTable.payload(new byte[] {1, 2}, 20)).isEqualTo("2 bytes that are no text");
    assertThat(TextTable.payload("\u001b[31mred".getBytes(UTF_8), 40))
        .as("no escape of a sender reaches the terminal")
        .isEqualTo("8 bytes that are no text");
  }
}
