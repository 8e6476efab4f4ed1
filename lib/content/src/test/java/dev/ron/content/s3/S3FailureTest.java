package dev.ron.content.s3;

import static dev.ron.content.Objects.address;
import static dev.ron.content.Objects.bytes;
import static dev.ron.content.Objects.readAll;
import static dev.ron.content.Objects.stream;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.content.ContentFault;
import dev.ron.content.ContentFault.RemoteFailed;
import dev.ron.content.ContentFault.RemoteFailed.Trouble;
import dev.ron.content.ContentMetrics;
import dev.ron.content.ContentReader;
import dev.ron.content.ContentReader.Step;
import dev.ron.content.ContentUnavailable;
import dev.ron.content.DeleteResult;
import dev.ron.content.OpenResult;
import dev.ron.content.PutResult;
import dev.ron.content.S3Server;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.fault.Blame;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.time.Deadline;
import dev.ron.testkit.FaultyLink;
import dev.ron.testkit.FreePorts;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A remote store that is missing, refuses, is down, or stops in the middle: each says so. */
final class S3FailureTest {
  private static final byte[] OBJECT = bytes(1, 1000);

  @TempDir static Path folder;
  private static S3Server server;

  private final Scope scope = Scope.of("test", World.real(Log.silent()));
  private final ContentMetrics metrics = ContentMetrics.in(scope);

