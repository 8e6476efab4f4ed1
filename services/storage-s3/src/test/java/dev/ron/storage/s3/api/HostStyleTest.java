package dev.ron.storage.s3.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.sigv4.PayloadMode;
import dev.ron.sigv4.SignedRequest;
import dev.ron.storage.s3.api.SignedDoor.Caller;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Buckets that the host names, below the door's domain. */
@Timeout(60)
final class HostStyleTest {
  private static String send(
      SignedDoor door, Caller caller, String method, String host, String path, String body)
      throws Exception {
    SignedRequest unsigned =
        new SignedRequest(method, path, "", List.of(new SignedRequest.Header("host", host)));
    return door.raw(
        caller.signer().sign(unsigned, new PayloadMode.Unsigned(), Instant.now()).request(), body);
  }

  @Test
  void theHostNamesTheBucketAndThePathAlwaysDoes() throws Exception {
    try (var door = new SignedDoor("storage.s3.domain", "s3.example")) {
      Caller main = door.tenant("main");
      String photos = "photos.s3.example:" + door.port();
      assertThat(send(door, main, "PUT", photos, "/", "")).isEqualTo("200");
      assertThat(send(door, main, "PUT", photos, "/a/b", "hello")).isEqualTo("200");
      assertThat(main.send("GET", "/photos/a/b", "").text()).isEqualTo("hello");
      String[][] table = {
        {"photos.s3.example", "/a/b", "200"},
        {"PHOTOS.S3.Example", "/a/b", "200"},
        {"photos.s3.example", "/", "200"},
        {"photos.s3.example", "/photos/a/b", "404 NoSuchKey"},
        {"photos.s3.example", "/a//b", "404 NoSuchKey"},
        {"s3.example", "/photos/a/b", "200"},
        {"s3.example", "/a/b", "404 NoSuchBucket"},
        {"other.s3.example", "/a/b", "404 NoSuchBucket"},
        {"x.photos.s3.example", "/a/b", "404 NoSuchBucket"},
      };
      for (String[] row : table) {
        assertThat(send(door, main, "GET", row[0], row[1], "")).as(row[0]).isEqualTo(row[2]);
      }
      // Another site's name is no domain of this one, however it ends.
      assertThat(send(door, main, "GET", "evils3.example", "/photos/a/b", "")).startsWith("421");
    }
  }
}
