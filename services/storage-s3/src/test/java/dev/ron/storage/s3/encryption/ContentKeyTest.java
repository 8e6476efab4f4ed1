package dev.ron.storage.s3.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.Refusal;
import dev.ron.storage.s3.core.ObjectEncryption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is stored opens with its own key alone, and no two blocks look alike. */
final class ContentKeyTest {
  @TempDir private Path folder;

  private final RandomGenerator secrets = new SplittableRandom(1);

  private ContentKey key() {
    byte[] bytes = new byte[Aes.KEY_BYTES];
    secrets.nextBytes(bytes);
    return new ContentKey(bytes, secrets);
  }

  private byte[] bytes(int size) {
    byte[] bytes = new byte[size];
    secrets.nextBytes(bytes);
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 15, 16, 4096, 65_535, 65_536, 65_537, 131_072, 200_000, 4 << 20})
  void aBlockComesBackWhateverItsSize(int size) {
    ContentKey key = key();
    byte[] plain = bytes(size);
    byte[] stored = key.sealed(plain);
    assertThat(stored).hasSize(ContentKey.storedBytes(size));
    assertThat(ContentKey.plainBytes(stored.length)).isEqualTo(size);
    assertThat(key.opened(stored)).isEqualTo(plain);
    assertThat(key.sealed(plain)).as("the same bytes again").isNotEqualTo(stored);
    if (size >= 16) {
      assertThat(Arrays.copyOf(stored, 16)).isNotEqualTo(Arrays.copyOf(plain, 16));
    }
  }

  @Test
  void noByteOfABlockCanBeChanged() {
    ContentKey key = key();
    byte[] stored = key.sealed(bytes(70_000));
    for (int at : new int[] {0, 65_535, 65_536, 69_999, 70_000, 70_016, stored.length - 1}) {
      byte[] changed = stored.clone();
      changed[at] ^= 1;
      assertThatThrownBy(() -> key.opened(changed)).isInstanceOf(IllegalStateException.class);
    }
    assertThatThrownBy(() -> key().opened(stored)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void anEnvelopeOpensWithItsKeyAlone() throws Exception {
    Path file = folder.resolve("masters");
    var keys = new ObjectKeys(MasterKeys.openOrMake(file, secrets), secrets);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    ObjectKeys.NewKey made = keys.make(new EncryptionChoice.ServerKey());
    byte[] stored = made.key().sealed(new byte[] {1, 2, 3});
    assertThat(keys.open(made.encryption(), Optional.empty()).opened(stored))
        .containsExactly(1, 2, 3);
    // A newer key is used from now on, and the old one is not forgotten.
    Files.write(file, List.of(Files.readString(file).strip(), "ab".repeat(32)));
    var rotated = new ObjectKeys(MasterKeys.open(file), secrets);
    assertThat(rotated.open(made.encryption(), Optional.empty()).opened(stored))
        .containsExactly(1, 2, 3);
    ObjectEncryption later = rotated.make(new EncryptionChoice.ServerKey()).encryption();
    assertThat(later.masterKey()).isNotEqualTo(made.encryption().masterKey());
    assertThatThrownBy(() -> keys.open(later, Optional.empty()))
        .isInstanceOf(Refusal.class)
        .hasMessageContaining(later.masterKey());
    ObjectEncryption wrong =
        new ObjectEncryption(later.kind(), later.masterKey(), made.encryption().wrappedKey());
    assertThatThrownBy(() -> rotated.open(wrong, Optional.empty())).isInstanceOf(Refusal.class);
  }

  @Test
  void aFileThatIsNoneOrOpenToOthersIsRefused() throws Exception {
    Path file = folder.resolve("masters");
    MasterKeys.openOrMake(file, secrets);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> MasterKeys.open(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("chmod 600");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    for (String text : List.of("", "\n", "abc", "zz".repeat(32))) {
      Files.writeString(file, text);
      assertThatThrownBy(() -> MasterKeys.open(file))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("64 hex digits");
    }
    var none = new ObjectKeys(MasterKeys.open(folder.resolve("absent")), secrets);
    assertThatThrownBy(() -> none.make(new EncryptionChoice.ServerKey()))
        .isInstanceOfSatisfying(
            Refusal.class, refusal -> assertThat(refusal.status()).isEqualTo(501));
  }
}
