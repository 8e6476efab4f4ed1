package dev.ron.content.s3;

import static dev.ron.content.Objects.address;
import static dev.ron.content.Objects.bytes;
import static dev.ron.content.Objects.readAll;
import static dev.ron.content.Objects.stream;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.content.ContentFault;
import dev.ron.content.ContentMetrics;
import dev.ron.content.ContentReader;
import dev.ron.content.ContentReader.Step;
import dev.ron.content.ContentStat;
import dev.ron.content.ContentStore;
import dev.ron.content.ContentStoreContract;
import dev.ron.content.OpenResult;
import dev.ron.content.PutResult;
import dev.ron.content.S3Server;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract in a bucket of a real S3 server, and what only a bucket can do wrong. */
final class S3StoreTest extends ContentStoreContract {
  private static final int LARGE = 12 << 20; // three parts

  @TempDir static Path folder;
  private static S3Server server;

  private final Scope scope = Scope.of("test", World.real(Log.silent()));
  private final ContentMetrics metrics = ContentMetrics.in(scope);
  private S3Store store;

  @BeforeAll
  static void start() throws Exception {
    server = new S3Server(folder);
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  @BeforeEach
  void open() throws Exception {
    server.nextBucket();
    store = open(server.config().withBounds(OBJECT_BYTES_MAX, 64, 64));
  }

  private S3Store open(S3Config config) {
    return S3Store.open(scope, config, "cold", metrics);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Override
  public ContentStore store() {
    return store;
  }

  @Test
  void anObjectLiesInTheBucketByteForByteUnderItsHash() throws Exception {
    byte[] object = bytes(1, 200_000);
    store.put(stream(object)).orThrow();
    assertThat(server.file("o/" + hex(object))).hasBinaryContent(object);
    assertThat(Files.size(server.file("v/" + hex(object)))).isEqualTo(4 * 32);
    store.delete(address(object)).orThrow();
    assertThat(server.count("o/") + server.count("v/")).isZero();
  }

  @Test
  void aPrefixLetsTwoStoresShareABucket() throws Exception {
    byte[] object = bytes(1, 100);
    try (S3Store other = open(server.config().withPlace("eu-central-1", "another/"))) {
      other.put(stream(object)).orThrow();
      assertThat(store.contains(address(object))).isFalse();
      assertThat(store.list(null, 9)).isEmpty();
      assertThat(other.list(null, 9)).containsExactly(new ContentStat(address(object), 100));
      assertThat(readAll(other, address(object))).isEqualTo(object);
    }
  }

  @Test
  void whatIsInTheBucketBesidesIsPassedOver() throws Exception {
    byte[] object = bytes(1, 100);
    store.put(stream(object)).orThrow();
    Files.writeString(server.file("o/readme.txt"), "another program's");
    assertThat(store.list(null, 9)).containsExactly(new ContentStat(address(object), 100));
    assertThat(store.space().objects()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    // offset, length, the range that is asked for
    "0,        10,     bytes=0-65535",
    "200000,   10,     bytes=196608-262143",
    "65535,    2,      bytes=0-131071",
    "65536,    65536,  bytes=65536-131071",
    "900000,   999999, bytes=851968-1900543",
  })
  void aRangeTransfersItsGroupsAndTheirValuesAndNothingElse(int offset, int length, String range)
      throws Exception {
    byte[] object = bytes(1, 1_000_000);
    store.put(stream(object)).orThrow();
    server.takeGets();
    assertThat(readAll(store.open(address(object), offset, length).orThrow()))
        .isEqualTo(Arrays.copyOfRange(object, offset, Math.min(object.length, offset + length)));
    assertThat(server.takeGets()).containsExactly("o/ " + range, "v/ bytes=0-511");
  }

  @ParameterizedTest
  @CsvSource({
    // length, the byte that is flipped, the bytes that are handed out before it is found
    "1,        0,       0",
    "5000,     4999,    0",
    "300000,   0,       0",
    "300000,   65536,   65536",
    "300000,   299999,  262144",
  })
  void aWrongByteInTheBucketIsNeverHandedOut(int length, int at, long good) throws Exception {
    byte[] object = bytes(1, length);
    store.put(stream(object)).orThrow();
    flip(server.file("o/" + hex(object)), at);
    long handedOut = 0;
    try (ContentReader reader = store.open(address(object)).orThrow()) {
      Step step = reader.next();
      for (; step instanceof Step.Bytes(var some); step = reader.next()) {
        handedOut += some.remaining();
      }
      var corrupt = new Step.Bad(new ContentFault.Corrupt(address(object), at / 65536));
      assertThat(step).isEqualTo(corrupt);
      assertThat(reader.next()).as("and it stays so").isEqualTo(corrupt);
    }
    assertThat(handedOut).isEqualTo(good);
    assertThat(scope.metrics().text())
        .contains("content_integrity_failures_total{store=\"cold\"} 1.0");
    assertThat(store.put(stream(object)).orThrow().fresh()).as("a put repairs it").isTrue();
    assertThat(readAll(store, address(object))).isEqualTo(object);
  }

  @ParameterizedTest
  @ValueSource(strings = {"flipped", "missing", "short", "long"})
  void wrongChainingValuesAreNotBelieved(String damage) throws Exception {
    byte[] object = bytes(1, 300_000);
    store.put(stream(object)).orThrow();
    Path values = server.file("v/" + hex(object));
    switch (damage) {
      case "flipped" -> flip(values, 40);
      case "missing" -> Files.delete(values);
      case "short" -> truncate(values, 100);
      case "long" -> {
        // The object itself has a group more than its values speak for.
        Files.write(server.file("o/" + hex(object)), bytes(2, 400_000));
      }
      default -> throw new AssertionError(damage);
    }
    assertThat(store.open(address(object)))
        .isEqualTo(new OpenResult.Refused(new ContentFault.Corrupt(address(object), 0)));
    assertThat(store.put(stream(object)).orThrow().fresh()).as("a put repairs it").isTrue();
    assertThat(readAll(store, address(object))).isEqualTo(object);
  }

  @Test
  void anObjectOfAnotherLengthIsReplaced() throws Exception {
    byte[] object = bytes(1, 5000);
    store.put(stream(object)).orThrow();
    truncate(server.file("o/" + hex(object)), 4000);
    assertThat(store.put(stream(object)).orThrow().fresh()).isTrue();
    assertThat(readAll(store, address(object))).isEqualTo(object);
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void aLargeObjectGoesUpInPartsAndComesBack(boolean known) throws Exception {
    byte[] object = bytes(1, LARGE + 17);
    try (S3Store large = open(server.config())) {
      PutResult first =
          known ? large.put(address(object), stream(object)) : large.put(stream(object));
      assertThat(first).isEqualTo(new PutResult.Stored(address(object), object.length, true));
      assertThat(readAll(large, address(object))).isEqualTo(object);
      PutResult again =
          known ? large.put(address(object), stream(object)) : large.put(stream(object));
      assertThat(again.orThrow().fresh()).isFalse();
      assertThat(server.file("o/" + hex(object))).hasBinaryContent(object);
      assertThat(server.count("incoming/")).as("nothing is left lying").isZero();
    }
  }

  @Test
  void aLargeObjectThatIsRefusedOrBreaksOffLeavesNothing() throws Exception {
    byte[] object = bytes(1, LARGE);
    Address other = address(bytes(2, 2));
    try (S3Store large = open(server.config())) {
      assertThat(large.put(other, stream(object)))
          .isEqualTo(new PutResult.Refused(new ContentFault.Mismatch(other, address(object))));
      InputStream broken = new SequenceInputStream(stream(object), new Broken());
      assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> large.put(broken)))
          .isInstanceOf(IOException.class);
      try (S3Store small = open(server.config().withBounds(LARGE - 1, 1, 1))) {
        assertThat(small.put(stream(object)))
            .isEqualTo(new PutResult.Refused(new ContentFault.TooLarge(LARGE - 1)));
      }
      assertThat(large.space().objects()).isZero();
      assertThat(server.count("o/") + server.count("v/") + server.count("incoming/")).isZero();
    }
  }

  @Test
  void readersAndWritersAreBounded() throws Exception {
    byte[] object = bytes(1, 100);
    try (S3Store one = open(server.config().withBounds(1000, 1, 1))) {
      one.put(stream(object)).orThrow();
      try (ContentReader _ = one.open(address(object)).orThrow()) {
        assertThat(one.open(address(object)))
            .isEqualTo(new OpenResult.Refused(new ContentFault.Busy("remote readers", 1)));
      }
      assertThat(readAll(one, address(object))).isEqualTo(object);
      assertThat(one.open(address(bytes(2, 2)))).isInstanceOf(OpenResult.Refused.class);
      assertThat(readAll(one, address(object)))
          .as("a refusal gives its place back")
          .isEqualTo(object);
    }
  }

  private static final class Broken extends InputStream {
    @Override
    public int read() throws IOException {
      throw new IOException("the client left");
    }

    @Override
    public int read(byte[] into, int at, int length) throws IOException {
      return read();
    }
  }

  private static String hex(byte[] object) {
    return address(object).hash().hex();
  }

  private static void flip(Path file, int at) throws IOException {
    try (var damaged = new RandomAccessFile(file.toFile(), "rw")) {
      damaged.seek(at);
      int old = damaged.read();
      damaged.seek(at);
      damaged.write(old ^ 1);
    }
  }

  private static void truncate(Path file, int length) throws IOException {
    try (var damaged = new RandomAccessFile(file.toFile(), "rw")) {
      damaged.setLength(length);
    }
  }
}
