package dev.ron.node.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.capability.signature.SignatureKind;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.node.NodeKeys;
import dev.ron.node.Said;
import dev.ron.rewarder.sign.Attestor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** Folders that a backup is restored to: in a container they are there, and other disks. */
@ResourceLock(Resources.SYSTEM_OUT)
class RestorePlaceTest {
  @TempDir private Path folder;

  @BeforeEach
  void aBackup() throws IOException {
    Path data = folder.resolve("data");
    NodeKeys.openOrMake(data);
    Attestor.open(new RealDisk(), data.resolve("keys"), List.of(SignatureKind.ED25519));
    Files.createDirectories(data.resolve("mailbox"));
    Files.writeString(data.resolve("mailbox/shards"), "4\n");
    assertThat(Said.by("backup", repository(), "--data", data.toString()).exit()).isZero();
  }

  private String repository() {
    return folder.resolve("b").toString();
  }

  private Said restore(Path data) {
    return Said.by("restore", repository(), "--data", data.toString());
  }

  /** A link stands for all that cannot be made anew beside its place, as mounted disks. */
  @Test
  void aFolderThatIsThereStaysWhatItIs() throws Exception {
    Path disk = Files.createDirectory(folder.resolve("disk"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), disk);
    Said said = restore(link);
    assertThat(said.exit()).as(said.err()).isZero();
    assertThat(link).isSymbolicLink();
    assertThat(disk.resolve("mailbox/shards")).hasContent("4");
    assertThat(folder.resolve("link.restore-part")).doesNotExist();
    assertThat(disk.resolve(".restore-part")).doesNotExist();
    assertThat(restore(link).err()).contains("is not empty");
  }

  @Test
  void aRestoreThatWasCutIsMadeAgainAndNoNodeStartsBefore() throws Exception {
    Path data = folder.resolve("restored");
    Path left = Files.createDirectories(data.resolve(".restore-part").resolve("mailbox"));
    Files.writeString(left.resolve("shards"), "3\n");
    assertThat(Said.by("fsck", "--data", data.toString()).err()).contains("is half restored");
    assertThat(restore(data).exit()).isZero();
    assertThat(data.resolve("mailbox/shards")).hasContent("4");
    assertThat(data.resolve(".restore-part")).doesNotExist();
    Files.createDirectory(data.resolve(".restore-part"));
    assertThat(Said.by("up", "--rehearse", "--data", data.toString()).err())
        .contains("is half restored");
    assertThat(restore(data).err()).contains("is not empty");
  }

  /** It would vote at once on whose an object is, by what it knew then. */
  @Test
  void aMachineThatKeepsObjectsWithOthersComesBackOnlyWithAllOfThem() {
    Path data = folder.resolve("restored");
    String peers = "storage.cluster.peers=a=http://127.0.0.1:8083,b=http://127.0.0.2:8083";
    String[] restore = {"restore", repository(), "--data", data.toString(), "--set", peers};
    Said refused = Said.by(restore);
    assertThat(refused.exit()).isNotZero();
    assertThat(refused.err()).contains("is of a machine of a cluster");
    assertThat(data).doesNotExist();
    String[] all = Arrays.copyOf(restore, restore.length + 1);
    all[restore.length] = "--all-machines";
    Said said = Said.by(all);
    assertThat(said.exit()).as(said.err()).isZero();
  }
}
