package dev.ron.gateway.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ron.kernel.tenant.TenantTable;
import dev.ron.kernel.tenant.TenantTerms;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A backend with four places in simulated time, and clients that ask again when they are answered:
 * the promises of fairness as exact figures that no busy machine can blur.
 */
final class FairnessSimulationTest {
  private static final int PLACES = 4;
  private static final int WORK_MICROS = 10_000;
  private static final int SECONDS = 60;

  @ParameterizedTest
  @ValueSource(ints = {32, 128, 1000})
  void aQuietTenantWaitsAtMostTwiceAsLongAsAlone(int loudClients) {
    double alone = quietP99(0, true);
    double fair = quietP99(loudClients, true);
    double unfair = quietP99(loudClients, false);
    assertThat(fair).as("fair, in us; alone %s", alone).isLessThan(2 * alone);
    assertThat(unfair).as("first come, first served").isGreaterThan(5 * alone);
  }

  private static double quietP99(int loudClients, boolean fair) {
    var world = new Backend(new Quanta(1, Map.of()), fair, 7);
    world.clients("loud", loudClients, 0);
    world.clients("quiet", 1, 5_000);
    world.run();
    List<Integer> taken = world.latencies.get("quiet");
    Collections.sort(taken);
    assertThat(taken).hasSizeGreaterThan(10);
    return taken.get(taken.size() * 99 / 100);
  }

  @Test
  void equalTenantsGetEqualSharesWhateverTheirNumberOfClients() {
    var world = new Backend(new Quanta(1, Map.of()), true, 11);
    for (int i = 0; i < 10; i++) {
      world.clients("t" + i, 5 + i * 10, 0);
    }
    world.run();
    assertThat(jain(world.counts())).isGreaterThan(0.99);
  }

  @Test
  void unequalQuantaShareInTheirProportion() {
    var world = new Backend(new Quanta(1, Map.of("acme", 3)), true, 13);
    world.clients("acme", 20, 0);
    world.clients("zeta", 60, 0);
    world.run();
    Map<String, Integer> counts = world.counts();
    assertThat((double) counts.get("acme") / counts.get("zeta")).isCloseTo(3, within(0.15));
  }

  /** The fewer clients the more weight: it is the table that decides, not who asks more. */
  @Test
  void weightsOfTheTableAreSharesWithinATenth() {
    var table =
        new TenantTable(
            List.of(new TenantTerms("two", 2, Map.of()), new TenantTerms("four", 4, Map.of())));
    var world = new Backend(new Quanta(1, Map.of(), table), true, 19);
    world.clients("one", 90, 0);
    world.clients("two", 60, 0);
    world.clients("four", 30, 0);
    world.run();
    Map<String, Integer> counts = world.counts();
    double one = counts.values().stream().mapToInt(Integer::intValue).sum() / 7.0;
    assertThat((double) counts.get("one")).isCloseTo(one, within(one / 10));
    assertThat((double) counts.get("two")).isCloseTo(2 * one, within(one / 5));
    assertThat((double) counts.get("four")).isCloseTo(4 * one, within(one * 4 / 10));
  }

  @Test
  void oneAloneGetsTheWholeBackend() {
    var world = new Backend(new Quanta(1, Map.of()), true, 17);
    world.clients("only", 50, 0);
    world.run();
    double most = (double) PLACES * SECONDS * 1_000_000 / WORK_MICROS;
    assertThat((double) world.counts().get("only")).isCloseTo(most, within(most * 0.02));
  }

  private static double jain(Map<String, Integer> counts) {
    double sum = 0;
    double squares = 0;
    for (int count : counts.values()) {
      sum += count;
      squares += (double) count * count;
    }
    return sum * sum / (counts.size() * squares);
  }

  /** Places, a line, and clients; a minute of it. */
  private static final class Backend {
    private final DeficitRoundRobin<Client> line;
    private final boolean fair;
    private final SplittableRandom random;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final Map<String, List<Integer>> latencies = new HashMap<>();
    private int free = PLACES;
    private long now;
    private long sequence;

    private static final class Client {
      private final String tenant;
      private final int thinkMicros;
      private long askedAt;

      Client(String tenant, int thinkMicros) {
        this.tenant = tenant;
        this.thinkMicros = thinkMicros;
      }
    }

    private record Event(long at, long order, boolean asks, Client client)
        implements Comparable<Event> {
      @Override
      public int compareTo(Event other) {
        return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
      }
    }

    Backend(Quanta quanta, boolean fair, long seed) {
      this.line = new DeficitRoundRobin<>(quanta);
      this.fair = fair;
      this.random = new SplittableRandom(seed);
    }

    void clients(String tenant, int count, int thinkMicros) {
      latencies.put(tenant, new ArrayList<>());
      for (int i = 0; i < count; i++) {
        at(random.nextInt(1000), true, new Client(tenant, thinkMicros));
      }
    }

    void run() {
      while (now < SECONDS * 1_000_000L) {
        Event event = events.remove();
        now = event.at;
        if (event.asks) {
          event.client.askedAt = now;
          line.add(fair ? event.client.tenant : "", 1, event.client);
        } else {
          free++;
          long took = now - event.client.askedAt;
          latencies.get(event.client.tenant).add((int) took);
          at(now + event.client.thinkMicros, true, event.client);
        }
        while (free > 0 && line.waiting() > 0) {
          Client next = line.next(_ -> true);
          free--;
          int work = WORK_MICROS * 4 / 5 + random.nextInt(WORK_MICROS * 2 / 5);
          at(now + work, false, next);
        }
      }
    }

    Map<String, Integer> counts() {
      var counts = new HashMap<String, Integer>();
      latencies.forEach((tenant, taken) -> counts.put(tenant, taken.size()));
      return counts;
    }

    private void at(long when, boolean asks, Client client) {
      events.add(new Event(when, sequence++, asks, client));
    }
  }
}
