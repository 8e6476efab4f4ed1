package dev.ron.tilepack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.kernel.fault.Blame;
import dev.ron.kernel.fault.Fault;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The table of what can be wrong with a pack. */
final class PackFaultTest {
  private static final Address EXPECTED = new Address(Blake3.hash(new byte[0]));
  private static final Address ACTUAL = new Address(Blake3.hash(new byte[1]));

  private static final List<Fault> FAULTS =
      List.of(
          new PackFault.Unreadable("d"),
          new PackFault.Unknown("d"),
          new PackFault.BadHeader("root", "is too long"),
          new PackFault.BadDirectory("d"),
          new PackFault.BadMetadata("d"),
          new PackFault.BadCompression("d"),
          new PackFault.OtherAddress(EXPECTED, ACTUAL));

  @Test
  void eachFaultSaysItsRow() {
    assertThat(FAULTS.stream().map(fault -> fault.code() + " " + fault.detail()))
        .containsExactly(
            "pack-unreadable d",
            "pack-unknown d",
            "pack-header header field root is too long",
            "pack-directory d",
            "pack-metadata d",
            "pack-compression d",
            "pack-address the bytes have the address " + ACTUAL + ", expected is " + EXPECTED);
  }

  /** No request can mend a pack, and waiting does not either. */
  @Test
  void eachIsTheOperatorsToMend() {
    assertThat(FAULTS)
        .allSatisfy(
            fault -> {
              assertThat(fault.blame()).isEqualTo(Blame.US);
              assertThat(fault.retryAfter()).isEmpty();
              assertThat(fault.status()).isZero();
            });
  }
}
