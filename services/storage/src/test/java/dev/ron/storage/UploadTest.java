package dev.ron.storage;

import static dev.ron.storage.Rig.address;
import static dev.ron.storage.Rig.bytes;
import static dev.ron.storage.Rig.words;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class UploadTest {
  private static final int PART = 1 << 20;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, PART - 1, PART, PART + 1, 3 * PART + 12_345})
  void partsInAnyOrderAndParallelBecomeTheObject(int size) throws Exception {
    byte[] object = bytes(size, size);
    try (Rig rig = Rig.open(folder)) {
      String upload = begin(rig, "");
      List<Integer> order = new ArrayList<>();
      for (int part = 0; (long) part * PART < size; part++) {
        order.add(part);
      }
      Collections.shuffle(order, new Random(1));
      List<Thread> threads = new ArrayList<>();
      var refused = Collections.synchronizedList(new ArrayList<String>());
      for (int part : order) {
        threads.add(
            Thread.ofVirtual()
                .start(
                    () -> {
                      try {
                        String said = send(rig, upload, part, slice(object, part));
                        if (!said.startsWith("200 ")) {
                          refused.add(said);
                        }
                      } catch (Exception e) {
                        refused.add(e.toString());
                      }
                    }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(refused).isEmpty();
      assertThat(complete(rig, upload, ""))
          .isEqualTo("201 {\"address\":\"%s\",\"size\":%d}".formatted(address(object), size));
      assertThat(rig.metric("tasks_spawned_total{kind=\"hash\"}")).isEqualTo("1.0");
      assertThat(rig.get("/o/" + address(object)).body()).isEqualTo(object);
      assertThat(complete(rig, upload, "")).as("asked again").startsWith("201 ");
      assertThat(words(rig.get("/o/uploads/" + upload)))
          .startsWith("404 ")
          .contains("upload-unknown");
    }
    assertThat(folder.resolve("uploads")).isEmptyDirectory();
  }

  @Test
  void anUploadGoesOnAfterARestart() throws Exception {
    byte[] object = bytes(7, 2 * PART + 5);
    String body = "{\"address\":\"" + address(object) + "\"}";
    String upload;
    try (Rig rig = Rig.open(folder)) {
      upload = begin(rig, body);
      send(rig, upload, 2, slice(object, 2));
      send(rig, upload, 0, slice(object, 0));
    }
    try (Rig rig = Rig.open(folder)) {
      assertThat(words(rig.get("/o/uploads/" + upload)))
          .isEqualTo(
              "200 {\"upload\":\"%s\",\"parts\":[[0,0],[2,2]],\"size\":%d}"
                  .formatted(upload, PART + 5));
      assertThat(begin(rig, body)).as("begun again, it is the same").isEqualTo(upload);
      assertThat(complete(rig, upload, "")).startsWith("409 ").contains("part 1 is missing");
      send(rig, upload, 1, slice(object, 1));
      assertThat(complete(rig, upload, body))
          .startsWith("201 ")
          .contains(address(object).toString());
      assertThat(rig.get("/o/" + address(object)).body()).isEqualTo(object);
    }
  }

  /** The id follows from the address, so it is the id of the upload before. */
  @Test
  void whatWasDeletedIsStoredAgainAndNotRememberedAsStored() throws Exception {
    byte[] object = bytes(8, PART + 5);
    String body = "{\"address\":\"" + address(object) + "\"}";
    try (Rig rig = Rig.open(folder)) {
      for (int round = 0; round < 2; round++) {
        String upload = begin(rig, body);
        send(rig, upload, 0, slice(object, 0));
        send(rig, upload, 1, slice(object, 1));
        assertThat(complete(rig, upload, body)).startsWith("201 ");
        assertThat(rig.get("/o/" + address(object)).body()).isEqualTo(object);
        assertThat(complete(rig, upload, body)).as("the answer was lost").startsWith("201 ");
        assertThat(words(rig.send("DELETE", "/o/" + address(object), new byte[0])))
            .startsWith("204 ");
        assertThat(complete(rig, upload, body)).startsWith("404 ").contains("upload-unknown");
      }
    }
  }

  @Test
  void anUploadForAnotherAddressIsRefused() throws Exception {
    String body = "{\"address\":\"" + address(bytes(1, 1)) + "\"}";
    try (Rig rig = Rig.open(folder)) {
      String upload = begin(rig, body);
      send(rig, upload, 0, bytes(2, 2));
      assertThat(complete(rig, upload, "")).startsWith("409 ").contains("address-mismatch");
      send(rig, upload, 0, bytes(1, 1));
      assertThat(complete(rig, upload, "{\"size\":2}"))
          .startsWith("409 ")
          .contains("1 bytes together");
      assertThat(complete(rig, upload, "")).startsWith("201 ");
    }
  }

  @Test
  void aPartThatRotsWhileItWaitsIsAskedForAgain() throws Exception {
    byte[] object = bytes(3, 2 * PART);
    try (Rig rig = Rig.open(folder)) {
      String upload = begin(rig, "");
      send(rig, upload, 0, slice(object, 0));
      send(rig, upload, 1, slice(object, 1));
      try (var file =
          new RandomAccessFile(folder.resolve("uploads/" + upload + ".parts").toFile(), "rw")) {
        file.seek(100_000);
        int old = file.read();
        file.seek(100_000);
        file.write(old ^ 8);
      }
      assertThat(complete(rig, upload, "")).startsWith("409 ").contains("part 0 was damaged");
      assertThat(words(rig.get("/o/uploads/" + upload))).contains("\"parts\":[[1,1]]");
      send(rig, upload, 0, slice(object, 0));
      assertThat(complete(rig, upload, "")).startsWith("201 ");
      assertThat(rig.get("/o/" + address(object)).body()).isEqualTo(object);
    }
  }

  @Test
  void everythingHasALimit() throws Exception {
    try (Rig rig = Rig.open(folder, "uploads.max=2", "object_bytes=2MiB")) {
      String upload = begin(rig, "");
      assertThat(words(rig.sendIfWanted("PUT", "/o/uploads/" + upload + "/0", new byte[PART + 1])))
          .startsWith("413 ");
      assertThat(send(rig, upload, 2, new byte[1])).startsWith("409 ").contains("parts 0 to 1");
      assertThat(send(rig, upload, -1, new byte[1])).startsWith("400 ");
      begin(rig, "");
      var full = rig.send("POST", "/o/uploads", new byte[0]);
      assertThat(words(full)).startsWith("429 ").contains("uploads is full at 2");
      assertThat(full.headers().firstValue("Retry-After")).hasValue("1");
      assertThat(rig.send("DELETE", "/o/uploads/" + upload, new byte[0]).statusCode())
          .isEqualTo(204);
      begin(rig, "");
      assertThat(words(rig.send("POST", "/o/uploads", "{\"colour\":1}".getBytes(UTF_8))))
          .startsWith("400 ")
          .contains("colour");
    }
  }

  @Test
  void anUploadThatWasGivenUpExpires() throws Exception {
    try (Rig rig = Rig.open(folder, "uploads.expire=1s")) {
      String upload = begin(rig, "");
      send(rig, upload, 0, new byte[10]);
      Rig.eventually("expired", () -> rig.metricValue("uploads_open") == 0);
      assertThat(words(rig.get("/o/uploads/" + upload))).startsWith("404 ");
    }
    assertThat(folder.resolve("uploads")).isEmptyDirectory();
  }

  @Test
  void aFileThatIsNoUploadIsPassedOver() throws Exception {
    Files.createDirectories(folder.resolve("uploads"));
    Path torn = folder.resolve("uploads/" + "0".repeat(32) + ".parts");
    Files.write(torn, new byte[50]);
    try (Rig rig = Rig.open(folder)) {
      assertThat(words(rig.get("/o/uploads/" + "0".repeat(32)))).startsWith("404 ");
      assertThat(words(rig.get("/o/uploads/..%2f..%2fhome"))).startsWith("4");
    }
  }

  private static byte[] slice(byte[] object, int part) {
    return Arrays.copyOfRange(object, part * PART, Math.min(object.length, (part + 1) * PART));
  }

  private static String begin(Rig rig, String body) throws Exception {
    return Rig.field(words(rig.send("POST", "/o/uploads", body.getBytes(UTF_8))), "upload");
  }

  private static String send(Rig rig, String upload, int part, byte[] bytes) throws Exception {
    return words(rig.send("PUT", "/o/uploads/" + upload + "/" + part, bytes));
  }

  private static String complete(Rig rig, String upload, String body) throws Exception {
    return words(rig.send("POST", "/o/uploads/" + upload + "/complete", body.getBytes(UTF_8)));
  }
}
