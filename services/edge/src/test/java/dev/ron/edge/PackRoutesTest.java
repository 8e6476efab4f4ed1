package dev.ron.edge;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.testkit.RawClient;
import dev.ron.testkit.SeedRow;
import dev.ron.tilepack.PmtilesWriter;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a client gets from packs, header by header. */
final class PackRoutesTest {
  private static final byte[] PACK = TestPacks.gzipped("north");
  private static final String TAG = "\"" + new Address(Blake3.hash(PACK)) + "\"";

  @TempDir private static Path folder;
  private static PackRig rig;

  @BeforeAll
  static void open() throws Exception {
    rig = new PackRig(folder, null);
    rig.put("north.pmtiles", PACK);
    rig.await("/edge/packs", said -> said.contains("north"));
  }

  @AfterAll
  static void close() {
    rig.close();
  }

  @Test
  void theRawPackIsServedWholeUnderItsAddress() throws Exception {
    HttpResponse<byte[]> whole = rig.get("/edge/assets/north.pmtiles");
    assertThat(whole.statusCode()).isEqualTo(200);
    assertThat(whole.body()).isEqualTo(PACK);
    assertThat(whole.headers().firstValue("ETag")).hasValue(TAG);
    assertThat(whole.headers().firstValue("Accept-Ranges")).hasValue("bytes");
    assertThat(whole.headers().firstValue("Cache-Status")).hasValue("ron-edge; hit; detail=pack");
    HttpResponse<byte[]> head = rig.send("HEAD", "/edge/assets/north.pmtiles");
    assertThat(head.headers().firstValueAsLong("Content-Length")).hasValue(PACK.length);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Range=bytes=0-126                                    | 206 | 0   | 127",
        "Range=bytes=10-10                                    | 206 | 10  | 11",
        "Range=bytes=-5                                       | 206 | -5  | 0",
        "Range=bytes=9999999-                                 | 416 |     |",
        "Range=bytes=0-0,5-5                                  | 416 |     |",
        "Range=bytes=5-1                                      | 200 | 0   | 0",
        "If-None-Match=$                                      | 304 |     |",
        "If-None-Match=W/$                                    | 304 |     |",
        "If-None-Match=\"other\"                              | 200 | 0   | 0",
        "If-Match=\"other\"                                   | 412 |     |",
        "If-Match=$                                           | 200 | 0   | 0",
        "If-Match=broken                                      | 400 |     |",
        "Range=bytes=0-3;If-Range=$                           | 206 | 0   | 4",
        "Range=bytes=0-3;If-Range=\"other\"                   | 200 | 0   | 0",
        "Range=bytes=0-3;If-None-Match=$                      | 304 |     |",
      })
  void rangesAndPreconditions(String fields, int status, Integer from, Integer to)
      throws Exception {
    String[] pairs =
        Arrays.stream(fields.replace("$", TAG).split(";"))
            .flatMap(pair -> Arrays.stream(pair.split("=", 2)))
            .toArray(String[]::new);
    HttpResponse<byte[]> answer = rig.get("/edge/assets/north.pmtiles", pairs);
    assertThat(answer.statusCode()).isEqualTo(status);
    if (from != null) {
      int first = from < 0 ? PACK.length + from : from;
      int end = to <= 0 ? PACK.length : to;
      assertThat(answer.body()).isEqualTo(Arrays.copyOfRange(PACK, first, end));
    }
    if (status == 416) {
      assertThat(answer.headers().firstValue("Content-Range")).hasValue("bytes */" + PACK.length);
    }
    if (status == 304) {
      assertThat(answer.headers().firstValue("ETag")).hasValue(TAG);
    }
  }

  @Test
  void aTileGoesOutAsStoredToWhoTakesIt() throws Exception {
    byte[] stored = PmtilesWriter.gzip(TestPacks.PLAIN.getBytes(UTF_8));
    for (int again = 0; again < 2; again++) {
      HttpResponse<byte[]> tile =
          rig.get("/edge/assets/north/0/0/0.mvt", "Accept-Encoding", "br, gzip;q=0.5");
      assertThat(tile.statusCode()).isEqualTo(200);
      assertThat(tile.body()).isEqualTo(stored);
      assertThat(tile.headers().allValues("Content-Encoding")).containsExactly("gzip");
      assertThat(tile.headers().allValues("Vary")).containsExactly("Accept-Encoding");
      assertThat(tile.headers().firstValue("ETag"))
          .hasValue("\"" + new Address(Blake3.hash(stored)) + "\"");
    }
  }

  @Test
  void aTileIsDecodedForWhoDoesNot() throws Exception {
    for (String accepted : new String[] {"identity", "gzip;q=0", "br"}) {
      HttpResponse<byte[]> tile =
          rig.get("/edge/assets/north/0/0/0.pbf", "Accept-Encoding", accepted);
      assertThat(tile.body()).asString(UTF_8).isEqualTo(TestPacks.PLAIN);
      assertThat(tile.headers().allValues("Content-Encoding")).isEmpty();
      assertThat(tile.headers().allValues("Vary")).containsExactly("Accept-Encoding");
      assertThat(tile.headers().firstValue("ETag"))
          .hasValue("\"" + new Address(Blake3.hash(TestPacks.PLAIN.getBytes(UTF_8))) + "\"");
    }
  }

  @Test
  @SeedRow({"E39", "E72c"})
  void aBombIsServedAsStoredAndNeverDecoded() throws Exception {
    HttpResponse<byte[]> stored =
        rig.get("/edge/assets/north/2/3/1.mvt", "Accept-Encoding", "gzip");
    assertThat(stored.statusCode()).isEqualTo(200);
    String refused = "edge_rejects_total{reason=\"decompress_cap\"}";
    double before = rig.metric(refused);
    HttpResponse<byte[]> decoded = rig.get("/edge/assets/north/2/3/1.mvt");
    assertThat(decoded.statusCode()).isEqualTo(502);
    assertThat(decoded.body()).asString(UTF_8).contains("decompress-cap");
    assertThat(rig.metric(refused)).isEqualTo(before + 1);
  }

  @ParameterizedTest
  @CsvSource({
    "north/0/0/0.mvt, 200",
    "north/2/2/1.mvt, 204",
    "north/2/0/3.mvt, 404",
    "north/3/4/3.mvt, 404",
    "north/0/1/0.mvt, 404",
    "north/0/0/0.png, 404",
    "north/0/0/0, 404",
    "north/-1/0/0.mvt, 404",
    "north/00/0/0.mvt, 404",
    "north/99/0/0.mvt, 404",
    "north/31/99999999999/0.mvt, 404",
    "south/0/0/0.mvt, 404",
    "south.pmtiles, 404",
    "north.mbtiles, 404",
    "south.json, 404",
  })
  void whatIsThereWhatIsEmptyAndWhatIsNot(String path, int status) throws Exception {
    assertThat(rig.get("/edge/assets/" + path).statusCode()).isEqualTo(status);
  }

  @Test
  void tileJsonTellsWhereTheTilesAre() throws Exception {
    String json = rig.text("/edge/assets/north.json");
    assertThat(json)
        .contains("\"tilejson\":\"3.0.0\"", "\"name\":\"north\"", "\"minzoom\":0", "\"maxzoom\":2")
        .contains("\"/edge/assets/north/{z}/{x}/{y}.mvt\"")
        .contains("\"bounds\":[1.0,1.0,170.0,80.0]");
  }

  /** Else a cache in between would lead everybody where one client said. */
  @Test
  void noLinkLeadsWhereAClientSays() throws Exception {
    for (String path : new String[] {"/edge/assets/north.json", "/edge/map/north/style.json"}) {
      try (var client = new RawClient(rig.uri("/").getPort())) {
        String answer =
            client
                .send(RawClient.http("GET " + path + " HTTP/1.1", "Host: localhost:4711", "", ""))
                .answer();
        assertThat(answer).startsWith("HTTP/1.1 200").doesNotContain("4711");
      }
    }
  }

  @Test
  void theMapPageLetsNothingInFromElsewhere() throws Exception {
    HttpResponse<byte[]> page = rig.get("/edge/map/north");
    String policy = page.headers().firstValue("Content-Security-Policy").orElseThrow();
    assertThat(policy).contains("default-src 'none'", "script-src 'self'").doesNotContain("unsafe");
    assertThat(page.body()).asString(UTF_8).doesNotContain("http:", "https:");
    assertThat(rig.get("/edge/map/south").statusCode()).isEqualTo(404);
    for (String file : new String[] {"map.js", "map.css", "gl.js", "gl-worker.js", "gl.css"}) {
      assertThat(rig.get("/edge/page/" + file).body()).as(file).hasSizeGreaterThan(1000);
    }
    assertThat(rig.get("/edge/page/isles.json").statusCode()).isEqualTo(404);
    assertThat(rig.get("/edge/page/..%2fmap.html").statusCode()).isIn(400, 404);
  }

  @Test
  void anUnknownVectorPackGetsAStyleOfItsOwn() throws Exception {
    assertThat(rig.text("/edge/map/north/style.json?theme=dark"))
        .contains(
            "\"source-layer\":\"<b>roads</b>\"", "\"type\":\"symbol\"", "\"type\":\"vector\"");
  }

  @ParameterizedTest
  @CsvSource({
    "0-255.pbf, 200",
    "256-511.pbf, 200",
    "65280-65535.pbf, 200",
    "1-256.pbf, 404",
    "0-511.pbf, 404",
    "65536-65791.pbf, 404",
    "x.pbf, 404"
  })
  void lettersComeBy256(String range, int status) throws Exception {
    assertThat(rig.get("/edge/fonts/Open%20Sans%20Bold,Arial/" + range).statusCode())
        .isEqualTo(status);
  }
}
