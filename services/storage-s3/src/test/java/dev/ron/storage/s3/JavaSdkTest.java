package dev.ron.storage.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.tls.DevCertificate;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Instant;
import java.util.Map;
import java.util.SplittableRandom;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/** The AWS SDK for Java, with its defaults: bodies in signed chunks, checksums in trailers. */
@Timeout(120)
final class JavaSdkTest {
  private static final String BUCKET = "sdk-bucket";

  @TempDir private Path folder;

  private static S3Client client(int port) {
    return client("http", port, UrlConnectionHttpClient.create());
  }

  private static S3Client client(String scheme, int port, SdkHttpClient http) {
    return S3Client.builder()
        .endpointOverride(URI.create(scheme + "://127.0.0.1:" + port))
        .region(Region.US_EAST_1)
        .forcePathStyle(true)
        .httpClient(http)
        .credentialsProvider(
            StaticCredentialsProvider.create(
                AwsBasicCredentials.create(DoorRig.PAIR.accessKeyId(), DoorRig.PAIR.secret())))
        .build();
  }

  private static byte[] bytes(int size) {
    byte[] bytes = new byte[size];
    new SplittableRandom(size).nextBytes(bytes);
    return bytes;
  }

  @Test
  void objectsArePutReadListedCopiedAndDeleted() throws Exception {
    try (var rig = new DoorRig(folder);
        S3Client s3 = client(rig.port())) {
      s3.createBucket(to -> to.bucket(BUCKET));
      byte[] large = bytes(9 << 20);
      s3.putObject(
          to -> to.bucket(BUCKET).key("a b/ü+.bin").metadata(Map.of("by", "me")),
          RequestBody.fromBytes(large));
      var read = s3.getObjectAsBytes(from -> from.bucket(BUCKET).key("a b/ü+.bin"));
      assertThat(read.asByteArray()).isEqualTo(large);
      assertThat(read.response().metadata()).containsEntry("by", "me");
      assertThat(
              s3.getObjectAsBytes(
                      from -> from.bucket(BUCKET).key("a b/ü+.bin").range("bytes=10-19"))
                  .asByteArray())
          .hasSize(10);
      s3.copyObject(
          copy ->
              copy.sourceBucket(BUCKET)
                  .sourceKey("a b/ü+.bin")
                  .destinationBucket(BUCKET)
                  .destinationKey("copy"));
      assertThat(
              s3.listObjectsV2Paginator(of -> of.bucket(BUCKET).maxKeys(1)).contents().stream()
                  .map(S3Object::key))
          .containsExactly("a b/ü+.bin", "copy");
      assertThat(
              s3.deleteObjects(
                      of ->
                          of.bucket(BUCKET)
                              .delete(
                                  all ->
                                      all.objects(
                                          ObjectIdentifier.builder().key("copy").build(),
                                          ObjectIdentifier.builder().key("a b/ü+.bin").build())))
                  .deleted())
          .hasSize(2);
      assertThatThrownBy(() -> s3.headObject(of -> of.bucket(BUCKET).key("copy")))
          .isInstanceOf(NoSuchKeyException.class);
      s3.deleteBucket(of -> of.bucket(BUCKET));
    }
  }

  @Test
  void anUploadInPartsIsOneObject() throws Exception {
    try (var rig = new DoorRig(folder);
        S3Client s3 = client(rig.port())) {
      s3.createBucket(to -> to.bucket(BUCKET));
      byte[] first = bytes(5 << 20);
      byte[] second = bytes(1 << 20);
      String id = s3.createMultipartUpload(to -> to.bucket(BUCKET).key("parts")).uploadId();
      var parts = new CompletedPart[2];
      for (int i = 0; i < 2; i++) {
        int number = i + 1;
        var stored =
            s3.uploadPart(
                to -> to.bucket(BUCKET).key("parts").uploadId(id).partNumber(number),
                RequestBody.fromBytes(i == 0 ? first : second));
        parts[i] =
            CompletedPart.builder()
                .partNumber(number)
                .eTag(stored.eTag())
                .checksumCRC32(stored.checksumCRC32())
                .build();
      }
      s3.completeMultipartUpload(
          of -> of.bucket(BUCKET).key("parts").uploadId(id).multipartUpload(p -> p.parts(parts)));
      assertThat(s3.headObject(of -> of.bucket(BUCKET).key("parts")).contentLength())
          .isEqualTo(first.length + second.length);
      assertThat(
              s3.getObjectAsBytes(of -> of.bucket(BUCKET).key("parts").partNumber(2)).asByteArray())
          .isEqualTo(second);
    }
  }

