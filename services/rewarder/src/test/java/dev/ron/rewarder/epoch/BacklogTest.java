package dev.ron.rewarder.epoch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.capability.caveat.Owner;
import dev.ron.journal.AmnesiaJournal;
import dev.ron.journal.JournalSettings;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.Overflow;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.metric.Payer;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Threads;
import dev.ron.kernel.tenant.TenantLimit;
import dev.ron.kernel.tenant.TenantTable;
import dev.ron.kernel.tenant.TenantTerms;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Reply;
import dev.ron.kernel.time.VirtualTime;
import dev.ron.rewarder.RewarderFault;
import dev.ron.rewarder.RewarderFaultException;
import dev.ron.rewarder.artifact.Artifacts;
import dev.ron.rewarder.core.Inputs;
import dev.ron.rewarder.ledger.Outbox;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scheduler in virtual time, with queues that are full. */
final class BacklogTest {
  @TempDir private Path folder;
  private final VirtualTime time = new VirtualTime();
  private TenantTable tenants = TenantTable.NONE;
  private final Scope scope =
      Scope.of(
              "rewarder",
              World.seeded(
                  time, new SplittableRandom(1), new RealDisk(), Threads.virtual(), Log.silent()))
          .shared(this::tenants);

  private TenantTable tenants() {
    return tenants;
  }

  private Runs runs() throws Exception {
    var journal = new AmnesiaJournal(scope, JournalSettings.in(folder).named("outbox-journal"));
    return Runs.recover(
        scope,
        Artifacts.open(scope.log(), scope.disk(), folder),
        Outbox.recover(journal, scope.registry()),
        () -> Duration.ofHours(12));
  }

  private RunRequest request(String epoch) {
    Address any = new Address(Blake3.hash(new byte[0]));
    return new RunRequest(
        new Inputs(epoch, any, any, any, Owner.OPERATOR),
        false,
        Payer.current(),
        new Reply<>(time));
  }

  @Test
  void aFullQueueIsTriedOnceMoreAfterFiftyToHundredFiftyMillis() throws Exception {
    Channel<RunRequest> requests = Channel.bounded(scope, "work_req", 8, Overflow.REJECT_NEW);
    Channel<WorkerJob> work = Channel.bounded(scope, "work", 1, Overflow.REJECT_NEW);
    Runs runs = runs();
    var scheduler = new RunScheduler(scope, requests, work, runs);
    RunRequest first = request("e1");
    RunRequest second = request("e2");
    requests.trySend(first);
    requests.trySend(second);
    scheduler.run(time.now());
    assertThat(first.reply().await(Deadline.NEVER)).isInstanceOf(RunResult.Done.class);
    scheduler.run(time.now());
    var waits = (Next.Await) scheduler.run(time.now());
    Duration rest = Duration.between(time.now(), waits.noLaterThan());
    assertThat(rest).isBetween(Duration.ofMillis(50), Duration.ofMillis(150));
    time.advanceTo(waits.noLaterThan());
    scheduler.run(time.now());
    assertThat(second.reply().now())
        .isEqualTo(new RunResult.Failed<>(new RewarderFault.Busy("work", 1)));
    assertThat(scope.metrics().text()).contains("queue_dropped_total{queue=\"work\"} 1.0");
    // The epoch is free again, and with room there is a run.
    work.tryReceive();
    RunRequest third = request("e2");
    requests.trySend(third);
    scheduler.run(time.now());
    assertThat(third.reply().await(Deadline.NEVER)).isInstanceOf(RunResult.Done.class);
  }

  @Test
  void theRetryIsTakenIfThereIsRoomByThen() throws Exception {
    Channel<RunRequest> requests = Channel.bounded(scope, "work_req", 8, Overflow.REJECT_NEW);
    Channel<WorkerJob> work = Channel.bounded(scope, "work", 1, Overflow.REJECT_NEW);
    Runs runs = runs();
    var scheduler = new RunScheduler(scope, requests, work, runs);
    requests.trySend(request("e1"));
    RunRequest second = request("e2");
    requests.trySend(second);
    scheduler.run(time.now());
    scheduler.run(time.now());
    work.tryReceive();
    time.advance(Duration.ofMillis(150));
    scheduler.run(time.now());
    assertThat(second.reply().await(Deadline.NEVER)).isInstanceOf(RunResult.Done.class);
    assertThat(work.depth()).isEqualTo(1);
  }

