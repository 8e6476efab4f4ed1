package dev.ron.node;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.capability.caveat.Caveat;
import dev.ron.client.Delivery;
import dev.ron.client.MailboxClient;
import dev.ron.client.StorageClient;
import dev.ron.client.bucket.BucketClient;
import dev.ron.client.bucket.BucketPath;
import dev.ron.node.cli.CommandClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/**
 * A folder as an earlier build left it opens and works; one of a later build is refused by both
 * versions and not changed.
 *
 * <p>{@code data-1.zip} was made by the build whose formats are of version 1, and stays as it is:
 * {@code -Dron.golden=write} makes one only where none is. {@code data-0.zip} was made by {@code
 * ron up}, {@code send}, {@code put} and {@code epoch compute} of commit 622c1588, from before a
 * folder had a version, objects were kept for tenants, and topics had owners.
 */
@Timeout(120)
@ResourceLock(Resources.SYSTEM_OUT)
class FormatVersionTest {
  private static final Path SOURCE = kept("data-1.zip");
  private static final Path FIRST = kept("data-0.zip");

  /** What was put there, as {@code ron put} named it. */
  private static final String FIRST_OBJECT = "an object of the first distribution\n";

  /** That, and the accounting, the pool and the policy of an epoch. */
  private static final int FIRST_OBJECTS = 4;

  // The folders are as old as their builds: what they hold must not have passed its time here.
  private static final Map<String, String> KEEP =
      Map.of("mailbox.retention.ready", "365d", "mailbox.retention.dead", "365d");

  @TempDir private Path folder;

  private static Path kept(String name) {
    return Path.of(
        System.getProperty("ron.root", "."), "node/src/test/resources/dev/ron/node", name);
  }

  private Path data() throws Exception {
    if (!Files.exists(SOURCE) && "write".equals(System.getProperty("ron.golden"))) {
      FilledNode.make(folder.resolve("made"));
      pack(folder.resolve("made/data"), SOURCE);
    }
    return data(SOURCE);
  }

  private Path data(Path zip) throws IOException {
    Path data = folder.resolve("data");
    try (InputStream kept = Files.newInputStream(zip)) {
      unpack(kept, data);
    }
    return data;
  }

  private static void pack(Path from, Path to) throws IOException {
    Files.createDirectories(Objects.requireNonNull(to.getParent()));
    try (OutputStream file = Files.newOutputStream(to);
        var zip = new ZipOutputStream(file);
        Stream<Path> all = Files.walk(from)) {
      zip.setLevel(9);
      for (Path each : all.filter(Files::isRegularFile).sorted().toList()) {
        if (!List.of("LOG", "LOCK").contains(String.valueOf(each.getFileName()))) {
          zip.putNextEntry(new ZipEntry(from.relativize(each).toString()));
          Files.copy(each, zip);
          zip.closeEntry();
        }
      }
    }
  }

