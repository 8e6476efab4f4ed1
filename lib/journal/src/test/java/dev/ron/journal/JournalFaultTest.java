package dev.ron.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.fault.Fault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of the journal's faults; none has a status, for none leaves its process. */
final class JournalFaultTest {
  @Test
  void eachFaultSaysItsRow() {
    assertThat(
            Stream.<Fault>of(
                    new JournalFault.Poisoned("no space"),
                    new JournalFault.Closed("journal j"),
                    new JournalFault.TooLarge(11, 10),
                    new JournalFault.Busy("journal j", 4096, Duration.ofMillis(20)),
                    new JournalFault.Corrupt(Path.of("j", "1.seg"), 64, "bad checksum"),
                    new JournalFault.OtherVersion(Path.of("j", "1.seg"), 2, 1),
                    new JournalFault.Trimmed(3, 7))
                .map(Fault::said)
                .map(
                    said ->
                        "%d %s %s %s %s"
                            .formatted(
                                said.status(),
                                said.code(),
                                said.blame(),
                                said.retryAfter().map(Duration::toString).orElse("-"),
                                said.text())))
        .containsExactly(
            "0 journal-poisoned US - a flush failed (no space); the process must restart and read"
                + " its journal again",
            "0 journal-closed US - journal j is closed",
            "0 record-too-large CALLER - 11 bytes where the journal takes 10 at a time",
            "0 busy US PT0.02S the buffer of journal j is full at 4096 bytes",
            "0 journal-corrupt US - j/1.seg is corrupt at byte 64: bad checksum; `ron journal salvage` copies"
                + " what can be read",
            "0 journal-version US - j/1.seg is of version 2, known is 1: start it with the build that wrote"
                + " it",
            "0 journal-trimmed US - record 3 was asked for and the oldest here is 7");
  }
}
