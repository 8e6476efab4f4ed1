package dev.ron.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.tls.DevCertificate;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.transfer.s3.S3TransferManager;
import software.amazon.awssdk.transfer.s3.model.FileUpload;
import software.amazon.awssdk.transfer.s3.model.ResumableFileUpload;
import software.amazon.awssdk.transfer.s3.progress.TransferListener;

/** The transfer manager of the AWS SDK for Java: large files in parts, several at a time. */
@Timeout(120)
final class TransferManagerTest {
  private static final String BUCKET = "transfer-bucket";
  private static final int LARGE_BYTES = (20 << 20) + 7;

  private static final StaticCredentialsProvider CREDENTIALS =
      StaticCredentialsProvider.create(
          AwsBasicCredentials.create(DoorRig.PAIR.accessKeyId(), DoorRig.PAIR.secret()));

  @TempDir private Path folder;

  /** What the manager sends with. */
  enum Sender {
    JAVA {
      @Override
      S3AsyncClient to(URI door) {
        return S3AsyncClient.builder()
            .endpointOverride(door)
            .region(Region.US_EAST_1)
            .forcePathStyle(true)
            .multipartEnabled(true)
            .credentialsProvider(CREDENTIALS)
            .build();
      }
    },
    /** AWS's common runtime, which the AWS CLI sends with too. */
    CRT {
      @Override
      S3AsyncClient to(URI door) {
        return S3AsyncClient.crtBuilder()
            .endpointOverride(door)
            .region(Region.US_EAST_1)
            .forcePathStyle(true)
            .credentialsProvider(CREDENTIALS)
            // It takes no authority but those of the system; what is tried is what it speaks.
            .httpConfiguration(http -> http.trustAllCertificatesEnabled(true))
            .build();
      }
    };

    abstract S3AsyncClient to(URI door);
  }

  private static S3AsyncClient client(Sender sender, int port) {
    return sender.to(URI.create("http://127.0.0.1:" + port));
  }

  private Path large() throws Exception {
    byte[] bytes = new byte[LARGE_BYTES];
    new SplittableRandom(1).nextBytes(bytes);
    return Files.write(folder.resolve("large.bin"), bytes);
  }

  @ParameterizedTest
  @EnumSource
  void aLargeFileGoesUpIsCopiedAndComesDownInParts(Sender sender) throws Exception {
    Path large = large();
    Path back = folder.resolve("back.bin");
    try (var rig = new DoorRig(folder.resolve("data"));
        S3AsyncClient s3 = client(sender, rig.port());
        S3TransferManager transfers = S3TransferManager.builder().s3Client(s3).build()) {
      s3.createBucket(to -> to.bucket(BUCKET)).join();
      transfers
          .uploadFile(up -> up.source(large).putObjectRequest(to -> to.bucket(BUCKET).key("a b")))
          .completionFuture()
          .join();
      assertThat(s3.headObject(of -> of.bucket(BUCKET).key("a b")).join().eTag())
          .as("it came in parts")
          .endsWith("-3\"");
      transfers
          .copy(
              of ->
                  of.copyObjectRequest(
                      copy ->
                          copy.sourceBucket(BUCKET)
                              .sourceKey("a b")
                              .destinationBucket(BUCKET)
                              .destinationKey("copy")))
          .completionFuture()
          .join();
      transfers
          .downloadFile(
              down -> down.destination(back).getObjectRequest(of -> of.bucket(BUCKET).key("copy")))
          .completionFuture()
          .join();
      assertThat(Files.mismatch(large, back)).isEqualTo(-1);
    }
  }

  /** The common runtime brings a TLS of its own. */
  @Tag("long")
  @Test
  void theCommonRuntimeIsServedOverTls() throws Exception {
    DevCertificate pair = DevCertificate.make(folder.resolve("tls"), Instant.now());
    Path large = large();
    Path back = folder.resolve("back.bin");
    try (var rig =
            new DoorRig(
                folder.resolve("data"),
                "s3.tls_certificate=" + pair.certificate(),
                "s3.tls_key=" + pair.key());
        S3AsyncClient s3 = Sender.CRT.to(URI.create("https://localhost:" + rig.port()));
        S3TransferManager transfers = S3TransferManager.builder().s3Client(s3).build()) {
      s3.createBucket(to -> to.bucket(BUCKET)).join();
      transfers
          .uploadFile(up -> up.source(large).putObjectRequest(to -> to.bucket(BUCKET).key("large")))
          .completionFuture()
          .join();
      transfers
          .downloadFile(
              down -> down.destination(back).getObjectRequest(of -> of.bucket(BUCKET).key("large")))
          .completionFuture()
          .join();
      assertThat(Files.mismatch(large, back)).isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void anUploadThatWasPausedGoesOn(Sender sender) throws Exception {
    Path large = large();
    try (var rig = new DoorRig(folder.resolve("data"));
        S3AsyncClient s3 = client(sender, rig.port());
        S3TransferManager transfers = S3TransferManager.builder().s3Client(s3).build()) {
      s3.createBucket(to -> to.bucket(BUCKET)).join();
      var begun = new CountDownLatch(1);
      TransferListener listener =
          new TransferListener() {
            @Override
            public void bytesTransferred(Context.BytesTransferred some) {
              begun.countDown();
            }
          };
      FileUpload upload =
          transfers.uploadFile(
              up ->
                  up.source(large)
                      .putObjectRequest(to -> to.bucket(BUCKET).key("paused"))
                      .addTransferListener(listener));
      begun.await();
      ResumableFileUpload paused = upload.pause();
      transfers.resumeUploadFile(paused).completionFuture().join();
      assertThat(s3.headObject(of -> of.bucket(BUCKET).key("paused")).join().contentLength())
          .isEqualTo(LARGE_BYTES);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFolderGoesUpAndComesDown(Sender sender) throws Exception {
    Path tree = folder.resolve("tree");
    Path back = folder.resolve("back");
    Files.createDirectories(tree.resolve("deep/er"));
    for (int i = 0; i < 20; i++) {
      Files.writeString(tree.resolve(i % 2 == 0 ? "deep" : "deep/er").resolve("ü " + i), "x" + i);
    }
    try (var rig = new DoorRig(folder.resolve("data"));
        S3AsyncClient s3 = client(sender, rig.port());
        S3TransferManager transfers = S3TransferManager.builder().s3Client(s3).build()) {
      s3.createBucket(to -> to.bucket(BUCKET)).join();
      assertThat(
              transfers
                  .uploadDirectory(up -> up.source(tree).bucket(BUCKET).s3Prefix("t"))
                  .completionFuture()
                  .join()
                  .failedTransfers())
          .isEmpty();
      assertThat(
              transfers
                  .downloadDirectory(
                      down ->
                          down.bucket(BUCKET)
                              .destination(back)
                              .listObjectsV2RequestTransformer(list -> list.prefix("t/")))
                  .completionFuture()
                  .join()
                  .failedTransfers())
          .isEmpty();
      try (var files = Files.walk(tree)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          assertThat(back.resolve(tree.relativize(file).toString())).hasSameBinaryContentAs(file);
        }
      }
    }
  }
}
