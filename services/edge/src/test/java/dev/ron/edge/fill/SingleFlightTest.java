package dev.ron.edge.fill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ron.edge.EdgeFault;
import dev.ron.edge.EdgeMetrics;
import dev.ron.edge.Mount;
import dev.ron.edge.core.CacheKey;
import dev.ron.edge.core.CacheRequest;
import dev.ron.http.Headers;
import dev.ron.http.client.ClientAnswer;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.metric.Meter;
import dev.ron.kernel.metric.Payer;
import dev.ron.kernel.tenant.TenantTable;
import dev.ron.kernel.tenant.TenantTerms;
import dev.ron.kernel.time.Deadline;
import dev.ron.testkit.SeedRow;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Of several requests that miss the same asset, one fills and the others wait for it. */
@Timeout(60)
final class SingleFlightTest {
  private static final int CAPACITY = 2;
  private static final Mount MOUNT =
      new Mount(
          "/",
          URI.create("https://o.example"),
          false,
          false,
          Set.of("GET"),
          List.of(),
          List.of(),
          Optional.empty(),
          Optional.empty());

  private final Scope scope = Scope.of("edge", World.real(Log.silent()));
  private final SingleFlight flights = new SingleFlight(scope, CAPACITY, EdgeMetrics.in(scope));
  private final Map<String, Fill> fills = new HashMap<>();
  private int made;

  @Test
  void oneFillsAndTheOthersWait() throws Exception {
    play(
        """
        join a     -> fills 1
        join a     -> waits for 1
        running a  -> waits for 1
        running b  -> none
        take       -> 1
        join a     -> waits for 1
        leave 1    -> over
        running a  -> none
        join a     -> fills 2
        """);
  }

  /** Weights 1, 2 and 4, each with more misses than are filled. */
  @Test
  void fillsAreSharedByWeightAndAQuietTenantGoesNext() throws Exception {
    Scope shared =
        Scope.of("edge", World.real(Log.silent()))
            .shared(
                () ->
                    new TenantTable(
                        List.of(
                            new TenantTerms("two", 2, Map.of()),
                            new TenantTerms("four", 4, Map.of()))));
    var many = new SingleFlight(shared, 64, EdgeMetrics.in(shared));
    Map<String, Integer> served = new HashMap<>();
    for (int i = 0; i < 1400; i++) {
      for (String tenant : List.of("one", "two", "four")) {
        miss(many, tenant);
        miss(many, tenant);
      }
      Fill next = many.work().tryReceive();
      served.merge(next.tenant(), 1, Integer::sum);
      many.leave(next);
    }
    assertThat(served.get("one")).isCloseTo(200, within(20));
    assertThat(served.get("two")).isCloseTo(400, within(40));
    assertThat(served.get("four")).isCloseTo(800, within(80));
    miss(many, "quiet");
    assertThat(many.work().receiveBatch(4)).anyMatch(fill -> fill.tenant().equals("quiet"));
  }

  private void miss(SingleFlight flights, String tenant) throws Exception {
    var payer = new Payer(Meter.NONE);
    payer.is(tenant);
    payer.call(() -> flights.alone(fill("/a")));
  }

  @Test
  void anotherRangeIsAnotherFill() throws Exception {
    play(
        """
        join a     -> fills 1
        join a/0-9 -> fills 2
        join a/0-9 -> waits for 2
        """);
  }

  @Test
  @SeedRow({"E19", "E23", "E27", "E95"})
  void aFullQueueRefusesTheNextFillAndLetsTheOthersWait() throws Exception {
    play(
        """
        join a     -> fills 1
        join b     -> fills 2
        join c     -> busy
        running c  -> none
        alone a    -> busy
        join b     -> waits for 2
        take       -> 1
        join c     -> fills 5
        """);
    assertThat(scope.readiness().missing().toString()).contains("2 of 2 fills wait");
  }

  @Test
  void whatIsAskedForOneClientIsSharedWithNone() throws Exception {
    play(
        """
        join a     -> fills 1
        alone a    -> fills 2
        join a     -> waits for 1
        """);
  }

  @Test
  void aSpoiledFillIsJoinedByNoneAndNotStored() throws Exception {
    play(
        """
        join a     -> fills 1
        join a/0-9 -> fills 2
        spoil b    -> false
        spoil a    -> true
        running a  -> none
        take       -> 1
        join a     -> fills 3
        spoil b    -> false
        """);
    assertThat(fills.get("1").wanted()).isFalse();
    assertThat(fills.get("2").wanted()).isFalse();
    assertThat(fills.get("3").wanted()).isTrue();
  }

  @Test
  void aFillForOneClientAloneIsSpoiledToo() throws Exception {
    play(
        """
        alone a    -> fills 1
        spoil b    -> false
        spoil a    -> true
        leave 1    -> over
        spoil a    -> false
        alone a    -> fills 2
        alone b    -> busy
        spoil b    -> false
        """);
    assertThat(fills.get("1").wanted()).isFalse();
    assertThat(fills.get("2").wanted()).isTrue();
  }

  @Test
  @SeedRow({"E28", "E86"})
  void aClosedQueueTellsTheOnesThatWait() throws Exception {
    play(
        """
        join a     -> fills 1
        join a     -> waits for 1
        """);
    flights.work().close();
    flights.work().abandon();
    play(
        """
        running a  -> none
        join a     -> unavailable
        """);
    assertThat(fills.get("1").await(Deadline.in(Duration.ZERO, scope.time())))
        .isEqualTo(new Fill.Outcome.Failed(new EdgeFault.Unavailable("the edge is shutting down")));
  }

  /** Each line is a step and what comes of it; fills are called by the order they are made in. */
  private void play(String script) throws Exception {
    for (String line : script.lines().toList()) {
      String[] parts = line.split("->", 2);
      String[] step = parts[0].strip().split(" ", 2);
      assertThat(step(step[0], step.length == 1 ? "" : step[1]))
          .as(line)
          .isEqualTo(parts[1].strip());
    }
  }

  private String step(String verb, String object) {
    return switch (verb) {
      case "join" -> shown(flights.join(key(object), () -> fill(object)));
      case "alone" -> shown(flights.alone(fill(object)));
      case "running" -> flights.running(key(object)).map(this::shown).orElse("none");
      case "take" -> number(flights.work().tryReceive());
      case "spoil" -> Boolean.toString(flights.spoil(List.of(key(object).key())));
      case "leave" -> {
        flights.leave(fills.get(object));
        yield "over";
      }
      default -> throw new IllegalArgumentException(verb);
    };
  }

  private String shown(SingleFlight.Place place) {
    return switch (place) {
      case SingleFlight.Place.Waiting(Fill fill, boolean first) ->
          (first ? "fills " : "waits for ") + number(fill);
      case SingleFlight.Place.Refused(EdgeFault fault) -> fault.code();
    };
  }

  private String number(Fill fill) {
    return fills.entrySet().stream()
        .filter(entry -> entry.getValue() == fill)
        .findFirst()
        .orElseThrow()
        .getKey();
  }

  private static SingleFlight.Key key(String object) {
    String[] parts = object.split("/", 2);
    return new SingleFlight.Key(
        new CacheKey("https://o.example", "/" + parts[0]), parts.length == 1 ? "" : parts[1]);
  }

  private Fill fill(String object) {
    var request = CacheRequest.of("GET", key(object).key(), new Headers());
    var fill =
        new Fill(
            scope.time(), request, MOUNT, new Fill.Ask.Plain(), ClientAnswer.InterimListener.NONE);
    fills.put(Integer.toString(++made), fill);
    return fill;
  }
}