  private static void unpack(InputStream from, Path to) throws IOException {
    var zip = new ZipInputStream(from);
    for (ZipEntry each = zip.getNextEntry(); each != null; each = zip.getNextEntry()) {
      Path file = to.resolve(each.getName());
      Files.createDirectories(Objects.requireNonNull(file.getParent()));
      Files.copy(zip, file);
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
  }

  @Test
  void aFolderOfTheFirstVersionIsReadAndUsed() throws Exception {
    Path data = data();
    Said checked = Said.by("fsck", "--data", data.toString());
    assertThat(checked.exit()).as(checked.out() + checked.err()).isZero();
    try (RunningNode node = RunningNode.start(data, KEEP)) {
      String token = node.keys().adminToken();
      try (MailboxClient mailbox = mailbox(node, token)) {
        List<Delivery> found = mailbox.receive("orders", 10, Duration.ofMinutes(1), Duration.ZERO);
        assertThat(found.stream().map(Delivery::idemKey))
            .containsExactly("order-1", "order-2", "order-3");
        mailbox.ack(found.getFirst());
        assertThat(mailbox.send("orders", "order-4", new byte[] {1}).duplicate()).isFalse();
      }
      try (BucketClient bucket = FilledNode.bucket(node, token)) {
        assertThat(bucket.bytes(new BucketPath("photos", "large"), 1 << 20))
            .isEqualTo(FilledNode.BLOCKS);
        bucket.put(new BucketPath("photos", "new"), "new".getBytes(UTF_8));
      }
      Said verified =
          Said.by(
              "usage",
              "verify",
              "--url",
              node.admin(),
              "--cap",
              token,
              "--storage",
              node.url("storage"));
      assertThat(verified.exit()).as(verified.out() + verified.err()).isZero();
    }
    assertThat(Said.by("fsck", "--data", data.toString()).exit()).isZero();
  }

  /** What was made before anything had an owner is the tenant {@code default}'s. */
  @Test
  void aFolderOfBeforeThereWereVersionsIsReadAndUsed() throws Exception {
    Path data = data(FIRST);
    assertThat(data.resolve("version")).doesNotExist();
    Said checked = Said.by("fsck", "--data", data.toString());
    assertThat(checked.exit()).as(checked.out() + checked.err()).isZero();
    Path inputs = Files.createDirectories(folder.resolve("inputs"));
    var settings = new HashMap<>(KEEP);
    settings.put("rewarder.inputs", "files");
    settings.put("rewarder.inputs_folder", inputs.toString());
    try (RunningNode node = RunningNode.start(data, settings)) {
      String admin = node.keys().adminToken();
      String first = node.keys().mint(List.of(new Caveat.Tenant("default")));
      String other = node.keys().mint(List.of(new Caveat.Tenant("acme")));
      assertThat(keys(node, other)).isEmpty();
      assertThat(keys(node, first)).containsExactly("order-1", "order-2", "order-3");
      try (MailboxClient mailbox = mailbox(node, admin)) {
        assertThat(mailbox.send("orders", "order-1", new byte[] {1}).duplicate()).isFalse();
      }
      assertThat(object(node, first)).isEqualTo(FIRST_OBJECT);
      assertThat(object(node, admin)).isEqualTo(FIRST_OBJECT);
      assertThat(copied(node, first, inputs)).isEqualTo(FIRST_OBJECTS);
      assertThat(copied(node, other, inputs)).isZero();
      Said verified =
          Said.by("epoch", "verify", "e", "--url", node.url("rewarder"), "--cap", admin);
      assertThat(verified.exit()).as(verified.out() + verified.err()).isZero();
    }
    assertThat(data.resolve("version")).hasContent("ron-data 1");
    assertThat(Said.by("fsck", "--data", data.toString()).exit()).isZero();
  }

  private static MailboxClient mailbox(RunningNode node, String token) throws IOException {
    return new MailboxClient(CommandClient.scope(), URI.create(node.url("mailbox")), token);
  }

  private static List<String> keys(RunningNode node, String token) throws Exception {
    try (MailboxClient mailbox = mailbox(node, token)) {
      return mailbox.receive("orders", 10, Duration.ofMinutes(1), Duration.ZERO).stream()
          .map(Delivery::idemKey)
          .toList();
    }
  }

  private static StorageClient storage(RunningNode node, String token) throws IOException {
    return new StorageClient(CommandClient.scope(), URI.create(node.url("storage")), token);
  }

  /** Copies all objects of a caller into files with their names; how many they are. */
  private static int copied(RunningNode node, String token, Path to) throws Exception {
    try (StorageClient storage = storage(node, token)) {
      List<StorageClient.Stored> all = storage.list(null, 100).objects();
      for (StorageClient.Stored each : all) {
        Address address = Address.parse(each.address()).orThrow();
        Files.write(to.resolve(each.address()), object(storage, address));
      }
      return all.size();
    }
  }

  private static byte[] object(StorageClient storage, Address address) throws Exception {
    var bytes = new ByteArrayOutputStream();
    storage.get(address, bytes, StorageClient.Progress.NONE);
    return bytes.toByteArray();
  }

  private static String object(RunningNode node, String token) throws Exception {
    try (StorageClient storage = storage(node, token)) {
      var address = new Address(Blake3.hash(FIRST_OBJECT.getBytes(UTF_8)));
      return new String(object(storage, address), UTF_8);
    }
  }

  private record Later(String files, UnaryOperator<byte[]> change, List<String> said) {
    Later(String files, UnaryOperator<byte[]> change, String... said) {
      this(files, change, List.of(said));
    }
  }

  private static List<Later> later() {
    return List.of(
        new Later("version", _ -> "ron-data 2\n".getBytes(US_ASCII), "ron-data 2", "ron-data 1"),
        new Later("keys/keyring", FormatVersionTest::keyring, "ron-keys 2", "ron-keys 1"),
        new Later("mailbox/journal/", FormatVersionTest::header, "version 2", "known is 1"),
        new Later("usage/journal/", FormatVersionTest::header, "version 2", "known is 1"),
        new Later("storage/s3/names/journal/", FormatVersionTest::header, "version 2", "is 1"),
        new Later("rewarder/outbox/", FormatVersionTest::header, "version 2", "known is 1"),
        new Later("edge/heads/", FormatVersionTest::header, "version 2", "known is 1"),
        new Later("storage/objects/0", FormatVersionTest::segment, "version 2", "known is 1"),
        new Later("storage/s3/objects/0", FormatVersionTest::segment, "version 2", "known is 1"),
        new Later("rewarder/runs/", FormatVersionTest::manifest, "version 2", "known is 1"));
  }

  private static byte[] keyring(byte[] bytes) {
    return new String(bytes, US_ASCII).replace("ron-keys 1", "ron-keys 2").getBytes(US_ASCII);
  }

  private static byte[] manifest(byte[] bytes) {
    return new String(bytes, UTF_8).replace("\"version\":1", "\"version\":2").getBytes(UTF_8);
  }

  private static byte[] header(byte[] bytes) {
    ByteBuffer.wrap(bytes).putInt(8, 2).putInt(28, (int) sum(bytes, 28));
    return bytes;
  }

  private static byte[] segment(byte[] bytes) {
    bytes[7] = '2';
    ByteBuffer.wrap(bytes).putLong(56, sum(bytes, 56));
    return bytes;
  }

  private static long sum(byte[] bytes, int length) {
    var crc = new CRC32C();
    crc.update(bytes, 0, length);
    return crc.getValue();
  }

  @Test
  void aFileOfALaterVersionIsRefusedByBothVersionsAndNotChanged() throws Exception {
    Path kept = data();
    int number = 0;
    for (Later each : later()) {
      Path data = folder.resolve("later-" + number++);
      try (InputStream zip = Files.newInputStream(SOURCE)) {
        unpack(zip, data);
      }
      assertThat(data).isNotEqualTo(kept);
      Path file = first(data, each.files());
      Files.write(file, each.change().apply(Files.readAllBytes(file)));
      Map<String, String> before = state(file);
      assertThat(refusal(data)).as(each.files()).contains(each.said());
      assertThat(state(file)).as(each.files()).isEqualTo(before);
    }
  }

  /** What a start says, with all that led to it. */
  private static String refusal(Path data) throws Exception {
    try (RunningNode _ = RunningNode.start(data, Map.of())) {
      return "it started";
    } catch (IOException | RuntimeException refused) {
      var said = new StringBuilder();
      for (Throwable each = refused; each != null; each = each.getCause()) {
        said.append(each.getMessage()).append('\n');
      }
      return said.toString();
    }
  }

  private static Path first(Path root, String start) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(Files::isRegularFile)
          .filter(file -> root.relativize(file).toString().startsWith(start))
          .filter(file -> !start.endsWith("runs/") || file.endsWith("run.json"))
          .sorted()
          .findFirst()
          .orElseThrow(() -> new AssertionError("no file begins with " + start));
    }
  }

  private static Map<String, String> state(Path file) throws IOException {
    var state = new TreeMap<String, String>();
    state.put(file.toString(), Arrays.hashCode(Files.readAllBytes(file)) + "");
    return state;
  }
}
