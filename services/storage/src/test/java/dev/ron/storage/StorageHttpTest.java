package dev.ron.storage;

import static dev.ron.storage.Rig.address;
import static dev.ron.storage.Rig.bytes;
import static dev.ron.storage.Rig.words;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import dev.ron.blake3.Address;
import dev.ron.blake3.bao.Grain;
import dev.ron.blake3.bao.SliceRange;
import dev.ron.blake3.bao.SliceVerifier;
import dev.ron.testkit.NoThreadsLeft;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every route by a client of its own. */
@ExtendWith(NoThreadsLeft.class)
final class StorageHttpTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1000, 65_535, 65_536, 65_537, 300_000, 1 << 20})
  void anObjectRoundTrips(int size) throws Exception {
    byte[] object = bytes(size, size);
    try (Rig rig = Rig.open(folder)) {
      HttpResponse<byte[]> put = rig.put(object);
      assertThat(words(put))
          .isEqualTo("201 {\"address\":\"%s\",\"size\":%d}".formatted(address(object), size));
      assertThat(put.headers().firstValue("Ron-Durability")).hasValue("always");
      assertThat(rig.put(object).statusCode()).isEqualTo(200);
      HttpResponse<byte[]> got = rig.get("/o/" + address(object));
      assertThat(got.statusCode()).isEqualTo(200);
      assertThat(got.body()).isEqualTo(object);
      assertThat(got.headers().firstValue("ETag")).hasValue("\"" + address(object) + "\"");
      assertThat(got.headers().firstValue("Cache-Control").orElseThrow()).contains("immutable");
      assertThat(got.headers().firstValue("Vary")).hasValue("Accept-Encoding");
      HttpResponse<byte[]> head = rig.send("HEAD", "/o/" + address(object), new byte[0]);
      assertThat(head.statusCode()).isEqualTo(200);
      assertThat(head.headers().firstValue("Content-Length")).hasValue(Integer.toString(size));
      assertThat(words(rig.send("POST", "/o", bytes(99, Math.min(size + 1, 1 << 20)))))
          .startsWith("2");
    }
    try (Rig again = Rig.open(folder)) {
      assertThat(again.get("/o/" + address(object)).body()).isEqualTo(object);
    }
  }

  @ParameterizedTest
  @CsvSource({
    // range, status, first, last
    "bytes=0-0,            206, 0,      0",
    "bytes=65530-65541,    206, 65530,  65541",
    "bytes=100000-,        206, 100000, 299999",
    "bytes=-10,            206, 299990, 299999",
    "bytes=299999-400000,  206, 299999, 299999",
    "bytes=5-4,            200, 0,      299999",
    "apples=1-2,           200, 0,      299999",
  })
  void rangesAreCutExactly(String range, int status, int first, int last) throws Exception {
    byte[] object = bytes(3, 300_000);
    try (Rig rig = Rig.open(folder)) {
      rig.put(object);
      HttpResponse<byte[]> answer = rig.get("/o/" + address(object), "Range", range);
      assertThat(answer.statusCode()).isEqualTo(status);
      assertThat(answer.body()).isEqualTo(Arrays.copyOfRange(object, first, last + 1));
      if (status == 206) {
        assertThat(answer.headers().firstValue("Content-Range"))
            .hasValue("bytes %d-%d/300000".formatted(first, last));
      }
    }
  }

  @Test
  void severalRangesAreParts() throws Exception {
    byte[] object = bytes(3, 300_000);
    try (Rig rig = Rig.open(folder)) {
      rig.put(object);
      HttpResponse<byte[]> answer =
          rig.get("/o/" + address(object), "Range", "bytes=0-9,100000-100009");
      assertThat(answer.statusCode()).isEqualTo(206);
      String type = answer.headers().firstValue("Content-Type").orElseThrow();
      String boundary = type.substring(type.indexOf('=') + 1);
      var expected = new ByteArrayOutputStream();
      for (int from : new int[] {0, 100_000}) {
        expected.writeBytes(
            "\r\n--%s\r\nContent-Type: application/octet-stream\r\nContent-Range: bytes %d-%d/300000\r\n\r\n"
                .formatted(boundary, from, from + 9)
                .getBytes(UTF_8));
        expected.write(object, from, 10);
      }
      expected.writeBytes(("\r\n--" + boundary + "--\r\n").getBytes(UTF_8));
      assertThat(answer.body()).isEqualTo(expected.toByteArray());
    }
  }

  @Test
  void conditionsAreHeld() throws Exception {
    byte[] object = bytes(4, 1000);
    String tag = "\"" + address(object) + "\"";
    try (Rig rig = Rig.open(folder)) {
      rig.put(object);
      String path = "/o/" + address(object);
      HttpResponse<byte[]> same = rig.get(path, "If-None-Match", tag);
      assertThat(same.statusCode()).isEqualTo(304);
      assertThat(same.body()).isEmpty();
      assertThat(rig.get(path, "If-None-Match", "\"other\"").statusCode()).isEqualTo(200);
      assertThat(rig.get(path, "If-Match", "\"other\"").statusCode()).isEqualTo(412);
      assertThat(rig.get(path, "If-Range", tag, "Range", "bytes=1-2").statusCode()).isEqualTo(206);
      assertThat(rig.get(path, "If-Range", "\"other\"", "Range", "bytes=1-2").statusCode())
          .isEqualTo(200);
      HttpResponse<byte[]> beyond = rig.get(path, "Range", "bytes=1000-");
      assertThat(words(beyond)).startsWith("416 ").contains("\"code\":\"range\"");
      assertThat(beyond.headers().firstValue("Content-Range")).hasValue("bytes */1000");
    }
  }

  @Test
  void bytesUnderAnotherNameAreRefusedAndLeaveNothing() throws Exception {
    byte[] small = bytes(5, 100);
    byte[] large = bytes(5, 500_000);
    Address other = address(bytes(6, 6));
    try (Rig rig = Rig.open(folder)) {
      for (byte[] object : new byte[][] {small, large}) {
        assertThat(words(rig.send("PUT", "/o/" + other, object)))
            .startsWith("409 ")
            .contains("address-mismatch")
            .contains(address(object).toString());
        assertThat(rig.get("/o/" + other).statusCode()).isEqualTo(404);
        assertThat(rig.get("/o/" + address(object)).statusCode()).isEqualTo(404);
      }
      assertThat(words(rig.get("/o"))).isEqualTo("200 {\"objects\":[]}");
      assertThat(words(rig.get("/o/b3:XYZ"))).startsWith("400 ").contains("64 lowercase hex");
      assertThat(words(rig.send("PUT", "/o/nonsense", small))).startsWith("400 ");
    }
  }

  @Test
  void aBodyBeyondTheLimitIsRefusedUnlessTheConfigTakesIt() throws Exception {
    byte[] object = bytes(7, (1 << 20) + 1);
    try (Rig rig = Rig.open(folder)) {
      assertThat(words(rig.sendIfWanted("PUT", "/o/" + address(object), object)))
          .startsWith("413 ")
          .contains("body-cap");
    }
    try (Rig rig = Rig.open(folder, "put_bytes=8MiB", "danger_ok=true")) {
      assertThat(rig.put(object).statusCode()).isEqualTo(201);
      assertThat(rig.get("/o/" + address(object)).body()).isEqualTo(object);
      byte[] other = bytes(8, 3 << 20);
      assertThat(words(rig.send("POST", "/o", other))).contains(address(other).toString());
      assertThat(words(rig.send("PUT", "/o/" + address(object), other))).startsWith("409 ");
    }
  }

  @Test
  void codedBodiesAreDecodedUnderTheGuard() throws Exception {
    byte[] object = HexFormat.of().formatHex(bytes(9, 5000)).getBytes(UTF_8);
    try (Rig rig = Rig.open(folder)) {
      assertThat(
              rig.send("PUT", "/o/" + address(object), gzip(object), "Content-Encoding", "gzip")
                  .statusCode())
          .isEqualTo(201);
      assertThat(
              rig.send(
                      "PUT",
                      "/o/" + address(object),
                      Zstd.compress(object),
                      "Content-Encoding",
                      "zstd")
                  .statusCode())
          .isEqualTo(200);
      assertThat(rig.get("/o/" + address(object)).body()).isEqualTo(object);
      byte[] bomb = gzip(new byte[4 << 20]);
      assertThat(words(rig.send("POST", "/o", bomb, "Content-Encoding", "gzip")))
          .startsWith("413 ")
          .containsPattern("decoded-(ratio|cap)");
      byte[] small = gzip("all work and no play ".repeat(500).getBytes(UTF_8));
      assertThat(words(rig.send("POST", "/o", small, "Content-Encoding", "gzip")))
          .startsWith("413 ")
          .contains("decoded-ratio");
      assertThat(rig.send("POST", "/o", object, "Content-Encoding", "br").statusCode())
          .isEqualTo(415);
      assertThat(rig.metricValue("decompress_reject_total{reason=\"decoded-ratio\"}")).isEqualTo(2);
      assertThat(rig.metricValue("decompress_reject_total{reason=\"unsupported\"}")).isEqualTo(1);
    }
  }

  private static byte[] gzip(byte[] plain) throws Exception {
    var out = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(out)) {
      gzip.write(plain);
    }
    return out.toByteArray();
  }

  @Test
  void objectsAreListedByPageAndDeleted() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      for (int i = 0; i < 5; i++) {
        rig.put(bytes(i, 100 + i));
      }
      String first = words(rig.get("/o?limit=3"));
      assertThat(first).containsPattern("\"next\":\"b3:");
      String rest = words(rig.get("/o?limit=3&after=" + Rig.field(first, "next")));
      assertThat(rest).doesNotContain("\"next\"");
      for (int i = 0; i < 5; i++) {
        assertThat(first + rest)
            .contains(
                "{\"address\":\"%s\",\"size\":%d}".formatted(address(bytes(i, 100 + i)), 100 + i));
      }
      String path = "/o/" + address(bytes(0, 100));
      assertThat(rig.send("DELETE", path, new byte[0]).statusCode()).isEqualTo(204);
      assertThat(rig.get(path).statusCode()).isEqualTo(404);
      assertThat(rig.send("DELETE", path, new byte[0]).statusCode()).isEqualTo(404);
      assertThat(words(rig.get("/o?limit=0"))).startsWith("400 ");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, -",
    "1, -",
    "5000, -",
    "300000, -",
    "300000, bytes=70000-70010",
    "300000, bytes=-1"
  })
  void aProofStandsByItself(int size, String range) throws Exception {
    byte[] object = bytes(9, size);
    try (Rig rig = Rig.open(folder)) {
      rig.put(object);
      String path = "/o/" + address(object) + "?proof=bao";
      HttpResponse<byte[]> answer =
          range.equals("-") ? rig.get(path) : rig.get(path, "Range", range);
      assertThat(answer.statusCode()).isEqualTo(200);
      String[] said = answer.headers().firstValue("Ron-Slice").orElseThrow().split("\\+", 2);
      var asked = new SliceRange(Long.parseLong(said[0]), Long.parseLong(said[1]));
      byte[] proven =
          SliceVerifier.decode(address(object).hash(), asked, Grain.CHUNK, answer.body()).orThrow();
      assertThat(proven)
          .isEqualTo(
              Arrays.copyOfRange(
                  object, (int) asked.start(), (int) (asked.start() + asked.length())));
      assertThat(words(rig.get("/o/" + address(object) + "?proof=x"))).startsWith("400 ");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 65_537, 700_000})
  void onceVerifiedBytesLeaveByFileAndAreTheSame(int size) throws Exception {
    byte[] object = bytes(10, size);
    try (Rig rig = Rig.open(folder, "verify=once")) {
      rig.put(object);
      for (int i = 0; i < 3; i++) {
        assertThat(rig.get("/o/" + address(object)).body()).isEqualTo(object);
        assertThat(rig.get("/o/" + address(object), "Range", "bytes=-1").body())
            .isEqualTo(new byte[] {object[size - 1]});
      }
      assertThat(rig.metricValue("bytes_out_total")).isEqualTo(3.0 * size + 3);
    }
  }

  @Test
  void theUnixSocketIsTheSameStorageForUsersThatMayConnect() throws Exception {
    byte[] object = bytes(11, 1000);
    Path socket = folder.resolve("s/storage.sock");
    String mine =
        Files.getAttribute(Files.createFile(folder.resolve("mine")), "unix:uid").toString();
    for (String uids : List.of(mine, "4242")) {
      try (Rig rig = Rig.open(folder.resolve("data"), "uds=" + socket, "uds_uids=" + uids)) {
        rig.put(object);
        assertThat(Files.getPosixFilePermissions(socket))
            .isEqualTo(
                PosixFilePermissions.fromString(uids.equals(mine) ? "rw-------" : "rw-rw-rw-"));
        String answer = overSocket(socket, "GET /o/" + address(object));
        if (uids.equals(mine)) {
          assertThat(answer).startsWith("HTTP/1.1 200 ").contains("\r\n\r\n");
          assertThat(answer.substring(answer.indexOf("\r\n\r\n") + 4))
              .isEqualTo(new String(object, ISO_8859_1));
        } else {
          assertThat(answer).as("another user").isEmpty();
        }
      }
    }
  }

  private static String overSocket(Path socket, String request) throws Exception {
    try (var channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      channel.write(
          ByteBuffer.wrap(
              (request + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                  .getBytes(ISO_8859_1)));
      return new String(Channels.newInputStream(channel).readAllBytes(), ISO_8859_1);
    } catch (IOException refused) {
      return "";
    }
  }

  @Test
  void amnesiaKeepsObjectsInMemoryAndSaysSo() throws Exception {
    byte[] object = bytes(1, 200_000);
    try (Rig rig = Rig.open(folder, "amnesia=true")) {
      HttpResponse<byte[]> put = rig.put(object);
      assertThat(put.statusCode()).isEqualTo(201);
      assertThat(put.headers().firstValue("Ron-Durability")).hasValue("amnesia");
      assertThat(words(rig.get("/readyz"))).contains("\"notes\":{\"durability\":\"amnesia\"}");
      assertThat(rig.get("/o/" + address(object)).body()).isEqualTo(object);
      assertThat(words(rig.send("POST", "/o/uploads", new byte[0])))
          .startsWith("503 ")
          .contains("amnesia");
    }
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void theServiceTellsWhatItIs() throws Exception {
    try (Rig rig = Rig.open(folder)) {
      assertThat(words(rig.get("/readyz"))).startsWith("200 ");
      assertThat(words(rig.get("/openapi.json")))
          .contains("/o/{address}")
          .contains("/o/uploads/{upload}/{part}")
          .contains("/repair");
      assertThat(words(rig.get("/metrics")))
          .contains("storage_put_latency_seconds")
          .contains("queue_depth{queue=\"work\"}")
          .contains("rf_target 1.0");
      assertThat(words(rig.get("/repair"))).contains("\"full_bytes_per_second\":52428800");
    }
  }
}