  /** A result that has no taker is not computed: the caller left, or its time is up. */
  @Test
  void aProbeIsWantedUntilItsCallerLeavesOrItsDeadlinePasses() throws Exception {
    Address any = new Address(Blake3.hash(new byte[0]));
    var inputs = new Inputs("e", any, any, any, Owner.OPERATOR);
    var late =
        new WorkerJob.Probe<>(
            inputs, ComputedRun::manifest, Deadline.in(Duration.ofSeconds(1), time), time);
    assertThat(late.wanted()).isTrue();
    time.advance(Duration.ofSeconds(1));
    assertThat(late.wanted()).isFalse();
    var left = new WorkerJob.Probe<>(inputs, ComputedRun::manifest, Deadline.NEVER, time);
    assertThat(left.wanted()).isTrue();
    Thread.currentThread().interrupt();
    assertThatThrownBy(left::await).isInstanceOf(InterruptedException.class);
    assertThat(left.wanted()).isFalse();
  }

  /** As the rewarder's own queue: three tenants that never stop, and one that comes once. */
  @Test
  void runsAreSharedByWeightAndAQuietTenantGoesNext() throws Exception {
    tenants =
        new TenantTable(
            List.of(new TenantTerms("two", 2, Map.of()), new TenantTerms("four", 4, Map.of())));
    Channel<WorkerJob> work = Channel.fair(scope, "work", 64, WorkerJob::tenant, _ -> 1, _ -> {});
    Map<String, Integer> served = new HashMap<>();
    for (int i = 0; i < 1400; i++) {
      for (String tenant : List.of("one", "two", "four")) {
        work.trySend(probe(tenant));
        work.trySend(probe(tenant));
      }
      served.merge(work.tryReceive().tenant(), 1, Integer::sum);
    }
    assertThat(served.get("one")).isCloseTo(200, within(20));
    assertThat(served.get("two")).isCloseTo(400, within(40));
    assertThat(served.get("four")).isCloseTo(800, within(80));
    work.trySend(probe("quiet"));
    assertThat(work.receiveBatch(4)).anyMatch(job -> job.tenant().equals("quiet"));
  }

  private WorkerJob probe(String tenant) {
    return new WorkerJob.Probe<>(
        request("~" + tenant + "/e").inputs(), _ -> "", Deadline.NEVER, time);
  }

  @Test
  void aTenantHasAsManyEpochsUnderWayAsItMay() throws Exception {
    tenants = new TenantTable(List.of(new TenantTerms("acme", 1, Map.of(TenantLimit.COMPUTE, 2L))));
    Runs runs = runs();
    Runs.RunReply first = runs.ask(request("~acme/e1").inputs(), false, Payer.current());
    runs.ask(request("~acme/e2").inputs(), false, Payer.current());
    assertThatThrownBy(() -> runs.ask(request("~acme/e3").inputs(), false, Payer.current()))
        .isInstanceOfSatisfying(
            RewarderFaultException.class,
            over -> {
              assertThat(over.fault().status()).isEqualTo(429);
              assertThat(over.fault().members()).containsEntry("limit", "compute");
            });
    assertThat(runs.ask(request("~acme/e1").inputs(), false, Payer.current()).ticket())
        .as("the same")
        .isPresent();
    assertThat(runs.ask(request("e3").inputs(), false, Payer.current()).ticket())
        .as("another's")
        .isPresent();
    runs.failed(first.ticket().orElseThrow(), new RewarderFault.Unavailable("as it happens"));
    assertThat(runs.ask(request("~acme/e3").inputs(), false, Payer.current()).ticket()).isPresent();
  }
}
