package dev.ron.node.fsck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.node.DataFolderLock;
import dev.ron.node.FilledNode;
import dev.ron.node.RunningNode;
import dev.ron.node.Said;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every class of file of a node, damaged in turn; each damage is found, and what is lost named. */
@Timeout(300)
@ResourceLock(Resources.SYSTEM_OUT)
class FsckCommandTest {
  @TempDir private static Path folder;

  private static FilledNode.Names names;

  @BeforeAll
  static void fill() throws Exception {
    names = FilledNode.make(folder);
  }

  private static Said fsck(Path data) {
    return Said.by(
        "fsck", "--data", data.toString(), "--config", folder.resolve("ron.toml").toString());
  }

  @Test
  void aFolderThatWasStoppedInOrderHasNoDamageAndIsNotChanged() throws Exception {
    Map<String, String> before = state(folder.resolve("data"));
    Said said = fsck(folder.resolve("data"));
    assertThat(said.exit()).as(said.out() + said.err()).isZero();
    assertThat(said.out())
        .contains("no damage", "3 versions", "1 postings")
        // Two were awaited; a slow machine makes more.
        .containsPattern("\\b([2-9]|[1-9]\\d+) spans")
        .doesNotContain("unfinished");
    assertThat(state(folder.resolve("data"))).isEqualTo(before);
  }

  @Test
  void anotherFolderIsRefusedByName() {
    Said said = Said.by("fsck", "--data", folder.resolve("none").toString());
    assertThat(said.exit()).isEqualTo(1);
    assertThat(said.err()).contains("none is no data folder");
  }

  enum Harm {
    FLIP,
    CUT,
    DELETE
  }

  private record Case(String files, Harm harm, List<String> said) {
    Case(String files, Harm harm, String... said) {
      this(files, harm, List.of(said));
    }
  }

