package dev.ron.client.bucket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.client.ServiceRefusal;
import dev.ron.client.StorageClient.Progress;
import dev.ron.content.S3Server;
import dev.ron.http.Headers;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The client against an S3 server that is not ours, with files a test can damage. */
@Timeout(120)
final class BucketClientTest {
  private static final Scope SCOPE = Scope.of("test", World.real(Log.silent()));

  @TempDir private static Path root;
  private static S3Server server;
  private BucketClient client;
  private String bucket;

  @BeforeAll
  static void startServer() throws Exception {
    server = new S3Server(root);
  }

  @AfterAll
  static void stopServer() throws IOException {
    server.close();
  }

  @BeforeEach
  void open() throws Exception {
    server.nextBucket();
    bucket = server.file("").getFileName().toString();
    client = new BucketClient(SCOPE, endpoint(S3Server.CREDENTIALS.secretKey()));
  }

  @AfterEach
  void close() {
    client.close();
  }

  private static BucketEndpoint endpoint(String secret) {
    return BucketEndpoint.signed(
        URI.create("http://127.0.0.1:" + server.address().getPort()),
        S3Server.CREDENTIALS.accessKey(),
        secret,
        Optional.empty(),
        BucketEndpoint.REGION);
  }

  @Test
  void bucketsAreMadeListedAndRemoved() throws Exception {
    assertThat(client.hasBucket("made-here")).isFalse();
    client.createBucket("made-here");
    assertThat(client.hasBucket("made-here")).isTrue();
    assertThat(client.buckets())
        .extracting(BucketClient.OwnBucket::name)
        .contains("made-here", bucket);
    client.deleteBucket("made-here");
    assertThat(client.hasBucket("made-here")).isFalse();
  }

  @Test
  void anObjectOfAnySizeComesBackVerifiedWithItsFields() throws Exception {
    var upload = new ObjectUpload(client, 3);
    var fields = Headers.of("content-type", "text/plain", "x-amz-meta-who", "me");
    for (int size : new int[] {0, 1, (5 << 20) - 1, 5 << 20, (12 << 20) + 7}) {
      Path file = Files.write(root.resolve("file-" + size), bytes(size));
      BucketPath to = at("a b/ü+" + size);
      List<Long> steps = new ArrayList<>();
      ObjectUpload.Stored stored =
          upload.file(file, to, fields, 5 << 20, (done, _) -> steps.add(done));
      assertThat(stored.size()).isEqualTo(size);
      assertThat(steps).contains((long) size);
      var out = new ByteArrayOutputStream();
      var download = new ObjectDownload(client, to, Progress.NONE);
      ContentCheck.Outcome outcome = download.to(out);
      assertThat(out.toByteArray()).isEqualTo(bytes(size));
      assertThat(outcome).as(size + " bytes").isNotInstanceOf(ContentCheck.Outcome.Differs.class);
      assertThat(download.head().kept().first("x-amz-meta-who")).isEqualTo("me");
      assertThat(download.head().kept().first("content-type")).isEqualTo("text/plain");
    }
    var listing = new ListedObjects(client, at("a b/"));
    int count = 0;
    for (ListedObject one = listing.next(); one != null; one = listing.next()) {
      assertThat(one.key()).startsWith("a b/ü+");
      count++;
    }
    assertThat(count).isEqualTo(5);
    assertThat(client.list(at(""), "/", Optional.empty()).folders()).containsExactly("a b/");
  }

  @Test
  void bytesThatRottedAtTheServerAreFoundOut() throws Exception {
    put("fine", "as it was put");
    put("rotten", "as it was put");
    Files.writeString(server.file("rotten"), "as it was PUT");
    assertThat(read("fine")).isInstanceOf(ContentCheck.Outcome.Fits.class);
    assertThat(read("rotten")).isInstanceOf(ContentCheck.Outcome.Differs.class);
  }

  private ContentCheck.Outcome read(String key) throws Exception {
    return new ObjectDownload(client, at(key), Progress.NONE).to(new ByteArrayOutputStream());
  }

  @Test
  void aRefusalHasTheServersCodeAndWords() throws Exception {
    assertThatThrownBy(() -> client.list(new BucketPath("absent-bucket", ""), "", Optional.empty()))
        .isInstanceOfSatisfying(
            ServiceRefusal.class, no -> assertThat(no.code()).isEqualTo("NoSuchBucket"));
    try (var stranger = new BucketClient(SCOPE, endpoint("another-secret"))) {
      assertThatThrownBy(stranger::buckets)
          .isInstanceOfSatisfying(
              ServiceRefusal.class, no -> assertThat(no.code()).isEqualTo("SignatureDoesNotMatch"));
    }
    assertThat(client.head(at("nothing"))).isEmpty();
  }

  @Test
  void aRefusedApprovalLeavesNothing() throws Exception {
    var upload = new ObjectUpload(client, 2);
    for (int size : new int[] {10, 11 << 20}) {
      assertThatThrownBy(
              () ->
                  upload.stream(
                      new java.io.ByteArrayInputStream(bytes(size)),
                      at("never"),
                      new Headers(1),
                      5 << 20,
                      Progress.NONE,
                      () -> {
                        throw new IOException("not these");
                      }))
          .hasMessage("not these");
      assertThat(client.head(at("never"))).isEmpty();
    }
  }

  private void put(String key, String text) throws Exception {
    byte[] all = text.getBytes(UTF_8);
    client.put(at(key), new Headers(1), ObjectPayload.of(all, all.length));
  }

  private BucketPath at(String key) {
    return new BucketPath(bucket, key);
  }

  private static byte[] bytes(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }
}
