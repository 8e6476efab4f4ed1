package dev.ron.edge;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.testkit.SeedRow;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Packs that come, change and go while the edge runs. */
final class HotPacksTest {
  @TempDir private Path folder;

  @Test
  void theSampleIsThereUntilAnythingElseIs() throws Exception {
    try (PackRig rig = new PackRig(folder, null)) {
      rig.awaitReady();
      assertThat(rig.await("/edge/packs", said -> said.contains("sample"))).contains("Ron Isles");
      assertThat(rig.get("/edge/assets/sample/0/0/0.mvt").statusCode()).isEqualTo(200);
      rig.put("own.pmtiles", TestPacks.gzipped("own"));
      rig.await("/edge/packs", said -> said.contains("own"));
      assertThat(rig.text("/edge/packs")).doesNotContain("sample");
      assertThat(rig.get("/edge/map/sample").statusCode()).isEqualTo(404);
      Files.delete(rig.packs.resolve("own.pmtiles"));
      rig.await("/edge/packs", said -> said.contains("sample"));
      assertThat(rig.get("/edge/assets/own/0/0/0.mvt").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void aReplacementIsANewAddress() throws Exception {
    try (PackRig rig = new PackRig(folder, null)) {
      byte[] first = TestPacks.gzipped("first");
      byte[] second = TestPacks.gzipped("second");
      rig.put("a.pmtiles", first);
      rig.await("/edge/packs", said -> said.contains(new Address(Blake3.hash(first)).toString()));
      assertThat(tile(rig)).isEqualTo("one of first");
      rig.put("a.pmtiles", second);
      rig.await("/edge/packs", said -> said.contains(new Address(Blake3.hash(second)).toString()));
      assertThat(tile(rig)).isEqualTo("one of second");
    }
  }

  private static String tile(PackRig rig) throws Exception {
    return new String(rig.get("/edge/assets/a/1/1/0.mvt").body(), UTF_8);
  }

  @Test
  @SeedRow({"E14", "E18"})
  void aBadPackMeansNotReadyWithTheReason() throws Exception {
    try (PackRig rig = new PackRig(folder, null)) {
      byte[] good = TestPacks.gzipped("good");
      rig.put("a.pmtiles", good);
      rig.await("/edge/packs", said -> said.contains("good"));
      byte[] bad = good.clone();
      bad[7] = 9;
      rig.put("a.pmtiles", bad);
      assertThat(rig.await("/readyz", said -> said.contains("PMTiles version 9")))
          .contains("\"ready\":false", "a.pmtiles");
      assertThat(rig.get("/readyz").statusCode()).isEqualTo(503);
      assertThat(tile(rig)).as("the old map is better than none").isEqualTo("one of good");
      rig.put("a.pmtiles", good);
      rig.awaitReady();
    }
  }

  @Test
  @SeedRow("E18")
  void aPromisedAddressIsHeld() throws Exception {
    try (PackRig rig = new PackRig(folder, null)) {
      byte[] pack = TestPacks.gzipped("promised");
      Files.writeString(
          rig.packs.resolve("a.pmtiles.b3"), new Address(Blake3.hash(new byte[1])) + "\n");
      rig.put("a.pmtiles", pack);
      rig.await("/readyz", said -> said.contains("expected is"));
      assertThat(rig.text("/edge/packs")).contains("pack-address");
      Files.writeString(rig.packs.resolve("a.pmtiles.b3"), new Address(Blake3.hash(pack)) + "\n");
      rig.awaitReady();
      assertThat(tile(rig)).isEqualTo("one of promised");
    }
  }

  /** The reader takes a little, the pack is replaced and deleted, the reader takes the rest. */
  @Test
  @SeedRow("E03")
  void aReaderFinishesOnTheOldBytes() throws Exception {
    try (PackRig rig = new PackRig(folder, null)) {
      byte[] old = TestPacks.large((byte) 1, 8);
      rig.put("a.pmtiles", old);
      rig.await("/edge/packs", said -> said.contains("large 1"));
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), rig.uri("/").getPort())) {
        OutputStream out = socket.getOutputStream();
        out.write(
            "GET /edge/assets/a.pmtiles HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                .getBytes(UTF_8));
        InputStream in = socket.getInputStream();
        byte[] begun = in.readNBytes(4096);
        rig.put("a.pmtiles", TestPacks.large((byte) 2, 8));
        rig.await("/edge/packs", said -> said.contains("large 2"));
        Files.delete(rig.packs.resolve("a.pmtiles"));
        rig.await("/edge/packs", said -> !said.contains("large"));
        byte[] rest = in.readAllBytes();
        int head = new String(begun, UTF_8).indexOf("\r\n\r\n") + 4;
        assertThat(begun.length - head + rest.length).isEqualTo(old.length);
        byte[] whole = new byte[old.length];
        System.arraycopy(begun, head, whole, 0, begun.length - head);
        System.arraycopy(rest, 0, whole, begun.length - head, rest.length);
        assertThat(new Address(Blake3.hash(whole))).isEqualTo(new Address(Blake3.hash(old)));
      }
    }
  }
}
