package dev.ron.node.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.node.RunningNode;
import dev.ron.node.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** A mailbox whose journal was damaged comes back with everything that can be read. */
@Timeout(120)
@ResourceLock(Resources.SYSTEM_OUT)
class JournalCommandTest {
  private static final Map<String, String> MAILBOX = Map.of("node.services", "mailbox");

  @TempDir private Path data;

  @Test
  void salvageSavesTheOtherMessagesAndNamesWhatIsLost() throws Exception {
    try (RunningNode node = RunningNode.start(data, MAILBOX)) {
      for (String text : List.of("first message", "second message", "third message")) {
        Path payload = Files.writeString(data.resolve("payload"), text);
        assertThat(mailbox(node, "send", "orders", "--key", text, "--file", payload.toString()))
            .contains("\"msg_id\"");
      }
    }
    Path journal = data.resolve("mailbox/journal");
    Path segment = damage(journal, "second message");
    assertThatThrownBy(() -> RunningNode.start(data, MAILBOX).close())
        .hasStackTraceContaining(segment + " is corrupt at byte");

    Path saved = data.resolve("saved");
    Said said = Said.by("journal", "salvage", journal.toString(), saved.toString());
    assertThat(said.exit()).isEqualTo(1);
    assertThat(said.err()).isEmpty();
    assertThat(said.out().lines())
        .anyMatch(line -> line.matches("\\d+ records copied, 0 to \\d+"))
        .anyMatch(line -> line.matches("LOST records (\\d+) to \\1"))
        .anyMatch(line -> line.matches("LOST \\d+ bytes of .*\\.log at \\d+: no readable record"));

    Files.move(journal, data.resolve("damaged"));
    Files.move(saved, journal);
    try (RunningNode node = RunningNode.start(data, MAILBOX)) {
      String received = mailbox(node, "recv", "orders", "--max", "10", "--wait-ms", "1000");
      assertThat(received)
          .contains(base64("first message"), base64("third message"))
          .doesNotContain(base64("second message"));
    }
  }

  @Test
  void anUndamagedJournalIsCopiedWhole() throws Exception {
    RunningNode.start(data, MAILBOX).close();
    String journal = data.resolve("mailbox/journal").toString();
    String saved = data.resolve("saved").toString();
    Said said = Said.by("journal", "salvage", journal, saved);
    assertThat(said.exit()).isZero();
    assertThat(said.out()).contains("records copied").doesNotContain("LOST");
    assertThat(Said.by("journal", "salvage", journal, saved).err())
        .isEqualTo("ron: " + saved + " is not empty\n");
  }

  /** Flips a bit within the text, wherever it lies. */
  private static Path damage(Path journal, String text) throws IOException {
    try (Stream<Path> files = Files.list(journal)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".log")).toList()) {
        byte[] bytes = Files.readAllBytes(file);
        int at = new String(bytes, ISO_8859_1).indexOf(text);
        if (at >= 0) {
          bytes[at] ^= 1;
          Files.write(file, bytes);
          return file;
        }
      }
    }
    throw new AssertionError(text + " is in no segment of " + journal);
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(ISO_8859_1));
  }

  private static String mailbox(RunningNode node, String... args) throws IOException {
    Stream<String> to = Stream.of("--url", node.url("mailbox"), "--cap", node.keys().adminToken());
    Said said = Said.by(Stream.concat(Stream.of(args), to).toArray(String[]::new));
    assertThat(said.exit()).as(said.err()).isZero();
    return said.out();
  }
}
