package dev.ron.content;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.content.ContentFault.RemoteFailed;
import dev.ron.kernel.fault.Fault;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of a content store's faults, as metrics and operators see it. */
final class ContentFaultTest {
  private static final Address ONE = new Address(Blake3.hash(new byte[] {1}));
  private static final Address TWO = new Address(Blake3.hash(new byte[] {2}));

  @Test
  void eachFaultSaysItsRow() {
    assertThat(
            Stream.<Fault>of(
                    new ContentFault.NotFound(ONE),
                    new ContentFault.OutOfRange(ONE, 9, 5),
                    new ContentFault.Mismatch(ONE, TWO),
                    new ContentFault.TooLarge(1024),
                    new ContentFault.Pinned(ONE),
                    new ContentFault.Full("the disk is full"),
                    new ContentFault.ReadOnly(),
                    new ContentFault.Corrupt(ONE, 3),
                    new ContentFault.DiskFailed("d"),
                    new RemoteFailed(RemoteFailed.Trouble.UNREACHABLE, "d"),
                    new RemoteFailed(RemoteFailed.Trouble.BUCKET_MISSING, "d"),
                    new RemoteFailed(RemoteFailed.Trouble.CREDENTIALS_REFUSED, "d"),
                    new RemoteFailed(RemoteFailed.Trouble.REFUSED, "d"),
                    new ContentFault.Busy("remote puts", 8),
                    new ContentFault.Late("the put"),
                    new ContentFault.Closed())
                .map(Fault::said)
                .map(
                    said ->
                        "%d %s %s %s %s"
                            .formatted(
                                said.status(),
                                said.code(),
                                said.blame(),
                                said.retryAfter().map(Duration::toString).orElse("-"),
                                said.text()
                                    .replace(ONE.toString(), "ONE")
                                    .replace(TWO.toString(), "TWO"))))
        .containsExactly(
            "0 not-found CALLER - ONE is not stored here",
            "0 out-of-range CALLER - ONE has 5 bytes, the range begins at 9",
            "0 address-mismatch CALLER - the bytes sent as ONE are those of TWO",
            "0 too-large CALLER - an object may have up to 1024 bytes",
            "0 pinned US - ONE is pinned and cannot be deleted before it is unpinned",
            "0 full US - the disk is full; free some space, what is stored can be read",
            "0 read-only US - the disk is mounted read-only or may not be written; what is stored"
                + " can be read",
            "0 corrupt US - group 3 of ONE is damaged; putting the object again repairs it",
            "0 disk-failed US - d",
            "0 remote-unreachable UPSTREAM PT5S d",
            "0 remote-bucket-missing UPSTREAM - d",
            "0 remote-credentials-refused UPSTREAM - d",
            "0 remote-refused UPSTREAM - d",
            "0 busy US PT1S remote puts are at their limit of 8",
            "0 late US - the put was not done before the deadline, and may still be",
            "0 draining US - the store is shutting down");
  }
}
