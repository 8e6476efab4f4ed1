package dev.ron.rewarder.sign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.capability.signature.SignatureKind;
import dev.ron.kernel.disk.RealDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
final class AttestorTest {
  private static final int CHECK_BYTES = 32;

  @TempDir private Path folder;

  private Attestor open(SignatureKind kind) throws IOException {
    return Attestor.open(new RealDisk(), folder, List.of(kind));
  }

  /** Else an epoch would be closed under a signature that no reader accepts. */
  @ParameterizedTest
  @EnumSource(SignatureKind.class)
  void aKeyThatIsDamagedSignsNothing(SignatureKind kind) throws Exception {
    List<String> open = open(kind).publicKeys();
    assertThat(open(kind).publicKeys()).isEqualTo(open);
    Path file = folder.resolve("attest." + kind.word());
    byte[] whole = Files.readAllBytes(file);
    for (int i = 0; i < whole.length; i += Math.max(1, whole.length / 128)) {
      byte[] flipped = whole.clone();
      flipped[i] ^= 0x10;
      Files.write(file, flipped);
      assertThatThrownBy(() -> open(kind))
          .as("byte %d", i)
          .isInstanceOf(IOException.class)
          .hasMessageContaining(file + " is damaged");
    }
  }

  /** It ends without a check; its halves must belong together. */
  @Test
  void aKeyOfAnOlderBuildIsReadIfItSigns() throws Exception {
    List<String> open = open(SignatureKind.ED25519).publicKeys();
    Path file = folder.resolve("attest.ed25519");
    byte[] whole = Files.readAllBytes(file);
    byte[] old = Arrays.copyOf(whole, whole.length - CHECK_BYTES);
    Files.write(file, old);
    assertThat(open(SignatureKind.ED25519).publicKeys()).isEqualTo(open);
    old[40] ^= 0x10;
    Files.write(file, old);
    assertThatThrownBy(() -> open(SignatureKind.ED25519))
        .hasMessageContaining(file + " is damaged");
  }

  @Test
  void aLengthThatIsDamagedAsksForNoMemory() throws Exception {
    Path file = folder.resolve("attest.ed25519");
    Files.writeString(file, "junk\n");
    assertThatThrownBy(() -> open(SignatureKind.ED25519))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file + " is damaged");
  }
}