  private List<Case> cases() {
    return List.of(
        new Case("mailbox/journal/*.log", Harm.FLIP, "record 2 is lost", names.message(), "orders"),
        new Case("mailbox/journal/*.log", Harm.CUT, "DAMAGE mailbox"),
        new Case("mailbox/journal/*.log", Harm.DELETE, "no segment of the journal is here"),
        new Case("mailbox/shards", Harm.FLIP, "how many shards"),
        new Case("mailbox/shards", Harm.DELETE, "how many shards"),
        new Case("storage/objects/*.segment", Harm.FLIP, "DAMAGE storage: " + names.object()),
        new Case("storage/objects/*.segment", Harm.CUT, "DAMAGE storage: b3:", "bytes"),
        new Case("storage/objects/*.segment", Harm.DELETE, "DAMAGE storage: " + names.object()),
        new Case("storage/objects/index.snapshot", Harm.FLIP, "index.snapshot is damaged"),
        new Case("storage/references/*.segment", Harm.FLIP, "DAMAGE references of tenants: b3:"),
        new Case("storage/references/*.segment", Harm.DELETE, "DAMAGE references of tenants"),
        new Case("storage/home", Harm.DELETE, "has no id"),
        new Case("storage/s3/objects/*.segment", Harm.FLIP, "photos/large"),
        new Case("storage/s3/objects/*.segment", Harm.CUT, "photos/large"),
        new Case("storage/s3/objects/*.segment", Harm.DELETE, "photos/large"),
        new Case("storage/s3/names/rows/*.sst", Harm.FLIP, "rows cannot be read"),
        new Case("storage/s3/names/rows/*.sst", Harm.CUT, "rows cannot be read"),
        new Case("storage/s3/names/rows/*.sst", Harm.DELETE, "rows cannot be read", ".sst"),
        new Case("storage/s3/names/rows/CURRENT", Harm.DELETE, "CURRENT is gone"),
        new Case("storage/s3/names/rows/MANIFEST*", Harm.DELETE, "rows cannot be read"),
        new Case("storage/s3/names/journal/*.log", Harm.FLIP, "DAMAGE s3 log"),
        new Case("storage/s3/names/journal/*.log", Harm.DELETE, "DAMAGE s3"),
        new Case("storage/s3/names/journal/*.snapshot", Harm.FLIP, "snapshot that is not whole"),
        new Case("edge/heads/*.log", Harm.FLIP, "DAMAGE edge cache"),
        new Case("edge/heads/*.log", Harm.CUT, "DAMAGE edge cache"),
        new Case("edge/content/*.segment", Harm.FLIP, "DAMAGE edge cache: b3:"),
        new Case("edge/content/*.segment", Harm.DELETE, "DAMAGE edge cache: b3:"),
        new Case("rewarder/runs/*/run.json", Harm.FLIP, "DAMAGE rewarder", "run"),
        new Case("rewarder/runs/*/run.json", Harm.DELETE, "DAMAGE rewarder: run"),
        new Case("rewarder/runs/*/allocations", Harm.FLIP, "epoch e,"),
        new Case("rewarder/runs/*/allocations", Harm.CUT, "epoch e,"),
        new Case("rewarder/runs/*/allocations", Harm.DELETE, "epoch e,"),
        new Case("rewarder/runs/*/policy.json", Harm.FLIP, "policy.json is not what its address"),
        new Case("rewarder/runs/*/index", Harm.DELETE, "epoch e,"),
        new Case("rewarder/ledger/*.log", Harm.FLIP, "DAMAGE rewarder ledger"),
        new Case("rewarder/outbox/*.log", Harm.FLIP, "DAMAGE rewarder outbox"),
        new Case("usage/journal/*.log", Harm.FLIP, "DAMAGE usage"),
        new Case("usage/spans/*1.span", Harm.FLIP, "DAMAGE usage"),
        new Case("usage/spans/*1.span", Harm.CUT, "DAMAGE usage"),
        new Case("usage/spans/*1.seal", Harm.FLIP, "DAMAGE usage: seal file 1"),
        new Case("usage/spans/*1.seal", Harm.CUT, "DAMAGE usage: seal file 1"),
        new Case("keys/keyring", Harm.FLIP, "DAMAGE keys"),
        new Case("keys/keyring", Harm.CUT, "DAMAGE keys"),
        new Case("keys/keyring", Harm.DELETE, "every token and key pair ends"),
        new Case("keys/admin.cap", Harm.FLIP, "DAMAGE keys"),
        new Case("keys/s3-masters", Harm.CUT, "DAMAGE keys", "no encrypted object"),
        new Case("keys/s3-masters", Harm.FLIP, "DAMAGE keys: the key ", "photos/sealed"),
        new Case("keys/s3-masters", Harm.DELETE, "DAMAGE keys: the key ", "photos/sealed"),
        new Case("keys/attest.ed25519", Harm.CUT, "DAMAGE keys"),
        new Case("keys/attest.ed25519", Harm.DELETE, "attest.ed25519 is gone"),
        new Case("rewarder/keys/attest.ed25519", Harm.DELETE, "attest.ed25519 is gone"));
  }

  @Test
  void everyPlantedDamageIsFoundAndNamed() throws Exception {
    var soft = new SoftAssertions();
    int number = 0;
    for (Case each : cases()) {
      Path copy = folder.resolve("copy-" + number++);
      copy(folder.resolve("data"), copy);
      Path file = first(copy, each.files());
      harm(file, each.harm());
      Map<String, String> before = state(copy);
      Said said = fsck(copy);
      String what = each.harm() + " " + each.files() + "\n" + said.out() + said.err();
      soft.assertThat(said.exit()).as(what).isEqualTo(1);
      soft.assertThat(said.out()).as(what).contains(each.said());
      soft.assertThat(state(copy)).as(what).isEqualTo(before);
      FsckCommand.delete(copy);
    }
    soft.assertAll();
  }

