package dev.ron.capability;

import static dev.ron.capability.RandomScope.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.capability.caveat.AccessRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyFilesTest {
  @TempDir Path folder;

  @Test
  void aRingComesBackFromItsFile() throws IOException {
    var random = new Random(1);
    var file = folder.resolve("keys");
    KeyRing first = KeyRing.generate(random);
    KeyRing rotated = first.rotate(random, NOON, Duration.ofDays(1));
    for (KeyRing ring : List.of(first, rotated)) {
      KeyRingFile.write(file, ring);
      KeyRing read = KeyRingFile.read(file);
      assertThat(read).hasToString(ring.toString());
      String token = new TokenMint(ring, random).mint(List.of()).token();
      assertThat(
              new Verifier(new Trust(read, Revocations.NONE))
                  .verify(token, AccessRequest.of("edge", "get", NOON)))
          .isInstanceOf(AccessDecision.Granted.class);
    }
    String old = new TokenMint(first, random).mint(List.of()).token();
    assertThat(
            new Verifier(new Trust(KeyRingFile.read(file), Revocations.NONE))
                .verify(old, AccessRequest.of("edge", "get", NOON)))
        .as("the retired key kept its secret")
        .isInstanceOf(AccessDecision.Granted.class);
  }

  @Test
  void onlyTheOwnerCanReadItAndNoDraftStays() throws IOException {
    var file = folder.resolve("keys");
    KeyRingFile.write(file, KeyRing.generate(new Random(1)));
    KeyRingFile.write(file, KeyRing.generate(new Random(2)));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rwx------"})
  void aFileOpenToOthersIsRefused(String permissions) throws IOException {
    var file = folder.resolve("keys");
    KeyRingFile.write(file, KeyRing.generate(new Random(1)));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    assertThatThrownBy(() -> KeyRingFile.read(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("chmod 600");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "ron-keys 2\nactive k1 SECRET\n",
        "ron-keys 1\n",
        "ron-keys 1\nactive k1\n",
        "ron-keys 1\nactive k1 SECRETff\n",
        "ron-keys 1\nactive k1 SECRET 2026-11-15T10:00:00Z\n",
        "ron-keys 1\nactive k1 SECRET\nactive k2 SECRET\n",
        "ron-keys 1\nactive k1 SECRET\nretired k2 SECRET\n",
        "ron-keys 1\nactive k1 SECRET\nretired k2 SECRET soon\n",
        "ron-keys 1\nactive k1 SECRET\nretired k1 SECRET 2026-11-15T10:00:00Z\n",
        "ron-keys 1\nretired k1 SECRET 2026-11-15T10:00:00Z\n",
        "ron-keys 1\nactive k1 SECRET\n\n",
      })
  void aBrokenFileIsRefusedWithoutQuotingIt(String content) throws IOException {
    String secret = "5ec2e7".repeat(10) + "5ec2";
    var file = folder.resolve("keys");
    SecretFile.replace(file, content.replace("SECRET", secret));
    assertThatThrownBy(() -> KeyRingFile.read(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file.toString())
        .hasMessageNotContaining("5ec2e7");
  }

  @Test
  void revocationsAreAppendedAndComeBack() throws IOException {
    var file = folder.resolve("revoked");
    var random = new Random(4);
    assertThat(RevocationFile.read(file).size()).isZero();
    List<TokenId> ids = Stream.generate(() -> TokenId.random("k1", random)).limit(50).toList();
    for (TokenId id : ids) {
      RevocationFile.append(file, id, NOON);
      assertThat(RevocationFile.read(file).contains(id)).isTrue();
    }
    RevocationFile.append(file, ids.getFirst(), NOON);
    Revocations read = RevocationFile.read(file);
    assertThat(read.size()).isEqualTo(50);
    assertThat(ids).allMatch(read::contains);
    assertThat(read.contains(TokenId.random("k1", random))).isFalse();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  /** A crash may stop an append after any byte: earlier lines stay, the next append is whole. */
  @Test
  void anAppendCutShortAnywhereHarmsNoOther() throws IOException {
    var random = new Random(5);
    TokenId first = TokenId.random("k1", random);
    TokenId torn = TokenId.random("k1", random);
    TokenId next = TokenId.random("k1", random);
    String line = torn.text() + " " + NOON;
    for (int length = 0; length <= line.length(); length++) {
      var file = folder.resolve("revoked-" + length);
      RevocationFile.append(file, first, NOON);
      Files.writeString(file, line.substring(0, length), StandardOpenOption.APPEND);
      assertThat(RevocationFile.read(file).contains(first)).isTrue();
      RevocationFile.append(file, next, NOON);
      Revocations read = RevocationFile.read(file);
      assertThat(read.contains(first) && read.contains(next)).as("cut at %d", length).isTrue();
      assertThat(read.size()).isEqualTo(2);
    }
  }

  @Test
  void aLineThatCannotBeReadStopsTheReader() throws IOException {
    var file = folder.resolve("revoked");
    RevocationFile.append(file, TokenId.random("k1", new Random(6)), NOON);
    Files.writeString(file, "ron1:k1:zz 2026-11-15T10:00:00Z\n", StandardOpenOption.APPEND);
    assertThatThrownBy(() -> RevocationFile.read(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("line 2");
  }
}
