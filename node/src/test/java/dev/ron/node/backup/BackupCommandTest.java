package dev.ron.node.backup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Hash;
import dev.ron.client.Delivery;
import dev.ron.client.MailboxClient;
import dev.ron.client.StorageClient;
import dev.ron.client.bucket.BucketClient;
import dev.ron.client.bucket.BucketPath;
import dev.ron.node.DataFolderLock;
import dev.ron.node.FilledNode;
import dev.ron.node.NodeKeys;
import dev.ron.node.Ron;
import dev.ron.node.RunningNode;
import dev.ron.node.Said;
import dev.ron.node.cli.CommandClient;
import dev.ron.node.fsck.FsckCommand;
import dev.ron.testkit.ChildJvm;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Backups of a node under load, restored to an empty folder and held against clients' ledgers. */
@Timeout(300)
@ResourceLock(Resources.SYSTEM_OUT)
class BackupCommandTest {
  /** What each writer does between two backups, and then while the next is made. */
  private static final int ROUND = 60;

  /** No message is received before the restore, so all of them must have room. */
  private static final Map<String, String> LOADED =
      Map.of("usage.seal", "1s", "mailbox.shard_capacity", "20000");

  private static final String PASSPHRASE = "correct horse battery staple";

  @TempDir private Path folder;

  /** What clients were told is durable. */
  private static final class Ledger {
    private final Set<String> messages = ConcurrentHashMap.newKeySet();
    private final Set<String> queued = ConcurrentHashMap.newKeySet();
    private final Map<String, byte[]> objects = new ConcurrentHashMap<>();
    private final Map<String, byte[]> named = new ConcurrentHashMap<>();

    private Ledger copy() {
      var copy = new Ledger();
      copy.messages.addAll(messages);
      copy.queued.addAll(queued);
      copy.objects.putAll(objects);
      copy.named.putAll(named);
      return copy;
    }
  }

  @FunctionalInterface
  private interface Step {
    void run(int number) throws Exception;
  }

  /**
   * Writers of all four stores, until they are told to end. What they may write is set free round
   * by round, so that a node which is fast has no more to keep than one which is slow.
   */
  private static final class Load {
    private final RunningNode node;
    private final String token;
    private final Ledger ledger;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicInteger freed = new AtomicInteger();
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    private final List<Thread> threads = new ArrayList<>();

    Load(RunningNode node, String token, Ledger ledger) {
      this.node = node;
      this.token = token;
      this.ledger = ledger;
    }

    Load start() throws IOException {
      var scope = CommandClient.scope();
      var mailbox = new MailboxClient(scope, URI.create(node.url("mailbox")), token);
      var storage = new StorageClient(scope, URI.create(node.url("storage")), token);
      BucketClient bucket = FilledNode.bucket(node, token);
      HttpClient http = HttpClient.newHttpClient();
      writer(i -> ledger.messages.add(send(mailbox, i)));
      writer(
          i -> {
            byte[] bytes = body("object", i, 3000 + i % 100_000);
            ledger.objects.put(storage.put(bytes).address(), bytes);
          });
      writer(
          i -> {
            byte[] bytes = body("named", i, i % 3 == 0 ? 100 : 70_000);
            bucket.put(new BucketPath("load", "key-" + i), bytes);
            ledger.named.put("key-" + i, bytes);
          });
      writer(i -> ledger.queued.add(FilledNode.queue(node, token, http, "job " + i)));
      return this;
    }

    private static String send(MailboxClient mailbox, int i) throws Exception {
      String key = "message-" + i;
      mailbox.send("load", key, key.getBytes(UTF_8));
      return key;
    }

