package dev.ron.gateway.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.testkit.SeedRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The small decisions of the core, one table each. */
final class DecisionsTest {
  private static final GatewayRouteTable<String> ROUTES =
      new GatewayRouteTable<>(
          List.of(
              rule("", "/", "all"),
              rule("", "/api", "api"),
              rule("", "/api/v2", "v2", "GET"),
              rule("", "/api/v2", "v2-put", "PUT"),
              rule("a.example", "/", "host-a"),
              rule("a.example", "/api", "host-a-api"),
              rule("*.example", "/", "below")));

  private static GatewayRouteTable.Rule<String> rule(
      String host, String prefix, String target, String... methods) {
    return new GatewayRouteTable.Rule<>(host, prefix, Set.of(methods), target);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # host       | method | path          | answer
          x            | GET    | /             | all
          x            | GET    | /other        | all
          x            | GET    | /api          | api
          x            | GET    | /api/         | api
          x            | GET    | /api/x        | api
          x            | GET    | /apix         | all
          x            | GET    | /api/v2       | v2
          x            | GET    | /api/v2/x     | v2
          x            | PUT    | /api/v2/x     | v2-put
          x            | POST   | /api/v2/x     | only GET, PUT
          a.example    | GET    | /api/v2       | host-a-api
          A.Example    | GET    | /x            | host-a
          b.example    | GET    | /api          | below
          c.b.example  | GET    | /             | below
          example      | GET    | /api          | api
          badexample   | GET    | /             | all
          """)
  void theRouteOfARequest(String host, String method, String path, String answer) {
    assertThat(found(ROUTES.find(host, path, method))).isEqualTo(answer);
  }

  private static String found(GatewayRouteTable.Match<String> match) {
    return switch (match) {
      case GatewayRouteTable.Match.Found<String>(String target) -> target;
      case GatewayRouteTable.Match.WrongMethod<String>(String allowed) -> "only " + allowed;
      case GatewayRouteTable.Match.Nothing<String>() -> "nothing";
    };
  }

  @Test
  void aTableWithoutTheWholeLeavesTheRestUnrouted() {
    var table = new GatewayRouteTable<>(List.of(rule("", "/api", "api")));
    assertThat(found(table.find("x", "/", "GET"))).isEqualTo("nothing");
  }

  @Test
  void twoRoutesForTheSameAreRefused() {
    assertThatThrownBy(
            () ->
                new GatewayRouteTable<>(
                    List.of(rule("", "/a", "1", "GET"), rule("", "/a", "2", "GET"))))
        .hasMessageContaining("two routes for host = \"\", prefix = \"/a\"");
    assertThatThrownBy(() -> rule("", "/a/", "x")).hasMessageContaining("prefix");
    assertThatThrownBy(() -> rule("a:80", "/", "x")).hasMessageContaining("host");
  }

  @ParameterizedTest
  @CsvSource({"1,0,1", "1,65535,1", "1,65536,2", "5,-1,6", "1,1048576,17", "1,1099511627776,101"})
  void costGrowsWithTheBodyUpToABound(int route, long bytes, int cost) {
    assertThat(RequestCost.of(route, bytes)).isEqualTo(cost);
  }

  @Test
  void ofTwoTheLessLoadedIsChosen() {
    var random = new SplittableRandom(1);
    int[] loads = {9, 1, 5};
    var chosen = new int[3];
    for (int i = 0; i < 3000; i++) {
      chosen[Balancer.pick(new Table(loads, new boolean[] {true, true, true}), random)]++;
    }
    // Of three pairs the most loaded wins none, the least loaded the two it is in.
    assertThat(chosen[0]).isZero();
    assertThat(chosen[1]).isBetween(1850, 2150);
    assertThat(Balancer.pick(new Table(loads, new boolean[] {true, false, false}), random))
        .isZero();
    assertThat(Balancer.pick(new Table(loads, new boolean[3]), random)).isEqualTo(Balancer.NONE);
    assertThat(Balancer.pick(new Table(new int[1], new boolean[1]), random))
        .isEqualTo(Balancer.NONE);
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Table(int[] loads, boolean[] well) implements Balancer.Loads {
    @Override
    public int count() {
      return loads.length;
    }

    @Override
    public boolean usable(int index) {
      return well[index];
    }

    @Override
    public int load(int index) {
      return loads[index];
    }
  }

  @Test
  void theLimitFallsOnceForWhatWasSentTogetherAndClimbsBack() {
    Instant start = Instant.EPOCH;
    UpstreamLimit limit = UpstreamLimit.of(16).failed(false, start, start.plusSeconds(1));
    assertThat(limit.limit()).isEqualTo(8);
    assertThat(limit.failed(false, start, start.plusSeconds(2)).limit())
        .as("sent before")
        .isEqualTo(8);
    UpstreamLimit again = limit.failed(false, start.plusSeconds(1), start.plusSeconds(2));
    assertThat(again.limit()).isEqualTo(4);
    int served = 0;
    while (again.limit() < 16) {
      again = again.served();
      served++;
    }
    assertThat(served).as("a quarter more a round").isEqualTo(4 + 5 + 6 + 7 + 8 + 10 + 12 + 15);
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "3, 3", "16, 4", "64, 4", "128, 8", "4096, 256"})
  void theLimitHasAFloor(int max, int floor) {
    UpstreamLimit failed = UpstreamLimit.of(max);
    UpstreamLimit refused = failed;
    for (int i = 0; i < 100; i++) {
      failed = failed.failed(false, Instant.MAX, Instant.MAX);
      refused = refused.refused(false, Instant.MAX, Instant.MAX);
    }
    assertThat(failed.limit()).isEqualTo(floor);
    assertThat(refused.limit()).isEqualTo(floor);
  }

  @Test
  void anUpstreamThatSaysItIsBusyLosesLess() {
    UpstreamLimit limit = UpstreamLimit.of(64).refused(false, Instant.EPOCH, Instant.EPOCH);
    assertThat(limit.limit()).isEqualTo(56);
  }

  @ParameterizedTest
  @CsvSource({
    "false, 409, 512, false",
    "false, 410, 512, true",
    "true, 256, 512, true",
    "true, 255, 512, false"
  })
  void sheddingBeginsAtFourFifthsAndEndsBelowHalf(boolean on, int inside, int room, boolean next) {
    assertThat(new SheddingState(on).look(inside, room).on()).isEqualTo(next);
  }

  @ParameterizedTest
  @CsvSource({
    // write, own, tenants, refused; of a room of 512
    "false, 500, 1, false",
    "true, 500, 1, true",
    "true, 129, 2, true",
    "true, 128, 2, false",
    "true, 1, 2, false"
  })
  void onlyWritesOfThoseWhoTakeTheRoomAreShed(
      boolean write, int own, int tenants, boolean refused) {
    assertThat(new SheddingState(true).refuses(write, own, tenants, 512)).isEqualTo(refused);
    assertThat(SheddingState.OFF.refuses(write, own, tenants, 512)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "2, 1, true, 5000, true",
    "2, 2, true, 5000, true",
    "2, 3, true, 5000, false",
    "0, 1, true, 5000, false",
    "2, 1, false, 5000, false",
    "2, 1, true, 40, false"
  })
  @SeedRow({"G42", "G60"})
  void aRequestIsTriedAgainOnlyIfThatIsHarmlessAndInTime(
      int retries, int tries, boolean repeatable, long leftMillis, boolean again) {
    var random = new SplittableRandom(3);
    var pause =
        new RetryRule(retries).pause(tries, repeatable, Duration.ofMillis(leftMillis), random);
    assertThat(pause.isPresent()).isEqualTo(again);
    pause.ifPresent(
        rest -> assertThat(rest).isBetween(Duration.ofMillis(50), Duration.ofMillis(200)));
  }

  @Test
  void quantaAreChecked() {
    assertThatThrownBy(() -> new Quanta(0, Map.of())).hasMessageContaining("default_quantum = 0");
    assertThatThrownBy(() -> new Quanta(1, Map.of("a", 1001)))
        .hasMessageContaining("tenant_quanta.a = 1001");
  }
}
