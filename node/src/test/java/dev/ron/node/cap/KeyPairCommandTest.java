package dev.ron.node.cap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.capability.KeyPair;
import dev.ron.capability.KeyRing;
import dev.ron.capability.TokenMint;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyPairCommandTest {
  @TempDir private Path folder;

  private final KeyPair pair =
      KeyPair.of(new TokenMint(KeyRing.generate(new Random(1)), new Random(2)).mint(List.of()));

  private String keys() {
    return "aws_access_key_id = %s\naws_secret_access_key = %s\n"
        .formatted(pair.accessKeyId(), pair.secret());
  }

  @Test
  void aNewFileIsTheOwnersAlone() throws Exception {
    Path file = folder.resolve(".aws/credentials");
    KeyPairCommand.write(file, "ron", pair);
    assertThat(Files.readString(file)).isEqualTo("[ron]\n" + keys());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void otherProfilesAndOtherSettingsStay() throws Exception {
    Path file = folder.resolve("credentials");
    Files.writeString(
        file,
        """
        # mine
        [default]
        aws_access_key_id = A
        aws_secret_access_key = B

        [ron]
        region = mars
        aws_access_key_id=old
        aws_secret_access_key = old
        aws_session_token = old
        [ron2]
        aws_access_key_id = C
        """);
    KeyPairCommand.write(file, "ron", pair);
    String once = Files.readString(file);
    assertThat(once)
        .isEqualTo(
            """
            # mine
            [default]
            aws_access_key_id = A
            aws_secret_access_key = B

            [ron]
            %sregion = mars
            [ron2]
            aws_access_key_id = C
            """
                .formatted(keys()));
    KeyPairCommand.write(file, "ron", pair);
    assertThat(Files.readString(file)).isEqualTo(once);
    KeyPairCommand.write(file, "third", pair);
    assertThat(Files.readString(file)).isEqualTo(once + "\n[third]\n" + keys());
  }

  /** The SDKs read all of these; a key or a profile that is there twice ends every profile. */
  @Test
  void keysAreReplacedInEveryFormThatIsRead() throws Exception {
    Path file = folder.resolve("credentials");
    Files.writeString(
        file,
        """
        [ron] # of the node
        aws_access_key_id: old
        AWS_SECRET_ACCESS_KEY = old
        [other]
        aws_access_key_id: A
        """);
    KeyPairCommand.write(file, "ron", pair);
    assertThat(Files.readString(file))
        .isEqualTo("[ron] # of the node\n" + keys() + "[other]\naws_access_key_id: A\n");
  }

  @Test
  void aLinkStaysALink() throws Exception {
    Path real = Files.writeString(folder.resolve("real"), "[default]\n");
    Path link = Files.createSymbolicLink(folder.resolve("link"), real);
    KeyPairCommand.write(link, "ron", pair);
    assertThat(Files.isSymbolicLink(link)).isTrue();
    assertThat(Files.readString(real)).isEqualTo("[default]\n\n[ron]\n" + keys());
  }

  @Test
  void aNameThatWouldBreakTheFileIsRefused() {
    for (String name : List.of("", "a]", "a\nb", "a b")) {
      assertThatThrownBy(() -> KeyPairCommand.write(folder.resolve("c"), name, pair))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void theFileIsWhereTheSdksLook() {
    assertThat(KeyPairCommand.credentials(Map.of("AWS_SHARED_CREDENTIALS_FILE", "x")))
        .isEqualTo(Path.of("x"));
    assertThat(KeyPairCommand.credentials(Map.of("HOME", "/elsewhere")))
        .isEqualTo(Path.of("/elsewhere/.aws/credentials"));
    assertThat(KeyPairCommand.credentials(Map.of()).toString()).endsWith(".aws/credentials");
  }
}
