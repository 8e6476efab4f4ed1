package dev.ron.storage.s3;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An object's answer names the BLAKE3 of its bytes, where that is known without reading them. */
@Timeout(120)
final class ObjectAddressTest {
  private static final int BLOCK = 4 << 20;
  private static final int[] SIZES = {
    0, 1, 4096, 4097, 1 << 20, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 13 << 20, (17 << 20) + 5
  };

  @TempDir private Path folder;

  private static byte[] bytes(int size) {
    byte[] bytes = new byte[size];
    new SplittableRandom(size).nextBytes(bytes);
    return bytes;
  }

  private static Optional<String> address(HttpResponse<byte[]> answer) {
    return answer.headers().firstValue("Ron-Address");
  }

  @Test
  void theAddressIsThatOfTheBytes() throws Exception {
    try (var rig = new DoorRig(folder);
        HttpClient http = HttpClient.newHttpClient()) {
      var client = new DoorClient(http, rig.port());
      client.put("/bucket", new byte[0]);
      for (int size : SIZES) {
        byte[] bytes = bytes(size);
        String wanted = new Address(Blake3.hash(bytes)).toString();
        String key = "/bucket/" + size;
        assertThat(address(client.send("PUT", key, bytes))).as("%d", size).hasValue(wanted);
        assertThat(address(client.send("HEAD", key, new byte[0]))).hasValue(wanted);
        assertThat(address(client.get(key))).hasValue(wanted);
        client.copy(key, "/bucket/copy");
        assertThat(address(client.get("/bucket/copy"))).as("a copy").hasValue(wanted);
        client.put(
            "/bucket/copy",
            new byte[0],
            "x-amz-copy-source",
            key,
            "x-amz-metadata-directive",
            "REPLACE",
            "content-type",
            "text/plain");
        assertThat(address(client.get("/bucket/copy"))).as("with others").hasValue(wanted);
      }
    }
  }

  /** A copy of a range may have one extent that is less than its block. */
  @Test
  void whatCameInPartsHasNone() throws Exception {
    try (var rig = new DoorRig(folder);
        HttpClient http = HttpClient.newHttpClient()) {
      var client = new DoorClient(http, rig.port());
      client.put("/bucket", new byte[0]);
      client.put("/bucket/source", bytes(100_000));
      String begun = DoorClient.text(client.send("POST", "/bucket/parts?uploads", new byte[0]));
      String upload = "uploadId=" + DoorClient.all(begun, "<UploadId>([^<]*)").getFirst();
      String copied =
          DoorClient.text(
              client.send(
                  "PUT",
                  "/bucket/parts?partNumber=1&" + upload,
                  new byte[0],
                  "x-amz-copy-source",
                  "/bucket/source",
                  "x-amz-copy-source-range",
                  "bytes=0-49999"));
      String tag = DoorClient.all(copied, "<ETag>([^<]*)").getFirst();
      String parts =
          "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>%s</ETag></Part>"
                  .formatted(tag)
              + "</CompleteMultipartUpload>";
      assertThat(client.send("POST", "/bucket/parts?" + upload, parts.getBytes(UTF_8)).statusCode())
          .isEqualTo(200);
      assertThat(address(client.get("/bucket/parts"))).isEmpty();
      assertThat(client.copy("/bucket/parts", "/bucket/copy")).isEqualTo(200);
      assertThat(address(client.get("/bucket/copy"))).isEmpty();
      assertThat(client.get("/bucket/copy").body()).hasSize(50_000);
    }
  }
}
