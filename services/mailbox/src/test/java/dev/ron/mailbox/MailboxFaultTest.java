package dev.ron.mailbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.fault.Fault;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of the mailbox's faults as clients see it. */
final class MailboxFaultTest {
  @Test
  void eachFaultSaysItsRow() {
    assertThat(
            Stream.<Fault>of(
                    new MailboxFault.Schema("d"),
                    new MailboxFault.CapAuth("d"),
                    new MailboxFault.CapScope("d"),
                    new MailboxFault.UnknownMessage("m"),
                    new MailboxFault.Duplicate("m"),
                    new MailboxFault.ReceiptExpired("m"),
                    new MailboxFault.IdemMismatch("m"),
                    new MailboxFault.FrameTooLarge("the payload", 11, 10),
                    new MailboxFault.Integrity("d"),
                    new MailboxFault.Saturated("shard 3", 100, Duration.ofMillis(250)),
                    new MailboxFault.Unavailable("d"))
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
            "400 schema CALLER - d",
            "401 cap-auth CALLER - d",
            "403 cap-scope CALLER - d",
            "404 unknown-message CALLER - no message m is ready, in flight or dead here",
            "409 duplicate CALLER - the idem_key was sent before as message m",
            "409 receipt-expired CALLER - message m is not in flight under this receipt; receive it"
                + " again before you settle it",
            "409 idem-mismatch CALLER - the idem_key was sent before with other bytes, as message m",
            "413 frame-too-large CALLER - the payload has 11 bytes where 10 are taken",
            "422 integrity CALLER - d",
            "429 saturated US PT0.25S shard 3 is at its limit of 100; retry after the time given",
            "503 unavailable US PT2S d");
  }
}
