package dev.ron.gateway.route;

import dev.ron.gateway.GatewayRoute;
import dev.ron.gateway.admit.AdmissionTicket;
import dev.ron.gateway.admit.Slots;
import dev.ron.gateway.admit.TenantPlaces;
import dev.ron.gateway.core.Balancer;
import dev.ron.gateway.core.DeficitRoundRobin;
import dev.ron.gateway.core.FewPlaces;
import dev.ron.gateway.core.Quanta;
import dev.ron.http.client.Origin;
import dev.ron.kernel.time.Time;
import io.prometheus.metrics.core.datapoints.DistributionDataPoint;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * The upstreams of one route, the places toward them, and the line before them.
 *
 * <p>Threading: {@code slots} and the upstreams are thread-safe; {@code line} is owned by the
 * scheduler.
 */
public final class UpstreamPool {
  private final String name;
  private final String service;
  private final Time time;
  private final List<Upstream> upstreams;
  private final Slots slots;
  private final TenantPlaces holdings = new TenantPlaces();
  private final DistributionDataPoint latency;
  private final DeficitRoundRobin<AdmissionTicket> line =
      new DeficitRoundRobin<>(new Quanta(1, Map.of()));
  private final Balancer.Loads usable;
  private final Balancer.Loads reachable;
  private volatile List<Upstream> elsewhere = List.of();
  private volatile int maxConcurrent;
  private volatile String health;

  /** What a search for an upstream found. */
  public sealed interface Choice {
    record Chosen(Upstream upstream) implements Choice {}

    /** All are left alone for now. */
    record AllResting(Duration rest) implements Choice {}
  }

  UpstreamPool(GatewayRoute route, Time time, DistributionDataPoint latency) {
    this.name = route.name();
    this.service = route.service();
    this.time = time;
    this.maxConcurrent = route.maxConcurrent();
    this.health = route.health();
    this.upstreams =
        route.origins().stream()
            .map(origin -> new Upstream(origin, false, time, route.maxConcurrent()))
            .toList();
    this.slots = new Slots(route.maxConcurrent());
    this.latency = latency;
    this.usable = new Loads(upstreams, Upstream::usable);
    this.reachable = new Loads(upstreams, Upstream::reachable);
  }

  public String name() {
    return name;
  }

  public Slots slots() {
    return slots;
  }

  public TenantPlaces holdings() {
    return holdings;
  }

  /** Whose turn may come now; all are one holder where tenants have no lines of their own. */
  public Predicate<String> open() {
    if (!slots.few()) {
      return _ -> true;
    }
    FewPlaces few = FewPlaces.of(slots.limit(), holdings.all());
    return line -> line.isEmpty() ? slots.taken() < slots.limit() : few.openTo(holdings.of(line));
  }

  public DeficitRoundRobin<AdmissionTicket> line() {
    return line;
  }

  public List<Upstream> upstreams() {
    return upstreams;
  }

  /** Its own, and behind them those of other machines. */
  List<Upstream> all() {
    return Stream.concat(upstreams.stream(), elsewhere.stream()).toList();
  }

  String health() {
    return health;
  }

  /** The Ron service behind it, or empty. */
  String service() {
    return service;
  }

  /** Those of other machines, asked while none of its own is ready. */
  public List<Upstream> elsewhere() {
    return elsewhere;
  }

  /**
   * Other machines with the same service; one that stays keeps what is known of it.
   *
   * <p>Called by the prober alone.
   */
  void elsewhere(List<Origin> origins) {
    List<Upstream> before = elsewhere;
    if (!before.stream().map(Upstream::origin).toList().equals(origins)) {
      elsewhere = origins.stream().map(origin -> kept(before, origin)).toList();
      adapt();
    }
  }

  private Upstream kept(List<Upstream> before, Origin origin) {
    return before.stream()
        .filter(each -> each.origin().equals(origin))
        .findFirst()
        .orElseGet(() -> new Upstream(origin, true, time, maxConcurrent));
  }

  /**
   * No upstream is behind it.
   *
   * @param fromMachine whether another machine asks, which is not sent on to a third
   */
  public boolean absent(boolean fromMachine) {
    return upstreams.isEmpty() && (fromMachine || elsewhere.isEmpty());
  }

  /** The same servers under a changed route. */
  void follow(GatewayRoute route) {
    maxConcurrent = route.maxConcurrent();
    health = route.health();
    upstreams.forEach(upstream -> upstream.within(route.maxConcurrent()));
    elsewhere.forEach(upstream -> upstream.within(route.maxConcurrent()));
    adapt();
  }

