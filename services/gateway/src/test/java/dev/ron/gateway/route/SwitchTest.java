package dev.ron.gateway.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.config.Settings;
import dev.ron.gateway.GatewayConfig;
import dev.ron.gateway.GatewayFault;
import dev.ron.gateway.GatewayFault.TenantClass;
import dev.ron.gateway.GatewayMetrics;
import dev.ron.gateway.admit.Admission;
import dev.ron.gateway.admit.AdmissionTicket;
import dev.ron.gateway.admit.Backlog;
import dev.ron.gateway.admit.SchedulerLoop;
import dev.ron.gateway.admit.SlotSignal;
import dev.ron.gateway.admit.Tenant;
import dev.ron.gateway.admit.Tenants;
import dev.ron.gateway.admit.WorkerLoop;
import dev.ron.http.server.HttpServer;
import dev.ron.http.server.HttpServerConfig;
import dev.ron.http.server.route.Routes;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.Overflow;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Tree;
import dev.ron.kernel.tenant.TenantTable;
import dev.ron.kernel.time.Deadline;
import dev.ron.testkit.RawClient;
import dev.ron.testkit.SeedRow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The two paths to a place, under many threads at once: whoever asks is let in or refused exactly
 * once, no place is given twice, and nothing is left over.
 */
final class SwitchTest {
  private static final int PLACES = 3;

  private final Scope scope = Scope.of("gateway", World.real(Log.silent()));
  private final GatewayMetrics metrics = GatewayMetrics.in(scope);
  private final Tenants tenants = new Tenants(metrics);
  private Admission admission;
  private UpstreamPool pool;
  private Tree tree;

  @BeforeEach
  void open() throws Exception {
    Settings settings =
        Settings.load(
            Map.of(
                "gateway.routes",
                "[{prefix=\"/\",max_concurrent=%d,upstreams=[\"http://127.0.0.1:1\"]}]"
                    .formatted(PLACES)),
            Map.of(),
            Optional.empty());
    GatewayConfig config = settings.read("gateway", GatewayConfig::read).value();
    var routings = new CurrentRouting(scope, metrics, config, true);
    pool = routings.now().pools().getFirst();
    var work = channel("work", Overflow.REJECT_NEW);
    var sched = channel("sched", Overflow.DROP_OLDEST);
    var freed = new SlotSignal();
    var backlog = new Backlog();
    Broadcast<String> events = Broadcast.of(scope, "events", 16);
    admission = new Admission(scope, tenants, work, freed, events, config.limits().inflight());
    tree =
        Supervisor.named("gateway")
            .children("worker", 2, Restart.ALWAYS, () -> new WorkerLoop(sched))
            .child(
                "scheduler",
                Restart.ALWAYS,
                () ->
                    new SchedulerLoop(
                        work, sched, freed, backlog, routings, admission, () -> TenantTable.NONE))
            .start(scope);
  }

  private Channel<AdmissionTicket> channel(String name, Overflow overflow) {
    return Channel.bounded(scope, name, 512, overflow, ticket -> ticket.dropped(false));
  }

  @AfterEach
  void close() throws Exception {
    tree.drain();
  }

  /** One request; its holder counts what it hears. */
  private final class Asker implements AdmissionTicket.Holder {
    private final AtomicInteger granted = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final CountDownLatch heard = new CountDownLatch(1);
    private final Tenant tenant;
    private final AdmissionTicket ticket;

    Asker(String name) {
      tenant = tenants.of(name, TenantClass.CAPABILITY);
      ticket = new AdmissionTicket(pool, tenant, name, 1, this);
    }

    boolean enter() {
      assertThat(admission.arrive(tenant, false)).isNull();
      return switch (admission.enter(ticket)) {
        case AT_ONCE -> {
          granted.incrementAndGet();
          heard.countDown();
          yield true;
        }
        case WAITING -> false;
        case REFUSED -> {
          refused.incrementAndGet();
          heard.countDown();
          yield false;
        }
      };
    }

    void leave() {
      admission.leave(ticket);
      admission.over(tenant);
    }

    @Override
    public void granted() {
      granted.incrementAndGet();
      heard.countDown();
    }

    @Override
    public void refused(GatewayFault fault) {
      refused.incrementAndGet();
      heard.countDown();
    }
  }