  @BeforeAll
  static void start() throws Exception {
    server = new S3Server(folder);
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  private S3Store open(S3Config config) {
    return S3Store.open(scope, config, "cold", metrics);
  }

  private S3Config patient(S3Config config, int tries) {
    Duration limit = Duration.ofMillis(500);
    return config.withPatience(tries, limit, limit, limit);
  }

  @Test
  void aMissingBucketIsNamed() throws Exception {
    expect(S3Server.config(server.address(), "nowhere"), Trouble.BUCKET_MISSING, "nowhere");
  }

  @Test
  void wrongCredentialsAreNamedAndNotShown() throws Exception {
    S3Config config = server.config().withCredentials(new S3Credentials("ron", "not-the-secret"));
    expect(config, Trouble.CREDENTIALS_REFUSED, "signature");
    assertThat(config.toString()).doesNotContain("not-the-secret");
  }

  @Test
  void anEndpointThatIsDownIsNamed() throws Exception {
    int port = FreePorts.one();
    var silent = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    expect(
        patient(S3Server.config(silent, S3Server.BUCKET), 1),
        Trouble.UNREACHABLE,
        Integer.toString(port));
    assertThat(scope.metrics().text())
        .contains("content_remote_failures_total{reason=\"remote-unreachable\",store=\"cold\"}");
  }

  /** Every operation says the same; those without room for a fault throw it. */
  private void expect(S3Config config, Trouble trouble, String word) throws Exception {
    try (S3Store store = open(config)) {
      expect(store.check().orElseThrow(), trouble, "");
      expect(fault(store.put(stream(OBJECT))), trouble, word);
      expect(fault(store.open(address(OBJECT))), trouble, word);
      expect(fault(store.delete(address(OBJECT))), trouble, "");
      for (Runnable ask :
          new Runnable[] {
            () -> store.stat(address(OBJECT)),
            () -> store.list(null, 1),
            () -> store.pin(address(OBJECT)),
            store::space
          }) {
        assertThatThrownBy(ask::run)
            .isInstanceOfSatisfying(ContentUnavailable.class, e -> expect(e.fault(), trouble, ""));
      }
    }
  }

  private static void expect(ContentFault fault, Trouble trouble, String word) {
    assertThat(fault)
        .isInstanceOfSatisfying(
            RemoteFailed.class, remote -> assertThat(remote.trouble()).isEqualTo(trouble));
    assertThat(fault.detail()).contains(word);
    assertThat(fault.blame()).isEqualTo(Blame.UPSTREAM);
  }

  private static ContentFault fault(Object result) {
    return switch (result) {
      case PutResult.Refused(ContentFault fault) -> fault;
      case OpenResult.Refused(ContentFault fault) -> fault;
      case DeleteResult.Refused(ContentFault fault) -> fault;
      default -> throw new AssertionError("not refused: " + result);
    };
  }

  @Test
  void anEndpointThatAcceptsAndSaysNothingIsGivenUp() throws Exception {
    try (var link = new FaultyLink(server.address());
        S3Store store = open(patient(S3Server.config(link.address(), S3Server.BUCKET), 2))) {
      link.stall();
      expect(fault(store.open(address(OBJECT))), Trouble.UNREACHABLE, "");
      link.heal();
      store.put(stream(OBJECT)).orThrow();
      assertThat(readAll(store, address(OBJECT))).isEqualTo(OBJECT);
    }
  }

  @Test
  void aDeadlineEndsTheWait() throws Exception {
    try (var link = new FaultyLink(server.address());
        S3Store store = open(S3Server.config(link.address(), S3Server.BUCKET))) {
      link.stall();
      OpenResult result =
          Deadline.in(Duration.ofMillis(300), scope.time()).call(() -> store.open(address(OBJECT)));
      expect(fault(result), Trouble.UNREACHABLE, "");
      OpenResult late = new Deadline(scope.time().now()).call(() -> store.open(address(OBJECT)));
      assertThat(fault(late)).isInstanceOf(ContentFault.Late.class);
    }
  }

  @Test
  void anAnswerThatBreaksOffIsAskedForAgain() throws Exception {
    byte[] object = bytes(1, 4_000_000);
    try (var link = new FaultyLink(server.address());
        S3Store store = open(S3Server.config(link.address(), S3Server.BUCKET))) {
      store.put(stream(object)).orThrow();
      try (ContentReader reader = store.open(address(object)).orThrow()) {
        assertThat(reader.next()).isInstanceOf(Step.Bytes.class);
        link.cut();
        link.heal();
        server.takeGets();
        assertThat(readAll(reader))
            .isEqualTo(java.util.Arrays.copyOfRange(object, 65536, object.length));
        assertThat(server.takeGets()).as("it was").isNotEmpty();
      }
    }
  }

  @Test
  void aPutWhoseAnswerWasLostFindsItsOwnWork() throws Exception {
    byte[] object = bytes(7, 1000);
    try (var link = new FaultyLink(server.address());
        S3Store store = open(S3Server.config(link.address(), S3Server.BUCKET))) {
      link.loseAnswer("HTTP/1.1 200");
      assertThat(store.put(stream(object)).orThrow().fresh()).as("no other store put it").isTrue();
      assertThat(link.isAnswerLost()).as("there was an answer to lose").isTrue();
      assertThat(store.put(stream(object)).orThrow().fresh()).isFalse();
      assertThat(readAll(store, address(object))).isEqualTo(object);
    }
  }

  @Test
  void anEndpointThatStaysDownIsLeftAloneForAWhile() throws Exception {
    try (var link = new FaultyLink(server.address());
        S3Store store = open(patient(S3Server.config(link.address(), S3Server.BUCKET), 1))) {
      link.stall();
      for (int i = 0; i < 5; i++) {
        expect(fault(store.open(address(OBJECT))), Trouble.UNREACHABLE, "");
      }
      assertThat(fault(store.open(address(OBJECT))).detail()).contains("did not answer");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "ftp://host,      b, s3_endpoint",
    "relative,        b, s3_endpoint",
    "http://host:9000,'', bucket",
  })
  void aConfigurationThatCannotWorkIsRefused(String endpoint, String bucket, String key) {
    assertThatThrownBy(() -> S3Config.of(URI.create(endpoint), bucket))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(key);
  }

  @Test
  void boundsThatCannotWorkAreRefused() {
    S3Config config = server.config();
    for (var bad :
        new org.assertj.core.api.ThrowableAssert.ThrowingCallable[] {
          () -> config.withBounds(0, 1, 1),
          () -> config.withBounds(1L << 40, 1, 1),
          () -> config.withBounds(1, 0, 1),
          () -> config.withBounds(1, 1, 0),
          () -> config.withPlace("x", "no-slash"),
          () ->
              config.withPatience(
                  0, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(1)),
          () -> config.withPatience(1, Duration.ZERO, Duration.ofSeconds(1), Duration.ofSeconds(1)),
          () -> new S3Credentials(" ", "x"),
        }) {
      assertThatThrownBy(bad).isInstanceOf(IllegalArgumentException.class);
    }
  }
}