    private void writer(Step step) {
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      for (int i = 0; !ended.get(); ) {
                        if (i < freed.get()) {
                          step.run(i++);
                        } else {
                          LockSupport.parkNanos(1_000_000);
                        }
                      }
                    } catch (Exception failed) {
                      failure.compareAndSet(null, failed);
                    }
                  }));
    }

    /** Lets each writer go on to that step. */
    void free(int steps) {
      freed.set(steps);
    }

    void end() throws Exception {
      ended.set(true);
      for (Thread each : threads) {
        each.join();
      }
      Exception failed = failure.get();
      if (failed != null) {
        throw failed;
      }
    }
  }

  private static byte[] body(String kind, int i, int length) {
    byte[] bytes = new byte[length];
    new Random(kind.hashCode() + i).nextBytes(bytes);
    return bytes;
  }

  private Said ron(String... words) {
    return Said.by(words);
  }

  private int runs(String... words) {
    return ron(words).exit();
  }

  private String ok(String... words) {
    Said said = ron(words);
    assertThat(said.exit()).as(String.join(" ", words) + "\n" + said.out() + said.err()).isZero();
    return said.out();
  }

  private Path passphrase() throws IOException {
    return Files.writeString(folder.resolve("passphrase"), PASSPHRASE + "\n");
  }

  @Test
  void backupsUnderLoadHaveAllThatWasAcknowledgedBeforeTheyBegan() throws Exception {
    underLoad(2);
  }

  @Test
  @Tag("long")
  @Timeout(1800)
  void fortyBackupsUnderLoad() throws Exception {
    underLoad(40);
  }

  private void underLoad(int backups) throws Exception {
    String data = folder.resolve("data").toString();
    String repository = folder.resolve("backups").toString();
    String passphrase = passphrase().toString();
    var before = new ArrayList<Ledger>();
    String token;
    try (RunningNode node = RunningNode.start(folder.resolve("data"), LOADED)) {
      token = node.keys().adminToken();
      try (BucketClient bucket = FilledNode.bucket(node, token)) {
        bucket.createBucket("load");
      }
      var ledger = new Ledger();
      Load load = new Load(node, token, ledger).start();
      try {
        load.free(ROUND);
        for (int i = 0; i < backups; i++) {
          int least = ROUND * (i + 1);
          FilledNode.await(
              () ->
                  Math.min(ledger.messages.size(), ledger.named.size()) >= least
                      && Math.min(ledger.objects.size(), ledger.queued.size()) >= least);
          before.add(ledger.copy());
          load.free(least + ROUND);
          ok("backup", repository, "--data", data, "--passphrase-file", passphrase);
        }
      } finally {
        load.end();
      }
    }
    assertThat(ok("fsck", "--data", data)).contains("no damage");
    List<String> names =
        ok("backup", "list", repository)
            .lines()
            .skip(1)
            .map(line -> line.split(" +", 2)[0])
            .toList();
    assertThat(names).hasSize(backups);
    for (int i = backups > 2 ? 0 : 1; i < backups; i++) {
      assertThat(ok("backup", "verify", repository, names.get(i))).contains("whole");
      Path restored = folder.resolve("restored-" + i);
      ok(
          "restore",
          repository,
          "--data",
          restored.toString(),
          "--backup",
          names.get(i),
          "--passphrase-file",
          passphrase);
      compare(restored, token, before.get(i));
      FsckCommand.delete(restored);
    }
  }

  /** The token is the old node's: its keys came along. */
  private static void compare(Path restored, String token, Ledger ledger) throws Exception {
    try (RunningNode node = RunningNode.start(restored, LOADED);
        HttpClient http = HttpClient.newHttpClient()) {
      var scope = CommandClient.scope();
      try (var mailbox = new MailboxClient(scope, URI.create(node.url("mailbox")), token)) {
        var found = new HashSet<String>();
        List<Delivery> batch;
        do {
          batch = mailbox.receive("load", 100, Duration.ofMinutes(10), Duration.ZERO);
          batch.forEach(each -> found.add(each.idemKey()));
        } while (!batch.isEmpty());
        assertThat(found).containsAll(ledger.messages);
      }
      try (var storage = new StorageClient(scope, URI.create(node.url("storage")), token)) {
        for (var each : ledger.objects.entrySet()) {
          var out = new ByteArrayOutputStream();
          storage.get(address(each.getKey()), out, StorageClient.Progress.NONE);
          assertThat(out.toByteArray()).isEqualTo(each.getValue());
        }
      }
      try (BucketClient bucket = FilledNode.bucket(node, token)) {
        for (var each : ledger.named.entrySet()) {
          assertThat(bucket.bytes(new BucketPath("load", each.getKey()), 1 << 20))
              .as(each.getKey())
              .isEqualTo(each.getValue());
        }
      }
      assertThat(received(node, token, http)).containsAll(ledger.queued);
    }
  }

  private static Address address(String text) {
    return new Address(Hash.ofHex(text.substring("b3:".length())));
  }

  private static Set<String> received(RunningNode node, String token, HttpClient http)
      throws Exception {
    var ids = new HashSet<String>();
    String said;
    do {
      said =
          FilledNode.sqs(
              node,
              token,
              http,
              "ReceiveMessage",
              "{\"QueueUrl\":\"%s/000000000000/jobs\",\"MaxNumberOfMessages\":10,\"VisibilityTimeout\":600}"
                  .formatted(node.url("sqs")));
      Pattern.compile("\"MessageId\":\"([^\"]+)\"")
          .matcher(said)
          .results()
          .forEach(each -> ids.add(each.group(1)));
    } while (said.contains("MessageId"));
    return ids;
  }

  @Test
  void aFilledNodeComesBackWithEpochsSealsPacksAndConfiguration() throws Exception {
    FilledNode.Names names = FilledNode.make(folder);
    String config = folder.resolve("ron.toml").toString();
    String data = folder.resolve("data").toString();
    String first = ok("backup", folder.resolve("b").toString(), "--data", data, "--config", config);
    assertThat(first).contains("left out: keys and configuration");
    String passphrase = passphrase().toString();
    String second =
        ok(
            "backup",
            folder.resolve("b").toString(),
            "--data",
            data,
            "--config",
            config,
            "--passphrase-file",
            passphrase);
    assertThat(Integer.parseInt(second.replaceAll("(?s).* (\\d+) of them new.*", "$1")))
        .as("only the keys are new")
        .isLessThan(20_000);
    Path restored = folder.resolve("restored");
    Said unopened = ron("restore", folder.resolve("b").toString(), "--data", restored.toString());
    assertThat(unopened.err()).contains("passphrase");
    Files.writeString(folder.resolve("wrong"), "wrong\n");
    Said wrong =
        ron(
            "restore",
            folder.resolve("b").toString(),
            "--data",
            restored.toString(),
            "--passphrase-file",
            folder.resolve("wrong").toString());
    assertThat(wrong.err()).contains("the passphrase is another one");
    assertThat(restored).doesNotExist();
    String said =
        ok(
            "restore",
            folder.resolve("b").toString(),
            "--data",
            restored.toString(),
            "--passphrase-file",
            passphrase);
    assertThat(said).contains("all checked", "its configuration is in", "its packs are in");
    assertThat(restored.resolve("ron.toml")).hasSameTextualContentAs(Path.of(config));
    assertThat(restored.resolve("packs/sample.pmtiles"))
        .hasSameBinaryContentAs(folder.resolve("packs/sample.pmtiles"));
    assertThat(ok("fsck", "--data", restored.toString()))
        .contains("no damage", "1 runs, 1 postings", spansAndSeals(ok("fsck", "--data", data)));
    assertThat(names.epoch()).isEqualTo("e");
    Said again = ron("restore", folder.resolve("b").toString(), "--data", restored.toString());
    assertThat(again.err()).contains("is not empty");
    ok("backup", folder.resolve("plain").toString(), "--data", data, "--config", config);
    refusals(folder.resolve("plain"));
  }

  /**
   * Two seals were awaited; what was used between the second and the end of the node is a third
   * span.
   */
  private static String spansAndSeals(String checked) {
    Matcher counts = Pattern.compile("(\\d+) spans, (\\d+) seals").matcher(checked);
    assertThat(counts.find()).as(checked).isTrue();
    assertThat(Integer.parseInt(counts.group(2))).as(checked).isGreaterThanOrEqualTo(2);
    return counts.group();
  }

  /** Every piece and the manifest, damaged, cut and deleted: verify and restore both refuse. */
  private void refusals(Path repository) throws IOException {
    Path target = folder.resolve("refused");
    List<Path> files;
    try (Stream<Path> all = Files.walk(repository)) {
      files = all.filter(Files::isRegularFile).sorted().toList();
    }
    String[] restore = {"restore", repository.toString(), "--data", target.toString()};
    for (Path file : files) {
      byte[] right = Files.readAllBytes(file);
      byte[] flipped = right.clone();
      flipped[right.length / 2] ^= 1;
      Files.write(file, flipped);
      assertThat(runs("backup", "verify", repository.toString())).as("%s", file).isEqualTo(1);
      assertThat(runs(restore)).as("flipped %s", file).isEqualTo(1);
      Files.delete(file);
      Said partial = ron(restore);
      assertThat(partial.exit()).as("deleted %s", file).isEqualTo(1);
      assertThat(partial.err()).containsAnyOf("missing", "there is no backup there");
      assertThat(target).doesNotExist();
      Files.write(file, right);
      FsckCommand.delete(folder.resolve("refused.restore-part"));
    }
    assertThat(files.size()).isGreaterThan(20);
  }

  @Test
  void aDamagedNodeIsNotBackedUpUnlessThatIsAskedFor() throws Exception {
    FilledNode.Names names = FilledNode.make(folder);
    Path segment = folder.resolve("data/storage/objects/00000001.segment");
    byte[] bytes = Files.readAllBytes(segment);
    bytes[5000] ^= 1;
    Files.write(segment, bytes);
    String data = folder.resolve("data").toString();
    String repository = folder.resolve("b").toString();
    Said refused = ron("backup", repository, "--data", data);
    assertThat(refused.exit()).isEqualTo(1);
    assertThat(refused.out()).contains(names.object(), "NOT BACKED UP");
    ok("backup", repository, "--data", data, "--damaged");
    Said asked = ron("restore", repository, "--data", folder.resolve("r").toString());
    assertThat(asked.exit()).isEqualTo(1);
    assertThat(asked.err()).contains(names.object(), "made of a damaged node");
    ok("restore", repository, "--data", folder.resolve("r").toString(), "--damaged");
    // It came without keys, so what is encrypted was given up, and a start goes on.
    RunningNode.start(folder.resolve("r"), Map.of()).close();
  }

  /** Each kind of trace that one of several machines leaves. */
  @ParameterizedTest
  @ValueSource(strings = {"mailbox/group-1", "storage/s3/names-shared", "keys/cluster/self"})
  void aMachineOfAClusterIsBackedUpOnlyWhenItIsStopped(String trace) throws Exception {
    Path data = Files.createDirectories(folder.resolve("data"));
    NodeKeys.openOrMake(data);
    Files.createDirectories(data.resolve(trace));
    String[] backup = {"backup", folder.resolve("b").toString(), "--data", data.toString()};
    try (DataFolderLock lock = DataFolderLock.take(data)) {
      Said running = ron(backup);
      assertThat(running.exit()).as(running.out() + running.err()).isEqualTo(1);
      assertThat(running.err()).contains("is of a machine of a cluster, and it runs: stop all");
      assertThat(folder.resolve("b")).doesNotExist();
      assertThat(lock).isNotNull();
    }
    assertThat(ron(backup).err()).doesNotContain("it runs");
  }

  @Test
  void aBackupThatIsKilledLeavesNoBackupAndTheNextOneIsWhole() throws Exception {
    Path data = folder.resolve("data");
    String repository = folder.resolve("b").toString();
    try (RunningNode node = RunningNode.start(data, Map.of())) {
      String token = node.keys().adminToken();
      try (var storage =
          new StorageClient(CommandClient.scope(), URI.create(node.url("storage")), token)) {
        for (int i = 0; i < 40; i++) {
          storage.put(body("kill", i, 1 << 20));
        }
      }
      for (int round = 0; round < 2; round++) {
        int pieces = round * 3;
        try (ChildJvm backup =
            ChildJvm.start(Ron.class, "backup", repository, "--data", data.toString())) {
          FilledNode.await(
              () ->
                  Files.exists(folder.resolve("b/backups"))
                      || (Files.exists(data.resolve(".cut")) && pieces(repository) >= pieces));
          backup.kill9();
        }
      }
      ok("backup", repository, "--data", data.toString());
      assertThat(data.resolve(".cut")).doesNotExist();
    }
    assertThat(ok("backup", "verify", repository)).contains("whole");
    ok("restore", repository, "--data", folder.resolve("r").toString());
    assertThat(ok("fsck", "--data", data.toString())).contains("no damage", "40 objects");
  }

  private static long pieces(String repository) throws IOException {
    Path pieces = Path.of(repository, "pieces");
    if (!Files.exists(pieces)) {
      return 0;
    }
    try (Stream<Path> all = Files.walk(pieces)) {
      return all.filter(Files::isRegularFile).count();
    } catch (UncheckedIOException changed) {
      return 0;
    }
  }

  @Test
  void aBucketIsARepositoryToo() throws Exception {
    try (RunningNode other =
            RunningNode.start(folder.resolve("other"), Map.of("node.services", "storage"));
        RunningNode node = RunningNode.start(folder.resolve("data"), Map.of())) {
      String token = other.keys().adminToken();
      try (BucketClient bucket = FilledNode.bucket(other, token)) {
        bucket.createBucket("backups");
      }
      try (var mailbox =
          new MailboxClient(
              CommandClient.scope(), URI.create(node.url("mailbox")), node.keys().adminToken())) {
        mailbox.send("t", "k", "text".getBytes(UTF_8));
      }
      String[] where = {"--url", other.url("s3"), "--cap", token};
      String data = folder.resolve("data").toString();
      ok("backup", "s3://backups/field", "--data", data, where[0], where[1], where[2], where[3]);
      assertThat(
              ok(
                  "backup",
                  "s3://backups/field",
                  "--data",
                  data,
                  where[0],
                  where[1],
                  where[2],
                  where[3]))
          .contains(" of them new");
      assertThat(ok("backup", "list", "s3://backups/field", where[0], where[1], where[2], where[3]))
          .contains("BACKUP");
      assertThat(
              ok("backup", "verify", "s3://backups/field", where[0], where[1], where[2], where[3]))
          .contains("whole");
      String restored = folder.resolve("r").toString();
      ok(
          "restore",
          "s3://backups/field",
          "--data",
          restored,
          where[0],
          where[1],
          where[2],
          where[3]);
      assertThat(Files.exists(folder.resolve("r/mailbox/journal"))).isTrue();
    }
  }
}
