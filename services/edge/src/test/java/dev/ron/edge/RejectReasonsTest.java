package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.testkit.SeedRow;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every reason of the specification is counted once for each answer that gives it. */
final class RejectReasonsTest {
  private static final FakeOrigin.Script KEPT =
      (_, _, out) -> out.write(FakeOrigin.bytes(200, "Cache-Control: max-age=60", "0123456789"));

  @TempDir private Path folder;

  /** Makes a refusal. */
  interface Act {
    int status(Rig rig) throws Exception;
  }

  record Row(String reason, int status, FakeOrigin.Script origin, String settings, Act act) {
    @Override
    public String toString() {
      return reason + " " + status;
    }
  }

  static Stream<Row> rows() {
    return Stream.of(
        new Row("amnesia", 503, KEPT, "amnesia=true fill.under_amnesia=refuse", get()),
        new Row("not_allowed", 405, KEPT, "", rig -> rig.send("PATCH", "/a").statusCode()),
        new Row("timeout", 504, (_, _, _) -> silence(), "fill.timeout=50ms fill.tries=1", get()),
        new Row(
            "timeout",
            504,
            (_, _, _) -> silence(),
            "fill.timeout=50ms",
            rig -> put(rig, "a body that the upstream never answers")),
        new Row("body_cap", 413, KEPT, "", rig -> put(rig, "x".repeat(2000))),
        new Row("invalid_range", 416, KEPT, "", storedRange()),
        new Row(
            "etag_invalid",
            502,
            (_, _, out) -> out.write(FakeOrigin.bytes(304, "", "")),
            "",
            get()));
  }

  private static Act get() {
    return rig -> rig.get("/a").statusCode();
  }

  private static Act storedRange() {
    return rig -> {
      assertThat(rig.get("/a").statusCode()).isEqualTo(200);
      rig.awaitIdle();
      return rig.get("/a", "Range", "bytes=99-").statusCode();
    };
  }

  private static int put(Rig rig, String body) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(rig.uri("/a")).PUT(BodyPublishers.ofString(body)).build();
      return client.send(request, BodyHandlers.discarding()).statusCode();
    }
  }

  private static void silence() throws InterruptedException {
    new CountDownLatch(1).await(60, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @MethodSource("rows")
  @SeedRow({"E05", "E72a", "E72b", "E72d", "E72e", "E72h"})
  void isCountedOnceAndIsNoHit(Row row) throws Exception {
    String[] settings = (row.settings() + " ingress.body_bytes=1000B").strip().split(" ");
    try (var origin = new FakeOrigin(row.origin());
        Rig rig = Rig.before(folder, origin.url(), settings)) {
      assertThat(row.act().status(rig)).isEqualTo(row.status());
      assertThat(rig.metric("edge_rejects_total{reason=\"%s\"}".formatted(row.reason())))
          .isEqualTo(1);
      assertThat(rig.metric("edge_cache_hits_total")).isZero();
    }
  }

  @Test
  @SeedRow("E72g")
  void aPacksRefusalsAreCountedAndAreNoHits() throws Exception {
    Path packs = Files.createDirectory(folder.resolve("packs"));
    Files.write(packs.resolve("north.pmtiles"), TestPacks.gzipped("north"));
    try (Rig rig = Rig.open(folder.resolve("data"), "packs=[\"" + packs + "\"]")) {
      var until = rig.scope.time().now().plusSeconds(60);
      while (rig.get("/edge/assets/north.pmtiles").statusCode() != 200) {
        assertThat(rig.scope.time().now()).isBefore(until);
      }
      double hits = rig.metric("edge_cache_hits_total");
      String pack = "/edge/assets/north.pmtiles";
      assertThat(rig.get(pack, "Range", "bytes=999999999-").statusCode()).isEqualTo(416);
      assertThat(rig.get(pack, "Range", "bytes=0-1,5-6").statusCode()).isEqualTo(416);
      assertThat(rig.get(pack, "If-Match", "\"other\"").statusCode()).isEqualTo(412);
      assertThat(rig.metric("edge_rejects_total{reason=\"invalid_range\"}")).isEqualTo(2);
      assertThat(rig.metric("edge_rejects_total{reason=\"precondition_failed\"}")).isEqualTo(1);
      assertThat(rig.metric("edge_cache_hits_total")).isEqualTo(hits);
    }
  }

  /** A queue that is full is said by readiness until half of it is free. */
  @Test
  @SeedRow("E64")
  void aFullQueueIsNotReady() throws Exception {
    var release = new CountDownLatch(1);
    try (var origin =
            new FakeOrigin(
                (number, head, out) -> {
                  release.await(60, TimeUnit.SECONDS);
                  KEPT.answer(number, head, out);
                });
        Rig rig = Rig.before(folder, origin.url(), "fill.workers=1", "fill.queue=8")) {
      int status = 202;
      for (int i = 0; i < 20 && status == 202; i++) {
        status = rig.get("/" + i, "Prefer", "respond-async").statusCode();
      }
      assertThat(status).isEqualTo(429);
      assertThat(rig.metric("queue_depth{queue=\"work\"}")).isEqualTo(8);
      assertThat(rig.get("/readyz").statusCode()).isEqualTo(503);
      assertThat(rig.get("/readyz").body()).contains("work", "misses are refused");
      release.countDown();
      rig.awaitIdle();
      assertThat(rig.get("/readyz").statusCode()).isEqualTo(200);
    }
  }
}
