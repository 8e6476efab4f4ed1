package dev.ron.gateway.route;

import dev.ron.http.Headers;
import dev.ron.http.client.ClientAnswer;
import dev.ron.http.client.ClientRequest;
import dev.ron.http.server.guard.QuotaBuckets;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.kernel.time.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

/**
 * Asks upstreams whether they are well: those with a health path every second, the others when
 * requests failed there or they have rested, so that an idle gateway finds out too that one works
 * again.
 *
 * <p>Threading: owned by its task; each question has a virtual thread of its own and reports to the
 * upstream, which is thread-safe.
 */
public final class UpstreamProber implements Task {
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final int OK_MAX = 399;

  /** Every Ron service says there whether it wants traffic. */
  private static final String READY = "/readyz";

  private final Scope scope;
  private final Channel<Instant> ticks;
  private final CurrentRouting routings;
  private final QuotaBuckets rates;
  private final GatewayClients clients;
  private final OtherMachines machines;
  private final Watch<Boolean> shutdown;

  public UpstreamProber(
      Scope scope,
      Channel<Instant> ticks,
      CurrentRouting routings,
      QuotaBuckets rates,
      GatewayClients clients,
      OtherMachines machines,
      Watch<Boolean> shutdown) {
    this.scope = scope;
    this.ticks = ticks;
    this.routings = routings;
    this.rates = rates;
    this.clients = clients;
    this.machines = machines;
    this.shutdown = shutdown;
  }

  @Override
  public Next run(Instant now) {
    if (!ticks.receiveBatch(ticks.capacity()).isEmpty()) {
      rates.forgetFull(now);
      for (UpstreamPool pool : routings.now().pools()) {
        pool.elsewhere(machines.with(pool.service()));
        pool.all().forEach(upstream -> look(pool, upstream));
      }
    }
    return Next.await(ticks);
  }

  private void look(UpstreamPool pool, Upstream upstream) {
    boolean resting = upstream.resting();
    boolean asked = resting || upstream.suspect() || !path(pool, upstream).isEmpty();
    if (!asked || shutdown.value() || !upstream.beginProbe()) {
      return;
    }
    if (resting && upstream.rest().isPresent()) {
      upstream.notProbed();
      return;
    }
    scope
        .world()
        .threads()
        .start("gateway/probe/" + upstream.origin().authority(), () -> ask(pool, upstream));
  }

  private void ask(UpstreamPool pool, Upstream upstream) {
    boolean well = false;
    try {
      well = isWell(pool, upstream);
    } catch (IOException failed) {
      scope.log().debug("probe-failed", "upstream", upstream.origin().authority());
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
    } finally {
      upstream.probed(well);
    }
  }

  /** What it is asked for each second; empty if it is not asked while it serves. */
  private static String path(UpstreamPool pool, Upstream upstream) {
    boolean replaceable = !pool.elsewhere().isEmpty() && pool.upstreams().contains(upstream);
    return pool.health().isEmpty() && replaceable ? READY : pool.health();
  }

  private boolean isWell(UpstreamPool pool, Upstream upstream)
      throws IOException, InterruptedException {
    String path = path(pool, upstream);
    var request =
        new ClientRequest(
            "GET", upstream.origin(), path.isEmpty() ? "/" : path, new Headers(1), 0, new byte[0]);
    try (ClientAnswer answer =
        clients.to(upstream).send(request, Deadline.in(PATIENCE, scope.time()))) {
      boolean good = answer.status() <= OK_MAX;
      upstream.ready(good || !path.equals(READY));
      // Without a path of its own any answer shows that it is up.
      return good || pool.health().isEmpty();
    }
  }
}
