package dev.ron.gateway.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.config.Settings;
import dev.ron.gateway.GatewayConfig;
import dev.ron.gateway.GatewayMetrics;
import dev.ron.gateway.core.RequestKind;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Threads;
import dev.ron.kernel.time.VirtualTime;
import dev.ron.testkit.SeedRow;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What failures of requests do to an upstream, and what they cannot do. */
final class UpstreamTest {
  private static final RequestKind BAD = new RequestKind("anonymous", "bad");
  private static final RequestKind WORSE = new RequestKind("anonymous", "worse");
  private static final RequestKind ALSO_BAD = new RequestKind("other", "bad");
  private static final RequestKind GOOD = new RequestKind("acme", "good");

  private final VirtualTime time = new VirtualTime();
  private final Scope scope =
      Scope.of(
          "gateway",
          World.seeded(
              time, new SplittableRandom(1), new RealDisk(), Threads.virtual(), Log.silent()));

  private UpstreamPool pool(String... upstreams) {
    String list = "\"" + String.join("\",\"", upstreams) + "\"";
    Settings settings =
        Settings.load(
            Map.of("gateway.routes", "[{prefix=\"/\",upstreams=[" + list + "]}]"),
            Map.of(),
            Optional.empty());
    GatewayConfig config = settings.read("gateway", GatewayConfig::read).value();
    return new CurrentRouting(scope, GatewayMetrics.in(scope), config, true)
        .now()
        .pools()
        .getFirst();
  }

  private void fail(Upstream upstream, RequestKind kind) {
    upstream.began();
    upstream.failed(kind, time.now());
  }

  private void serve(Upstream upstream, RequestKind kind) {
    upstream.began();
    upstream.served(kind);
  }

  private static boolean chosen(UpstreamPool pool, Upstream upstream) {
    var random = new SplittableRandom(7);
    for (int i = 0; i < 50; i++) {
      if (pool.choose(random, Set.of(), false) instanceof UpstreamPool.Choice.Chosen(Upstream one)
          && one == upstream) {
        return true;
      }
    }
    return false;
  }

  @Test
  void oneKindOfRequestCannotCloseAnUpstreamNorShrinkItForOthers() {
    UpstreamPool pool = pool("http://127.0.0.1:1");
    Upstream only = pool.upstreams().getFirst();
    serve(only, GOOD);
    for (int i = 0; i < 1000; i++) {
      time.advance(Duration.ofMillis(100));
      fail(only, BAD);
      if (i % 50 == 0) {
        serve(only, GOOD);
      }
    }
    assertThat(only.usable()).isTrue();
    assertThat(only.limit()).isEqualTo(128);
  }

  @Test
  void oneWitnessCannotShrinkAnUpstreamForOthersHoweverManyWaysItKnows() {
    Upstream only = pool("http://127.0.0.1:1").upstreams().getFirst();
    for (int i = 0; i < 1000; i++) {
      time.advance(Duration.ofMillis(100));
      fail(only, new RequestKind("anonymous", "bad" + i % 7));
      if (i % 50 == 0) {
        serve(only, GOOD);
      }
    }
    assertThat(only.limit()).isEqualTo(128);
    assertThat(only.usable()).isTrue();
  }

  @Test
  void oneWitnessAloneLeavesHalfOfIt() {
    Upstream only = pool("http://127.0.0.1:1").upstreams().getFirst();
    for (int i = 0; i < 200; i++) {
      time.advance(Duration.ofMillis(1));
      fail(only, i % 2 == 0 ? BAD : WORSE);
      only.began();
      only.refused(BAD, time.now());
    }
    assertThat(only.limit()).isEqualTo(64);
  }

  @Test
  void severalWitnessesLowerTheLimitButNeverCloseTheLastUpstream() {
    UpstreamPool pool = pool("http://127.0.0.1:1");
    Upstream only = pool.upstreams().getFirst();
    for (int i = 0; i < 200; i++) {
      time.advance(Duration.ofMillis(1));
      fail(only, i % 2 == 0 ? BAD : ALSO_BAD);
      assertThat(chosen(pool, only)).isTrue();
    }
    assertThat(only.limit()).as("a sixteenth stays").isEqualTo(8);
    assertThat(pool.down()).isFalse();
  }

  @Test
  void severalWitnessesPutOneAsideWhileAnotherIsLeft() {
    UpstreamPool pool = pool("http://127.0.0.1:1", "http://127.0.0.1:2");
    Upstream ill = pool.upstreams().getFirst();
    fail(ill, BAD);
    fail(ill, BAD);
    fail(ill, BAD);
    assertThat(chosen(pool, ill)).as("one kind").isTrue();
    serve(ill, GOOD);
    fail(ill, BAD);
    fail(ill, WORSE);
    fail(ill, WORSE);
    assertThat(chosen(pool, ill)).as("one witness").isTrue();
    fail(ill, ALSO_BAD);
    assertThat(chosen(pool, ill)).as("several").isFalse();
    time.advance(Duration.ofSeconds(2));
    assertThat(chosen(pool, ill)).as("later").isTrue();
  }

  @Test
  void threeRequestsWithoutAConnectionLeaveItAlone() {
    UpstreamPool pool = pool("http://127.0.0.1:1");
    Upstream only = pool.upstreams().getFirst();
    for (int i = 0; i < 3; i++) {
      assertThat(chosen(pool, only)).isTrue();
      only.began();
      only.unreached(BAD, time.now());
    }
    assertThat(pool.down()).isTrue();
    assertThat(chosen(pool, only)).isFalse();
  }

  @Test
  @SeedRow("G43")
  void whatFailsIsAskedAndTwoProbesThatFailTakeItOut() {
    Upstream only = pool("http://127.0.0.1:1").upstreams().getFirst();
    assertThat(only.suspect()).isFalse();
    for (int i = 0; i < 3; i++) {
      fail(only, BAD);
    }
    assertThat(only.suspect()).isTrue();
    only.probed(false);
    assertThat(only.reachable()).isTrue();
    only.probed(false);
    assertThat(only.reachable()).isFalse();
    only.probed(true);
    assertThat(only.reachable()).isTrue();
    assertThat(only.suspect()).isFalse();
  }

  @Test
  void anUpstreamThatSaysItIsBusyIsAskedLess() {
    Upstream only = pool("http://127.0.0.1:1").upstreams().getFirst();
    for (int i = 0; i < 3; i++) {
      only.began();
      only.refused(BAD, time.now());
    }
    assertThat(only.limit()).isEqualTo(112);
    assertThat(only.usable()).isTrue();
    assertThat(only.busy()).isZero();
  }
}