  /** The snapshot of the index is gone as well, so only the reference still knows of the object. */
  @Test
  void anObjectThatATenantKeepsAndNoDiskHasIsNamedWithTheTenant() throws Exception {
    Path copy = folder.resolve("bare");
    copy(folder.resolve("data"), copy);
    try (Stream<Path> files = Files.list(copy.resolve("storage/objects"))) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.createFile(copy.resolve("storage/objects/empty")); // a cut has no folder without a file
    String address = new Address(Blake3.hash(new byte[] {7})).toString();
    Said said = fsck(copy);
    assertThat(said.exit()).as(said.out()).isEqualTo(1);
    assertThat(said.out())
        .contains("DAMAGE objects of tenants: " + address + ", kept for acme, is on no disk");
    String[] backup = {"backup", folder.resolve("b").toString(), "--data", copy.toString()};
    assertThat(Said.by(backup).out()).contains(address, "NOT BACKED UP");
    // While a node runs it may be a put that is under way.
    try (DataFolderLock lock = DataFolderLock.take(copy)) {
      Said running = Said.by(backup);
      assertThat(running.exit()).as(running.out() + running.err()).isZero();
      assertThat(lock).isNotNull();
    }
    FsckCommand.delete(copy);
  }

  /** What a start would make in the place of a lost key opens nothing, and hides the loss. */
  @ParameterizedTest
  @EnumSource(Harm.class)
  void noStartMakesANewKeyWhereObjectsNeedTheOld(Harm harm) throws Exception {
    Path copy = folder.resolve("keyless-" + harm);
    copy(folder.resolve("data"), copy);
    Path masters = copy.resolve("keys/s3-masters");
    switch (harm) {
      case DELETE -> Files.delete(masters);
      case CUT -> Files.writeString(masters, "");
      case FLIP -> {
        String key = Files.readString(masters);
        Files.writeString(masters, (key.startsWith("0") ? "1" : "0") + key.substring(1));
      }
    }
    assertThatThrownBy(() -> RunningNode.start(copy, Map.of()))
        .hasStackTraceContaining(harm == Harm.CUT ? "has no key" : "photos/sealed");
    assertThat(Files.exists(masters)).isEqualTo(harm != Harm.DELETE);
    Files.deleteIfExists(masters);
    Files.writeString(copy.resolve("storage/s3/names/master-keys"), "");
    RunningNode.start(copy, Map.of()).close();
    assertThat(masters).exists();
    FsckCommand.delete(copy);
  }

  private static void harm(Path file, Harm harm) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    switch (harm) {
      case DELETE -> Files.delete(file);
      case CUT -> Files.write(file, java.util.Arrays.copyOf(bytes, used(bytes) * 2 / 3));
      case FLIP -> {
        bytes[used(bytes) / 2] ^= 4;
        Files.write(file, bytes);
      }
    }
  }

  /** Without the zeros that a journal writes ahead. */
  private static int used(byte[] bytes) {
    int used = bytes.length;
    while (used > 1 && bytes[used - 1] == 0) {
      used--;
    }
    return used;
  }

  private static Path first(Path root, String glob) throws IOException {
    var matcher = FileSystems.getDefault().getPathMatcher("glob:" + glob);
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(file -> matcher.matches(root.relativize(file)))
          .sorted()
          .findFirst()
          .orElseThrow(() -> new AssertionError("no file is " + glob));
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path each : all.toList()) {
        Files.copy(
            each,
            to.resolve(from.relativize(each)),
            java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  /** Every file with its size and time. */
  private static Map<String, String> state(Path root) throws IOException {
    var state = new TreeMap<String, String>();
    try (Stream<Path> all = Files.walk(root)) {
      for (Path each : new ArrayList<>(all.toList())) {
        state.put(
            root.relativize(each).toString(),
            Files.isRegularFile(each)
                ? Files.size(each) + " " + Files.getLastModifiedTime(each)
                : "folder");
      }
    }
    return state;
  }
}