  @Test
  @SeedRow("G90")
  void theSwitchUnderLoadLosesNothing() throws Exception {
    int threads = 24;
    int each = 2_000;
    var holding = new AtomicInteger();
    var tooMany = new AtomicInteger();
    var atOnce = new AtomicInteger();
    var queued = new AtomicInteger();
    var gaveUp = new AtomicInteger();
    List<Asker> all = new java.util.concurrent.CopyOnWriteArrayList<>();
    List<Thread> running = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      String tenant = "t" + t % 3;
      var random = new SplittableRandom(t);
      running.add(
          Thread.startVirtualThread(
              () -> {
                for (int i = 0; i < each; i++) {
                  var asker = new Asker(tenant);
                  if (i % 97 == 0) {
                    all.add(asker);
                  }
                  (asker.enter() ? atOnce : queued).incrementAndGet();
                  // Some leave while they wait, as clients do.
                  boolean impatient = random.nextInt(10) == 0 && asker.heard.getCount() > 0;
                  if (!impatient) {
                    await(asker.heard);
                    if (asker.granted.get() == 1) {
                      if (holding.incrementAndGet() > PLACES) {
                        tooMany.incrementAndGet();
                      }
                      java.util.concurrent.locks.LockSupport.parkNanos(1);
                      holding.decrementAndGet();
                    }
                  } else {
                    gaveUp.incrementAndGet();
                  }
                  asker.leave();
                  // The load comes and goes, so that both paths and every switch are taken.
                  if (random.nextInt(50) == 0) {
                    java.util.concurrent.locks.LockSupport.parkNanos(1);
                  }
                }
              }));
    }
    for (Thread thread : running) {
      thread.join();
    }
    assertThat(tooMany.get()).as("more places given than there are").isZero();
    assertThat(atOnce.get()).as("let in at once").isPositive();
    assertThat(queued.get()).as("queued").isPositive();
    assertThat(gaveUp.get()).as("gave up").isPositive();
    assertThat(all).allMatch(asker -> asker.granted.get() + asker.refused.get() <= 1);
    assertNothingLeft();
  }

  private void assertNothingLeft() {
    assertThat(pool.slots().taken()).isZero();
    assertThat(pool.slots().waiting()).isZero();
    assertThat(admission.inside()).isZero();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).as("heard in time").isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void workersAndTheSchedulerAreStartedAgainAndGoOn() throws Exception {
    List<Asker> first = new ArrayList<>();
    for (int i = 0; i < PLACES; i++) {
      var asker = new Asker("a");
      assertThat(asker.enter()).isTrue();
      first.add(asker);
    }
    AdmissionTicket poison = poison(first.getFirst().tenant);
    assertThat(admission.enter(poison)).isEqualTo(Admission.Entry.WAITING);
    var behind = new Asker("b");
    assertThat(behind.enter()).isFalse();
    admission.leave(first.get(0).ticket); // the poison gets this place
    assertThat(soon(() -> !scope.readiness().ready())).as("readiness falls").isTrue();
    admission.leave(first.get(1).ticket);
    await(behind.heard);
    assertThat(behind.granted.get()).isEqualTo(1);
    assertThat(soon(() -> scope.readiness().ready())).as("and comes back").isTrue();
    assertThat(scope.metrics().text())
        .containsPattern("service_restarts_total\\{task=\"[a-z/]*worker");
    admission.leave(poison);
    admission.leave(first.get(2).ticket);
    first.forEach(asker -> admission.over(asker.tenant));
    behind.leave();
    assertNothingLeft();
  }

  /** A request that kills the worker that starts it. */
  private AdmissionTicket poison(Tenant tenant) {
    return new AdmissionTicket(
        pool,
        tenant,
        "poison",
        1,
        new AdmissionTicket.Holder() {
          @Override
          public void granted() {
            throw new IllegalStateException("a bug in a worker");
          }

          @Override
          public void refused(GatewayFault fault) {
            throw new AssertionError("refused: " + fault.detail());
          }
        });
  }

  @Test
  @Timeout(60)
  @SeedRow("G76")
  void halfOfTheWorkersDieUnderLoadAndReadinessComesBackWithinASecond() throws Exception {
    var stop = new AtomicBoolean();
    var served = new AtomicInteger();
    var late = new AtomicInteger();
    List<Thread> load = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      String name = "t" + i % 4;
      load.add(
          Thread.startVirtualThread(
              () -> {
                while (!stop.get()) {
                  var asker = new Asker(name);
                  asker.enter();
                  await(asker.heard);
                  served.addAndGet(asker.granted.get());
                  late.addAndGet(asker.refused.get());
                  java.util.concurrent.locks.LockSupport.parkNanos(1_000_000); // so others wait
                  asker.leave();
                }
              }));
    }
    assertThat(soon(() -> served.get() > 100)).as("under load").isTrue();
    var door = new HttpServer(scope, HttpServerConfig.on("127.0.0.1", 0), Routes.of());
    door.open();
    assertThat(readyz(door)).contains(" 200 ");
    Tenant tenant = tenants.of("poison", TenantClass.CAPABILITY);
    AdmissionTicket poison = poison(tenant);
    for (int i = 0; admission.enter(poison) == Admission.Entry.AT_ONCE; i++) {
      assertThat(i).as("tries to come through a worker").isLessThan(10_000);
      admission.leave(poison);
      poison = poison(tenant);
    }
    assertThat(soon(() -> readyz(door).contains(" 503 "))).as("readiness falls").isTrue();
    int before = served.get();
    assertThat(soon(() -> scope.metrics().text().contains(ONE_RESTART))).as("it is back").isTrue();
    Instant relaunched = scope.time().now();
    assertThat(soon(() -> readyz(door).contains(" 200 "))).as("and it is ready").isTrue();
    assertThat(Duration.between(relaunched, scope.time().now())).isLessThan(Duration.ofSeconds(1));
    admission.leave(poison);
    assertThat(soon(() -> served.get() > before + 100)).as("the load goes on").isTrue();
    stop.set(true);
    for (Thread thread : load) {
      thread.join();
    }
    assertThat(late.get()).as("refused").isZero();
    door.close(Deadline.in(Duration.ofSeconds(2), scope.time()));
    assertNothingLeft();
  }

  private static String readyz(HttpServer door) {
    try (var client = new RawClient(door.port())) {
      return client.send("GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n").answer();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private static final String ONE_RESTART = "service_restarts_total{task=\"worker\"} 1.0";

  private static boolean soon(java.util.function.BooleanSupplier holds)
      throws InterruptedException {
    for (int i = 0; i < 2000; i++) {
      if (holds.getAsBoolean()) {
        return true;
      }
      var _ = new CountDownLatch(1).await(5, TimeUnit.MILLISECONDS);
    }
    return false;
  }
}
