package dev.ron.gateway;

import dev.ron.gateway.admit.Admission;
import dev.ron.gateway.admit.AdmissionTicket;
import dev.ron.gateway.admit.Backlog;
import dev.ron.gateway.admit.QuotaBuckets;
import dev.ron.gateway.admit.SchedulerLoop;
import dev.ron.gateway.admit.SlotSignal;
import dev.ron.gateway.admit.Tenants;
import dev.ron.gateway.admit.WorkerLoop;
import dev.ron.gateway.route.CurrentRouting;
import dev.ron.gateway.route.ProbeTicker;
import dev.ron.gateway.route.Upstream;
import dev.ron.gateway.route.UpstreamPool;
import dev.ron.gateway.route.UpstreamProber;
import dev.ron.http.client.HttpClient;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.Overflow;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The channels and tasks behind the door, wired to each other.
 *
 * <p>Threading: immutable; its parts are thread-safe or owned by their tasks.
 */
public final class GatewayTasks {
  private static final int WORK = 512;
  private static final int SCHED = 512;
  private static final int EVENTS = 1024;
  private static final int TICKS = 64;
  private static final Duration REST = Duration.ofSeconds(1);

  private final Scope scope;
  private final CurrentRouting routings;
  private final Tenants tenants;
  private final QuotaBuckets rates;
  private final Admission admission;
  private final Channel<AdmissionTicket> work;
  private final Channel<AdmissionTicket> sched;
  private final Channel<Instant> ticks;
  private final Broadcast<String> events;
  private final Watch<Boolean> shutdown;
  private final SlotSignal freed = new SlotSignal();
  private final Backlog backlog = new Backlog();

  public GatewayTasks(Scope scope, GatewayConfig config, GatewayMetrics metrics, boolean open) {
    this.scope = scope;
    this.tenants = new Tenants(metrics);
    this.rates = new QuotaBuckets(scope.time());
    this.work = Channel.bounded(scope, "work", WORK, Overflow.REJECT_NEW, this::dropped);
    this.sched = Channel.bounded(scope, "sched", SCHED, Overflow.DROP_OLDEST, this::dropped);
    this.events = Broadcast.of(scope, "events", EVENTS);
    this.shutdown = Watch.of(scope, "shutdown", false);
    this.ticks = Channel.bounded(scope, "metrics_tick", TICKS, Overflow.AWAIT);
    this.routings = new CurrentRouting(scope, metrics, config, open);
    this.admission = new Admission(scope, tenants, work, freed, events, config.bounds().inflight());
    scope.readiness().derived("upstreams", this::downPools);
    scope
        .metrics()
        .sampled(
            "gateway_upstream_limit",
            "Requests an upstream gets at a time; lower than max_concurrent after failures.",
            sample ->
                limits().forEach((where, limit) -> sample.call(limit, where.get(0), where.get(1))),
            "pool",
            "upstream");
  }

  /** By pool and upstream; routes of one name and several methods add up. */
  private Map<List<String>, Integer> limits() {
    Map<List<String>, Integer> limits = new HashMap<>();
    for (UpstreamPool pool : routings.now().pools()) {
      for (Upstream upstream : pool.upstreams()) {
        var where = List.of(pool.name(), upstream.origin().authority());
        limits.merge(where, upstream.limit(), Integer::sum);
      }
    }
    return limits;
  }

  /** The most that can be inside at a time: what may be, and what has come but was not judged. */
  public static int insideMax(int inflight) {
    return inflight + WORK;
  }

  private void dropped(AdmissionTicket ticket) {
    GatewayFault.Standing standing = ticket.tenant().standing();
    ticket
        .holder()
        .refused(
            stopping()
                ? new GatewayFault.Draining(standing)
                : new GatewayFault.Degraded(
                    "a newer request took its place in the queue", REST, standing));
  }

  private Optional<String> downPools() {
    List<String> down =
        routings.now().pools().stream()
            .filter(UpstreamPool::down)
            .map(UpstreamPool::name)
            .sorted()
            .toList();
    return down.isEmpty()
        ? Optional.empty()
        : Optional.of("no upstream answers for " + String.join(", ", down));
  }

  /** Who consumes stands above who produces. */
  public Supervisor into(Supervisor tree, int workers, HttpClient client) {
    return tree.children("worker", workers, Restart.ALWAYS, () -> new WorkerLoop(sched))
        .child(
            "scheduler",
            Restart.ALWAYS,
            () -> new SchedulerLoop(work, sched, freed, backlog, routings, admission))
        .child(
            "prober",
            Restart.ALWAYS,
            () -> new UpstreamProber(scope, ticks, routings, rates, client, shutdown, events))
        .child("ticker", Restart.ALWAYS, () -> new ProbeTicker(ticks));
  }

  /** Another routing, for every request from the next one on. */
  public void reload(GatewayConfig config) {
    routings.take(config);
    freed.ring(); // there may be more places now, or larger quanta
    events.publish("reloaded");
  }

  /** No new tries and no new probes from now on. */
  public void stop() {
    shutdown.set(true);
    events.publish("draining");
  }

  public boolean stopping() {
    return shutdown.value();
  }

  public CurrentRouting routings() {
    return routings;
  }

  public Tenants tenants() {
    return tenants;
  }

  public QuotaBuckets rates() {
    return rates;
  }

  public Admission admission() {
    return admission;
  }
}
