package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whom a cookie names, the cache never tells to another. */
final class CookieTest {
  private static final String GUESSED = "Last-Modified: Mon, 01 Jan 2024 11:00:00 GMT";
  private static final List<String> SENT = List.of("request_fields = [\"Cookie\"]");

  @TempDir private Path folder;

  private static FakeOrigin account(String fields) throws Exception {
    return new FakeOrigin(
        (_, head, out) ->
            out.write(
                FakeOrigin.bytes(200, fields, head.contains("ALICE") ? "of ALICE" : "of nobody")));
  }

  @Test
  void aCookieGoesNowhereUnlessTheMountSaysSo() throws Exception {
    try (var origin = account(GUESSED);
        Rig rig = Rig.before(folder, origin.url())) {
      assertThat(rig.get("/a", "Cookie", "session=ALICE").body()).isEqualTo("of nobody");
      rig.awaitIdle();
      assertThat(rig.get("/a", "Cookie", "session=BOB").headers().firstValue("Cache-Status"))
          .hasValueSatisfying(status -> assertThat(status).contains("hit"));
      assertThat(origin.requests()).isEqualTo(1);
    }
  }

  @Test
  void whereItGoesItsAnswerIsForThatClientAlone() throws Exception {
    try (var origin = account(GUESSED);
        Rig rig = Rig.before(folder, origin.url(), SENT)) {
      assertThat(rig.get("/a", "Cookie", "session=ALICE").body()).isEqualTo("of ALICE");
      rig.awaitIdle();
      assertThat(rig.get("/a").body()).isEqualTo("of nobody");
      rig.awaitIdle();
      assertThat(rig.get("/a", "Cookie", "session=ALICE").body())
          .as("what is stored is not hers")
          .isEqualTo("of ALICE");
      assertThat(rig.get("/a").body()).isEqualTo("of nobody");
      assertThat(origin.requests()).isEqualTo(3);
    }
  }

  @Test
  void anAnswerThatSetsOneIsKeptOnlyWhenToldToAndNeverWithIt() throws Exception {
    try (var origin =
            new FakeOrigin(
                (_, head, out) ->
                    out.write(
                        FakeOrigin.bytes(
                            200,
                            (head.startsWith("GET /public")
                                    ? "Cache-Control: public, max-age=60"
                                    : "Cache-Control: max-age=60|" + GUESSED)
                                + "|Set-Cookie: session=secret",
                            "x")));
        Rig rig = Rig.before(folder, origin.url())) {
      for (String path : List.of("/guessed", "/public")) {
        assertThat(rig.get(path).headers().firstValue("Set-Cookie")).contains("session=secret");
        rig.awaitIdle();
      }
      assertThat(rig.get("/public").headers().firstValue("Set-Cookie")).isEmpty();
      assertThat(origin.requests()).as("public is kept").isEqualTo(2);
      rig.get("/guessed");
      assertThat(origin.requests()).as("the other is not").isEqualTo(3);
    }
  }

  /** Who waits for another's fill gets the head as it is kept, not as it came. */
  @Test
  void whoJoinsAFillGetsNothingThatWasForTheFirst() throws Exception {
    var asked = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    try (var origin =
            new FakeOrigin(
                (_, _, out) -> {
                  asked.countDown();
                  release.await(60, TimeUnit.SECONDS);
                  out.write(
                      FakeOrigin.bytes(
                          200,
                          "Cache-Control: public, max-age=60, private=\"X-Own\"|Set-Cookie: s=1"
                              + "|X-Own: first",
                          "x"));
                });
        Rig rig = Rig.before(folder, origin.url())) {
      var first = new AtomicReference<List<String>>();
      Thread one = Thread.ofVirtual().start(() -> first.set(names(rig)));
      assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();
      var second = new AtomicReference<List<String>>();
      Thread two = Thread.ofVirtual().start(() -> second.set(names(rig)));
      awaitMisses(rig, 2);
      release.countDown();
      one.join(60_000);
      two.join(60_000);
      assertThat(first.get()).contains("set-cookie", "x-own");
      assertThat(second.get()).contains("cache-status").doesNotContain("set-cookie", "x-own");
      assertThat(origin.requests()).isEqualTo(1);
    }
  }

  private static void awaitMisses(Rig rig, int count) throws InterruptedException {
    var until = rig.scope.time().now().plusSeconds(60);
    while (rig.metric("edge_cache_misses_total") < count) {
      assertThat(rig.scope.time().now()).isBefore(until);
      rig.scope.time().sleepUntil(rig.scope.time().now().plusMillis(5));
    }
  }

  private static List<String> names(Rig rig) {
    try {
      return List.copyOf(rig.get("/a").headers().map().keySet());
    } catch (Exception failed) {
      throw new AssertionError("no answer", failed);
    }
  }
}