  @Test
  void conditionsAreUnderstood() throws Exception {
    try (var rig = new DoorRig(folder);
        S3Client s3 = client(rig.port())) {
      s3.createBucket(to -> to.bucket(BUCKET));
      RequestBody body = RequestBody.fromBytes("lock".getBytes(UTF_8));
      String tag = s3.putObject(to -> to.bucket(BUCKET).key("lock").ifNoneMatch("*"), body).eTag();
      assertThatThrownBy(
              () -> s3.putObject(to -> to.bucket(BUCKET).key("lock").ifNoneMatch("*"), body))
          .isInstanceOfSatisfying(
              S3Exception.class, refused -> assertThat(refused.statusCode()).isEqualTo(412));
      s3.putObject(to -> to.bucket(BUCKET).key("lock").ifMatch(tag), body);
    }
  }

  /** One that trusts this certificate alone. */
  private static SdkHttpClient trusting(Path certificate) throws Exception {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream pem = Files.newInputStream(certificate)) {
      store.setCertificateEntry(
          "door", CertificateFactory.getInstance("X.509").generateCertificate(pem));
    }
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    return UrlConnectionHttpClient.builder()
        .tlsTrustManagersProvider(trust::getTrustManagers)
        .build();
  }

  /** Over TLS bodies are sent in chunks that are not signed, with their checksum behind them. */
  @Test
  void overTlsItSendsOtherwiseAndAPolicyMayAskForIt() throws Exception {
    DevCertificate pair = DevCertificate.make(folder.resolve("tls"), Instant.now());
    String onlySecure =
        """
        {"Version":"2012-10-17","Statement":[{"Effect":"Deny","Principal":"*","Action":"s3:*",
         "Resource":["arn:aws:s3:::sdk-bucket","arn:aws:s3:::sdk-bucket/*"],
         "Condition":{"Bool":{"aws:SecureTransport":"false"}}}]}
        """;
    byte[] large = bytes(9 << 20);
    try (var rig =
            new DoorRig(
                folder.resolve("data"),
                "s3.tls_certificate=" + pair.certificate(),
                "s3.tls_key=" + pair.key());
        S3Client s3 = client("https", rig.port(), trusting(pair.certificate()))) {
      s3.createBucket(to -> to.bucket(BUCKET));
      s3.putBucketPolicy(to -> to.bucket(BUCKET).policy(onlySecure));
      s3.putObject(to -> to.bucket(BUCKET).key("large"), RequestBody.fromBytes(large));
      assertThat(s3.getObjectAsBytes(of -> of.bucket(BUCKET).key("large")).asByteArray())
          .isEqualTo(large);
      String id = s3.createMultipartUpload(to -> to.bucket(BUCKET).key("parts")).uploadId();
      var stored =
          s3.uploadPart(
              to -> to.bucket(BUCKET).key("parts").uploadId(id).partNumber(1),
              RequestBody.fromBytes(large));
      var part = CompletedPart.builder().partNumber(1).eTag(stored.eTag()).build();
      assertThat(
              s3.completeMultipartUpload(
                      of ->
                          of.bucket(BUCKET)
                              .key("parts")
                              .uploadId(id)
                              .multipartUpload(all -> all.parts(part)))
                  .location())
          .isEqualTo("https://127.0.0.1:" + rig.port() + "/" + BUCKET + "/parts");
    }
  }
}
