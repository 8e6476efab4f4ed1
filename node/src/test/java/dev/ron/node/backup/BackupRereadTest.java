package dev.ron.node.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Blake3;
import dev.ron.capability.signature.SignatureKind;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.node.NodeKeys;
import dev.ron.node.Said;
import dev.ron.rewarder.sign.Attestor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** A repository that rots, of a node that has the bytes still. */
@ResourceLock(Resources.SYSTEM_OUT)
class BackupRereadTest {
  @TempDir private Path folder;

  @BeforeEach
  void aNodeWithKeys() throws IOException {
    NodeKeys.openOrMake(folder.resolve("data"));
    Attestor.open(new RealDisk(), folder.resolve("data/keys"), List.of(SignatureKind.ED25519));
  }

  private Said backup(String... more) {
    return Said.by(
        Stream.concat(
                Stream.of("backup", repository(), "--data", folder.resolve("data").toString()),
                Stream.of(more))
            .toArray(String[]::new));
  }

  private String repository() {
    return folder.resolve("b").toString();
  }

  /** Of a file that is in every backup. */
  private Path piece() throws IOException {
    byte[] version = Files.readAllBytes(folder.resolve("data/version"));
    return folder.resolve("b").resolve(BackupRepository.piece(Blake3.hash(version).hex()));
  }

  /** Otherwise every backup to come would lead to the piece that rotted. */
  @Test
  void aPieceThatRottedIsSentAgainByABackupThatReads() throws Exception {
    assertThat(backup().exit()).isZero();
    Path piece = piece();
    byte[] right = Files.readAllBytes(piece);
    byte[] rotten = right.clone();
    rotten[0] ^= 1;
    Files.write(piece, rotten);
    assertThat(backup().out()).doesNotContain("not right");
    assertThat(Said.by("backup", "verify", repository()).exit()).isEqualTo(1);
    assertThat(backup("--reread").out()).contains("1 pieces were there and not right");
    assertThat(piece).hasBinaryContent(right);
    List<String> names =
        new BackupReader(new FolderRepository(new RealDisk(), folder.resolve("b"))).names();
    assertThat(names).hasSize(3);
    for (String name : names) {
      assertThat(Said.by("backup", "verify", repository(), name).exit()).as(name).isZero();
    }
    assertThat(backup("--reread").out()).doesNotContain("not right");
  }

  @Test
  void aListNamesTheBackupThatCannotBeReadAndShowsTheOthers() throws Exception {
    assertThat(backup().exit()).isZero();
    Files.writeString(folder.resolve("b/backups/20260101T000000.000Z-00000000.json"), "{");
    Said said = Said.by("backup", "list", repository());
    assertThat(said.exit()).isEqualTo(1);
    assertThat(said.out().lines()).hasSize(2);
    assertThat(said.err()).contains("20260101T000000.000Z-00000000 is damaged");
  }

  @Test
  void whatIsInNoFolderOfTheNodeIsNamedAsLeftOut() {
    assertThat(backup().out()).doesNotContain("master keys", "in the bucket");
    Said said =
        backup(
            "--set",
            "storage.s3.master_keys=" + folder.resolve("masters"),
            "--set",
            "storage.tier.s3_endpoint=http://127.0.0.1:1",
            "--set",
            "storage.tier.bucket=cold",
            "--set",
            "storage.tier.keep_bytes=1GiB");
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(said.out())
        .contains(
            "left out: the master keys in " + folder.resolve("masters"),
            "left out: objects that are in the bucket cold at http://127.0.0.1:1 alone");
  }
}
