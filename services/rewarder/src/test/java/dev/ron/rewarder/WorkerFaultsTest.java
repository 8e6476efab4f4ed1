package dev.ron.rewarder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.rewarder.epoch.RunSteps;
import dev.ron.testkit.NoThreadsLeft;
import dev.ron.testkit.SeedRow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Workers that die, that keep a core busy, and that are asked for what has no taker. */
@Timeout(120)
@ExtendWith(NoThreadsLeft.class)
final class WorkerFaultsTest {
  private static final String CSV = "actor,metric,units\nalice,uptime,3\nbob,uptime,1\n";
  private static final int WORKERS = 4;

  @TempDir private Path folder;

  @Test
  void noRunStaysOpenWhenHalfOfTheWorkersDie() throws Exception {
    List<Supplier<Error>> errors =
        List.of(
            () -> new OutOfMemoryError("planted"),
            () -> new StackOverflowError("planted"),
            () -> new AssertionError("planted"));
    for (String step : List.of("documents-read", "accounting-read", "allocated")) {
      for (int i = 0; i < errors.size(); i++) {
        halfDie(folder.resolve(step + i), step, errors.get(i));
      }
    }
  }

  private static void halfDie(Path home, String at, Supplier<Error> error) throws Exception {
    var left = new AtomicInteger(WORKERS / 2);
    RunSteps steps =
        step -> {
          if (step.equals(at) && left.getAndDecrement() > 0) {
            throw error.get();
          }
        };
    try (Rig rig = Rig.open(home, steps, "workers=" + WORKERS);
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      String accounting = rig.seal(CSV);
      String policy = rig.seal(Rig.POLICY);
      var answers = new ArrayList<Future<String>>();
      for (int i = 0; i < 2 * WORKERS; i++) {
        String epoch = "e" + i;
        String pool = rig.ledger(epoch, "1000");
        answers.add(callers.submit(() -> rig.compute(epoch, accounting, pool, policy, false)));
      }
      int failed = 0;
      for (int i = 0; i < answers.size(); i++) {
        String answer = answers.get(i).get();
        if (answer.startsWith("503 ")) {
          failed++;
          assertThat(answer).contains("the run was given up", "planted");
          // Its epoch is free, for other inputs too.
          String others = rig.seal(CSV + "carol,uptime," + i + "\n");
          String pool = rig.ledger("e" + i, "2000");
          assertThat(rig.compute("e" + i, others, pool, policy, false)).startsWith("200 ");
        } else {
          assertThat(answer).startsWith("200 ");
        }
      }
      assertThat(failed).isEqualTo(WORKERS / 2);
      assertThat(rig.get("/rewarder/epochs")).doesNotContain("computing");
      rig.awaitMetric("service_restarts_total{task=\"worker\"}", WORKERS / 2 + ".0");
      rig.awaitMetric("readyz_degraded{cause=\"tasks\"}", "0.0");
    }
  }

  @Test
  @SeedRow("R67")
  void readinessFallsWhenHalfOfTheWorkersDieUnderLoadAndIsBackWithinASecond() throws Exception {
    var deaths = new AtomicInteger();
    var over = new AtomicBoolean();
    var computed = new AtomicInteger();
    RunSteps steps =
        step -> {
          if (step.equals("documents-read") && deaths.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
            throw new IllegalStateException("planted");
          }
        };
    try (Rig rig = Rig.open(folder, steps, "workers=" + WORKERS);
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      var load = new ArrayList<Future<?>>();
      for (int i = 0; i < WORKERS; i++) {
        String caller = "c" + i + "-";
        load.add(callers.submit(() -> compute(rig, caller, computed, over)));
      }
      eventually(() -> computed.get() > WORKERS);
      assertThat(isReady(rig)).isTrue();
      deaths.set(WORKERS / 2);
      eventually(() -> !isReady(rig));
      long down = System.nanoTime();
      eventually(() -> deaths.get() == 0 && isReady(rig));
      // Restarts begin after 100 to 400 ms.
      assertThat(System.nanoTime() - down).isLessThan(TimeUnit.SECONDS.toNanos(1));
      int before = computed.get();
      eventually(() -> computed.get() > before + WORKERS);
      over.set(true);
      for (Future<?> each : load) {
        each.get(60, TimeUnit.SECONDS);
      }
      assertThat(rig.metric("service_restarts_total{task=\"worker\"}"))
          .isEqualTo(WORKERS / 2 + ".0");
    }
  }

  /** One epoch after the other; what a worker died of is given up and said so. */
  private static Void compute(Rig rig, String caller, AtomicInteger computed, AtomicBoolean over)
      throws Exception {
    for (int i = 0; !over.get() && i < 5_000; i++) {
      String answer = rig.compute(caller + i, CSV.replace("3", Integer.toString(i + 1)));
      if (answer.startsWith("200 ")) {
        computed.incrementAndGet();
      } else {
        assertThat(answer).startsWith("503 ");
      }
    }
    return null;
  }

  private static boolean isReady(Rig rig) {
    try {
      return rig.get("/readyz").startsWith("200 ");
    } catch (Exception broken) {
      throw new AssertionError(broken);
    }
  }

