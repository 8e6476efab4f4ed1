package dev.ron.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.kernel.fault.Fault;
import java.io.IOException;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of the storage's faults as clients see it. */
final class StorageFaultTest {
  private static final Address ONE = Rig.address(new byte[] {1});
  private static final Address TWO = Rig.address(new byte[] {2});

  @Test
  void eachFaultSaysItsRow() {
    assertThat(
            Stream.<Fault>of(
                    new StorageFault.Malformed("d"),
                    new StorageFault.NotFound(ONE),
                    new StorageFault.UploadUnknown("u"),
                    new StorageFault.PreconditionFailed(ONE),
                    new StorageFault.Mismatch(ONE, TWO),
                    new StorageFault.UploadConflict("d"),
                    new StorageFault.TooLarge(1024),
                    new StorageFault.Unsatisfiable(ONE, 5),
                    new StorageFault.Busy("uploads", 8),
                    new StorageFault.Amnesia("the parts of an upload"),
                    new StorageFault.Integrity(ONE, 65536),
                    new StorageFault.Full("d"),
                    new StorageFault.Unavailable("d"))
                .map(StorageFaultTest::row))
        .containsExactly(
            "400 malformed CALLER - d",
            "404 not-found CALLER - ONE is not stored here",
            "404 upload-unknown CALLER - no upload u is open here",
            "412 precondition-failed CALLER - the precondition does not hold for ONE",
            "409 address-mismatch CALLER - the bytes sent as ONE are those of TWO; nothing was"
                + " stored",
            "409 upload-conflict CALLER - d",
            "413 too-large CALLER - an object may have up to 1024 bytes",
            "416 range CALLER - no byte of the range is in the 5 bytes of ONE",
            "429 busy US PT1S uploads is full at 8; retry after the time given",
            "503 amnesia US - the parts of an upload would have to be kept on disk, and this node"
                + " keeps nothing there",
            "502 integrity US - no copy of ONE is good at byte 65536; putting the object again"
                + " repairs it",
            "507 full US - d",
            "503 unavailable US PT2S d");
  }

  @Test
  void aFullDiskIsFullAndAnyOtherTroubleIsUnavailable() {
    assertThat(
            Stream.of("write: No space left on device", "Input/output error")
                .map(words -> row(StorageFault.of(new IOException(words)))))
        .containsExactly(
            "507 full US - the disk is full; free some space, what is stored can be read",
            "503 unavailable US PT2S Input/output error");
  }

  private static String row(Fault fault) {
    var said = fault.said();
    return "%d %s %s %s %s"
        .formatted(
            said.status(),
            said.code(),
            said.blame(),
            said.retryAfter().map(Duration::toString).orElse("-"),
            said.text().replace(ONE.toString(), "ONE").replace(TWO.toString(), "TWO"));
  }
}
