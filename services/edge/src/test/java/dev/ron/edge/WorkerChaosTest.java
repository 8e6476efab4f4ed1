package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.time.Time;
import dev.ron.testkit.SeedRow;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Half of the workers die in the middle of fills. */
@Timeout(120)
final class WorkerChaosTest {
  private static final int WORKERS = 8;
  private static final int KILLED = WORKERS / 2;

  @TempDir private Path folder;

  /** Chance as usual, but for the workers that wait before another try while deaths are left. */
  private final AtomicInteger deaths = new AtomicInteger();

  private World world() {
    World real = World.real(Log.silent());
    return new World(
        real.time(),
        () -> {
          if (inFetch() && deaths.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new IllegalStateException("a bug in a worker");
          }
          return real.chance().nextLong();
        },
        real.secrets(),
        real.disk(),
        real.threads(),
        real.log());
  }

  private static boolean inFetch() {
    return StackWalker.getInstance()
        .walk(frames -> frames.anyMatch(f -> f.getClassName().endsWith(".UpstreamFetch")));
  }

  @Test
  @SeedRow("E80")
  void readinessFallsAndComesBackAndTheLoadGoesOn() throws Exception {
    FakeOrigin.Script script =
        (_, head, out) ->
            out.write(FakeOrigin.bytes(head.startsWith("GET /poison") ? 503 : 200, "", "here"));
    var stop = new AtomicBoolean();
    try (var origin = new FakeOrigin(script);
        Rig rig = Rig.in(world(), folder, origin.url(), "packs=[]", "fill.workers=" + WORKERS);
        var clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> load = new ArrayList<>();
      try {
        Time time = rig.scope.time();
        assertThat(soon(time, () -> rig.scope.readiness().ready())).as("at start").isTrue();
        for (int c = 0; c < 4; c++) {
          int client = c;
          load.add(clients.submit(() -> ask(rig, "/" + client + "/", stop)));
        }
        deaths.set(KILLED);
        boolean unready = false;
        for (int i = 0; i < KILLED; i++) {
          assertThat(rig.get("/poison/" + i).statusCode()).isEqualTo(503);
          unready |= rig.get("/readyz").statusCode() == 503;
        }
        assertThat(deaths.get()).as("so many died").isZero();
        assertThat(unready).as("/readyz while workers are gone").isTrue();
        assertThat(soon(time, () -> rig.metric(RESTARTS) == KILLED)).as("all are back").isTrue();
        Instant relaunched = time.now();
        assertThat(soon(time, () -> rig.scope.readiness().ready())).as("and it is ready").isTrue();
        assertThat(Duration.between(relaunched, time.now())).isLessThan(Duration.ofSeconds(1));
      } finally {
        stop.set(true);
      }
      for (Future<Integer> client : load) {
        assertThat(client.get()).as("fills of one client").isPositive();
      }
    }
  }

  private static final String RESTARTS = "service_restarts_total{task=\"worker\"}";

  private static int ask(Rig rig, String prefix, AtomicBoolean stop) throws Exception {
    int asked = 0;
    while (!stop.get()) {
      assertThat(rig.get(prefix + asked).statusCode()).isEqualTo(200);
      asked++;
    }
    return asked;
  }

  private static boolean soon(Time time, BooleanSupplier holds) throws InterruptedException {
    Instant until = time.now().plusSeconds(30);
    while (!holds.getAsBoolean()) {
      if (!time.now().isBefore(until)) {
        return false;
      }
      time.sleepUntil(time.now().plusMillis(2));
    }
    return true;
  }
}
