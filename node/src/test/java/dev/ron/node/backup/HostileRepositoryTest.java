package dev.ron.node.backup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Blake3;
import dev.ron.capability.signature.SignatureKind;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.node.NodeKeys;
import dev.ron.node.Said;
import dev.ron.rewarder.sign.Attestor;
import dev.ron.usage.Seal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A repository that something else can write to: it makes backups that are whole and signed, by a
 * key of its own.
 */
@ResourceLock(Resources.SYSTEM_OUT)
class HostileRepositoryTest {
  private static final byte[] CONTENT = "planted\n".getBytes(UTF_8);

  @TempDir Path folder;

  /** A backup of one file with that name. */
  private Path repository(String file) throws IOException {
    return repository(file, signer("others"), "2026-11-18T00:00:00Z", Map.of());
  }

  private Attestor signer(String node) throws IOException {
    return Attestor.open(new RealDisk(), folder.resolve(node), List.of(SignatureKind.ED25519));
  }

  private static String node(Attestor signer) {
    return Seal.nodeOf(signer.publicKeys().getFirst());
  }

  private Path repository(String file, Attestor signer, String at, Map<String, byte[]> more)
      throws IOException {
    var repository = new FolderRepository(new RealDisk(), folder.resolve("repository"));
    var files = new TreeMap<String, byte[]>(more);
    files.put(file, CONTENT);
    var listed = new ArrayList<BackupFile>();
    for (var each : files.entrySet()) {
      listed.add(
          new BackupFile(
              each.getKey(), each.getValue().length, List.of(put(repository, each.getValue()))));
    }
    byte[] table = new FileTable(listed).bytes();
    String node = node(signer);
    BackupManifest manifest =
        new BackupManifest(
                at.replaceAll("[-:]", "").replace("Z", ".000Z-") + node.substring(0, 8),
                node,
                Instant.parse(at),
                Blake3.hash(table).hex(),
                new BackupFile("list", table.length, List.of(put(repository, table))),
                listed.size(),
                listed.stream().mapToLong(BackupFile::size).sum(),
                1,
                List.of(),
                List.of(),
                List.of())
            .signedBy(signer);
    repository.put(BackupReader.path(manifest.name()), manifest.bytes());
    return repository.folder();
  }

  private static String put(FolderRepository repository, byte[] bytes) throws IOException {
    String hex = Blake3.hash(bytes).hex();
    repository.put(BackupRepository.piece(hex), bytes);
    return hex;
  }

  /** The folder that the test looks at stands for any place of the machine. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "storage/@/file", // the rest behind the folder's name is an absolute path
        "@/file",
        "storage/../../planted/file",
        "../planted/file",
        "./../planted/file",
        "storage//../../planted/file"
      })
  void noFileLeavesTheFolderThatIsRestored(String name) throws Exception {
    Path planted = folder.resolve("planted");
    Path from = repository(name.replace("@", planted.toString()));
    Said said = restore(from);
    assertThat(said.exit()).as(said.out() + said.err()).isNotZero();
    assertThat(said.err()).contains("a file is called");
    assertThat(planted).doesNotExist();
    assertThat(folder.resolve("data")).doesNotExist();
  }

  /** Keys in the clear would be keys that the repository knows: it could mint any token. */
  @ParameterizedTest
  @ValueSource(strings = {"keys/keyring", "keys/s3-masters", "rewarder/keys/policy"})
  void noKeyIsTakenThatIsNotUnderThePassphrase(String name) throws Exception {
    Said said = restore(repository(name));
    assertThat(said.exit()).as(said.out() + said.err()).isNotZero();
    assertThat(said.err()).contains(name + " is a secret and is not under the passphrase");
    assertThat(folder.resolve("data")).doesNotExist();
  }

  /** The newest is taken by default, and any repository can have a newer one. */
  @Test
  void aBackupWithoutTheBoxIsRefusedToOneWhoHasThePassphrase() throws Exception {
    Path passphrase = Files.writeString(folder.resolve("passphrase"), "a long enough secret\n");
    Said said =
        Said.by(
            "restore",
            repository("storage/file").toString(),
            "--data",
            folder.resolve("data").toString(),
            "--passphrase-file",
            passphrase.toString());
    assertThat(said.exit()).as(said.out() + said.err()).isNotZero();
    assertThat(said.err()).contains("has no keys under a passphrase");
    assertThat(folder.resolve("data")).doesNotExist();
  }