  /**
   * An upstream of its own that is ready, or one of another machine; if there is none, its own by
   * what else is known of them: a service that is ready nowhere says itself what it lacks.
   *
   * @param failed those that failed this request already; asked again only if no other is well
   * @param fromMachine whether another machine asks, which is not sent on to a third
   */
  public Choice choose(RandomGenerator random, Set<Upstream> failed, boolean fromMachine) {
    List<Upstream> others = elsewhere;
    if (fromMachine || others.isEmpty()) {
      return chooseOwn(random, failed);
    }
    Optional<Upstream> best =
        best(upstreams, random, one -> one.wanting() && !failed.contains(one))
            .or(() -> best(others, random, one -> one.usable() && !failed.contains(one)));
    if (best.isEmpty() && upstreams.isEmpty()) {
      best = best(others, random, Upstream::reachable);
    }
    return best.<Choice>map(Choice.Chosen::new)
        .orElseGet(
            () ->
                upstreams.isEmpty()
                    ? rested(others) // the service runs on other machines alone
                    : chooseOwn(random, failed));
  }

  private static Optional<Upstream> best(
      List<Upstream> all, RandomGenerator random, Predicate<Upstream> chosen) {
    int picked = all.isEmpty() ? Balancer.NONE : Balancer.pick(new Loads(all, chosen), random);
    return picked == Balancer.NONE ? Optional.empty() : Optional.of(all.get(picked));
  }

  /**
   * An upstream that is well; if there is none, one that can be reached; if there is none, one that
   * has rested long enough to be tried.
   *
   * @param failed those that failed this request already; asked again only if no other is well
   */
  private Choice chooseOwn(RandomGenerator random, Set<Upstream> failed) {
    int picked =
        failed.isEmpty()
            ? Balancer.NONE
            : Balancer.pick(
                new Loads(upstreams, one -> one.usable() && !failed.contains(one)), random);
    picked = picked == Balancer.NONE ? Balancer.pick(usable, random) : picked;
    picked = picked == Balancer.NONE ? Balancer.pick(reachable, random) : picked;
    if (picked != Balancer.NONE) {
      return new Choice.Chosen(upstreams.get(picked));
    }
    return rested(upstreams);
  }

  private static Choice rested(List<Upstream> all) {
    Duration shortest = Duration.ofSeconds(1);
    for (Upstream upstream : all) {
      var rest = upstream.rest();
      if (rest.isEmpty()) {
        return new Choice.Chosen(upstream);
      }
      shortest = rest.get().compareTo(shortest) < 0 ? rest.get() : shortest;
    }
    return new Choice.AllResting(shortest);
  }

  public void headCame(Instant begun, Instant now) {
    latency.observe(Duration.between(begun, now).toNanos() / 1e9);
  }

  /** The fixed number of places, or fewer while its upstreams can take less. */
  public void adapt() {
    List<Upstream> others = elsewhere;
    int sum = others.isEmpty() || isReadyHere() ? limits(upstreams) : limits(others);
    int max = maxConcurrent;
    int wanted = Math.clamp(sum, 1, max);
    if (wanted != slots.limit() || max != slots.max()) {
      slots.limit(wanted, max);
    }
  }

  private boolean isReadyHere() {
    for (Upstream upstream : upstreams) {
      if (upstream.wanting()) {
        return true;
      }
    }
    return false;
  }

  private static int limits(List<Upstream> all) {
    int sum = 0;
    for (Upstream upstream : all) {
      sum += upstream.limit();
    }
    return sum;
  }

  /** All its upstreams are known not to work. */
  public boolean down() {
    List<Upstream> others = elsewhere;
    return !(upstreams.isEmpty() && others.isEmpty())
        && upstreams.stream().noneMatch(Upstream::reachable)
        && others.stream().noneMatch(Upstream::reachable);
  }

  /** Those that may be chosen; one without room counts as very busy. */
  private record Loads(List<Upstream> upstreams, Predicate<Upstream> chosen)
      implements Balancer.Loads {
    private static final int FULL = 1 << 20;

    @Override
    public int count() {
      return upstreams.size();
    }

    @Override
    public boolean usable(int index) {
      return chosen.test(upstreams.get(index));
    }

    @Override
    public int load(int index) {
      Upstream upstream = upstreams.get(index);
      return upstream.busy() + (upstream.hasRoom() ? 0 : FULL);
    }
  }
}
