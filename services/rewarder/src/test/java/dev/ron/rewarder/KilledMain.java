package dev.ron.rewarder;

import dev.ron.http.server.Limits;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.rewarder.core.Calculus;
import dev.ron.rewarder.epoch.EpochLog;
import dev.ron.rewarder.epoch.RunSteps;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A rewarder in a process of its own, which says its port, and stops for good at one step: there it
 * says so and waits to be killed.
 */
final class KilledMain {
  private KilledMain() {}

  public static void main(String[] args) throws Exception {
    String fatal = args[1];
    var times = new AtomicInteger(Integer.parseInt(args[2]));
    RunSteps steps =
        step -> {
          if (step.equals(fatal) && times.decrementAndGet() == 0) {
            System.out.println("at " + step);
            try {
              new CountDownLatch(1).await();
            } catch (InterruptedException stop) {
              throw new IllegalStateException(stop);
            }
          }
        };
    var scope = Scope.of("rewarder", World.real(Log.silent()));
    RewarderConfig config = Rig.config(Path.of(args[0]), Map.of());
    RewarderService.Wired wired =
        RewarderService.wire(
            config,
            scope,
            Limits.OPEN,
            null,
            NodeCapabilities.NONE,
            EpochLog.ALONE,
            Calculus.EXACT,
            steps);
    wired.supervisor().start(scope);
    System.out.println(wired.door().port());
    new CountDownLatch(1).await();
  }
}