  /** It can put what it likes beside keys that it cannot open. */
  @Test
  void filesOfAnotherNodeAreRefusedBesideTheKeysOfThisOne() throws Exception {
    Path passphrase = Files.writeString(folder.resolve("passphrase"), "a long enough secret\n");
    NodeKeys.openOrMake(folder.resolve("own"));
    String own = node(signer("own/keys"));
    var keys = new TreeMap<String, byte[]>();
    try (Stream<Path> files = Files.list(folder.resolve("own").resolve("keys"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        keys.put("keys/" + file.getFileName(), Files.readAllBytes(file));
      }
    }
    byte[] box = SecretBox.close(keys, "a long enough secret".toCharArray());
    Path from =
        repository(
            "planted/file",
            signer("others"),
            "2026-11-18T00:00:00Z",
            Map.of(BackupWriter.SECRETS, box));
    Said said =
        Said.by(
            "restore",
            from.toString(),
            "--data",
            folder.resolve("data").toString(),
            "--passphrase-file",
            passphrase.toString());
    assertThat(said.exit()).as(said.out() + said.err()).isNotZero();
    assertThat(said.err()).contains("has the keys of node " + own);
    assertThat(folder.resolve("data")).doesNotExist();
  }

  @Test
  void theNewestByOneNodeIsFoundBehindThoseOfOthers() throws Exception {
    Path from = repository("planted/a", signer("a"), "2026-11-18T00:00:00Z", Map.of());
    repository("planted/b", signer("b"), "2026-11-18T01:00:00Z", Map.of());
    Path data = folder.resolve("data");
    Said said =
        Said.by("restore", from.toString(), "--data", data.toString(), "--node", node(signer("a")));
    assertThat(said.exit()).as(said.out() + said.err()).isZero();
    assertThat(data.resolve("planted").resolve("a")).hasBinaryContent(CONTENT);
    assertThat(Said.by("restore", from.toString(), "--data", data + "2", "--node", "c").err())
        .contains("no backup there was made by node c");
  }

  /** The names of the three are of three hours; the last is by another node. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          --node   | a                    | a1 | SKIPPED: backup 20261118T0200
          --before | 2026-11-18T01:30:00Z | a1 | SKIPPED: backup 20261118T0100
          --before | 2026-11-18T00:30:00Z | a1 | SKIPPED: backup 20261118T0200
          --backup | a1                   | a1 | -
          --backup | a2                   | -  | backup 20261118T0100
          --node   | b                    | -  | no backup there that can be read was made by node
          -        | -                    | -  | it is the newest: name an older one by --backup
          """)
  void aManifestThatRottedIsPassedOverWhereAnotherIsWhatWasAskedFor(
      String option, String value, String restored, String told) throws Exception {
    Path from = repository("planted/a1", signer("a"), "2026-11-18T00:00:00Z", Map.of());
    repository("planted/a2", signer("a"), "2026-11-18T01:00:00Z", Map.of());
    repository("planted/b", signer("b"), "2026-11-18T02:00:00Z", Map.of());
    List<Path> manifests;
    try (Stream<Path> files = Files.list(from.resolve("backups"))) {
      manifests = files.sorted().toList();
    }
    for (Path rotten : manifests.subList(1, 3)) {
      Files.writeString(rotten, Files.readString(rotten).replace("\"size\":8", "\"size\":9"));
    }
    Path data = folder.resolve("data");
    var words = new ArrayList<>(List.of("restore", from.toString(), "--data", data.toString()));
    if (option != null) {
      words.add(option);
      words.add(
          switch (value) {
            case "a", "b" -> node(signer(value));
            case "a1", "a2" ->
                manifests
                    .get(value.equals("a1") ? 0 : 1)
                    .getFileName()
                    .toString()
                    .replace(".json", "");
            default -> value;
          });
    }
    Said said = Said.by(words.toArray(String[]::new));
    assertThat(said.exit()).as(said.out() + said.err()).isEqualTo(restored == null ? 1 : 0);
    assertThat(data.resolve("planted/a1").toFile().exists()).isEqualTo(restored != null);
    if (told == null) {
      assertThat(said.err()).doesNotContain("SKIPPED");
    } else {
      assertThat(said.err()).contains(told);
    }
  }

  private Said restore(Path from) {
    return Said.by("restore", from.toString(), "--data", folder.resolve("data").toString());
  }

  /** What is in it is as secret as the data folder. */
  @Test
  void aRepositoryIsItsOwnersAlone() throws Exception {
    Path repository = repository("storage/file");
    try (Stream<Path> all = Files.walk(repository)) {
      for (Path each : all.toList()) {
        String wanted = Files.isDirectory(each) ? "rwx------" : "rw-------";
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
            .as(each.toString())
            .isEqualTo(wanted);
      }
    }
  }
}