  private static void eventually(BooleanSupplier holds) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!holds.getAsBoolean()) {
      assertThat(System.nanoTime()).as("for a minute").isLessThan(end);
      var _ = new CountDownLatch(1).await(2, TimeUnit.MILLISECONDS);
    }
  }

  /** The end-to-end deadline of a run: half of its epoch. */
  @Test
  void aRunThatTakesMoreThanHalfOfItsEpochIsGivenUp() throws Exception {
    RunSteps slow =
        step -> {
          long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2);
          while (step.equals("documents-read") && System.nanoTime() < until) {
            Thread.onSpinWait();
          }
        };
    try (Rig rig = Rig.open(folder, slow, "epoch_duration=4ms")) {
      for (String units : List.of("3", "4")) {
        String csv = rig.seal("actor,metric,units\nalice,uptime," + units + "\n");
        String answer = rig.compute("e", csv, rig.ledger("e", "7"), rig.seal(Rig.POLICY), false);
        assertThat(answer).as("a second time with other inputs").startsWith("504 ");
        assertThat(answer).contains("epoch-overdue");
      }
      rig.awaitMetric("io_timeouts_total{op=\"epoch\"}", "2.0");
      assertThat(rig.get("/rewarder/epochs")).doesNotContain("computing");
    }
  }

  /** As many workers as carriers and more, and none of them waits for anything. */
  @Test
  void requestsAreAnsweredWhileEveryWorkerKeepsACoreBusy() throws Exception {
    int workers = Runtime.getRuntime().availableProcessors() + 1;
    var began = new CountDownLatch(workers);
    var released = new AtomicBoolean();
    Set<Boolean> virtual = ConcurrentHashMap.newKeySet();
    RunSteps steps =
        step -> {
          if (step.equals("accounting-read")) {
            virtual.add(Thread.currentThread().isVirtual());
            began.countDown();
            while (!released.get()) {
              Thread.onSpinWait();
            }
          }
        };
    try (Rig rig = Rig.open(folder, steps, "workers=" + workers)) {
      try {
        for (int i = 0; i < workers; i++) {
          String body =
              Rig.body(rig.seal(CSV), rig.ledger("e" + i, "7"), rig.seal(Rig.POLICY), false);
          assertThat(rig.post("/rewarder/epochs/e" + i + "/compute", body, "")).startsWith("202 ");
        }
        boolean all = began.await(30, TimeUnit.SECONDS);
        assertThat(all).as(() -> "all of them compute: " + where(rig)).isTrue();
        assertThat(rig.get("/rewarder/epochs")).startsWith("200 ").contains("computing");
      } finally {
        released.set(true);
      }
      for (int i = 0; i < workers; i++) {
        rig.awaitSettlement("e" + i, "settled");
      }
    }
    assertThat(virtual).containsExactly(false);
  }

  /** How every run stands, what every task does, and where every thread is. */
  private static String where(Rig rig) {
    var text = new StringBuilder();
    try {
      for (int i = 0; i <= Runtime.getRuntime().availableProcessors(); i++) {
        text.append(rig.get("/rewarder/epochs/e" + i)).append('\n');
      }
    } catch (IOException | InterruptedException silent) {
      text.append(silent).append('\n');
    }
    rig.scope.registry().tasks().forEach(row -> text.append(row).append('\n'));
    rig.scope.registry().channels().forEach(row -> text.append(row).append('\n'));
    Thread.getAllStackTraces()
        .forEach((thread, stack) -> text.append(thread).append(List.of(stack)).append('\n'));
    return text.toString();
  }

  @Test
  void whatHasNoTakerIsNotComputed() throws Exception {
    var computed = new AtomicInteger();
    var busy = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    RunSteps steps =
        step -> {
          if (step.equals("documents-read") && computed.incrementAndGet() == 2) {
            busy.countDown();
            await(release);
          }
        };
    try (Rig rig = Rig.open(folder, steps, "workers=1");
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      assertThat(rig.compute("e", CSV)).startsWith("200 ");
      Future<String> holder = callers.submit(() -> rig.compute("holder", CSV));
      try {
        busy.await();
        var vain = new ArrayList<Future<String>>();
        for (int i = 0; i < 20; i++) {
          vain.add(
              callers.submit(
                  () -> rig.get("/rewarder/epochs/e/verify", "Request-Timeout", "100ms")));
        }
        for (Future<String> each : vain) {
          assertThat(each.get()).startsWith("504 ").contains("\"timeout\"");
        }
      } finally {
        release.countDown();
      }
      assertThat(holder.get()).startsWith("200 ");
      assertThat(rig.compute("after", CSV)).startsWith("200 ");
      assertThat(computed).as("e, holder and after").hasValue(3);
    }
  }

  @Test
  void resultsThatAShutdownDropsAreCounted() throws Exception {
    var never = new CountDownLatch(1);
    RunSteps steps =
        step -> {
          if (step.equals("attested")) {
            await(never);
          }
        };
    Rig rig = Rig.open(folder, steps);
    try (rig) {
      for (String epoch : List.of("held", "queued")) {
        String body = Rig.body(rig.seal(CSV), rig.ledger(epoch, "7"), rig.seal(Rig.POLICY), false);
        rig.post("/rewarder/epochs/" + epoch + "/compute", body, "");
      }
      rig.awaitMetric("queue_depth{queue=\"results\"}", "1.0");
    }
    assertThat(rig.metric("dropped_results_total")).as("in hand, and queued").isEqualTo("2.0");
    try (Rig again = Rig.open(folder)) {
      assertThat(again.get("/rewarder/epochs")).isEqualTo("200 {\"epochs\":[]}");
      assertThat(again.compute("held", CSV)).startsWith("200 ");
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(stop);
    }
  }
}
