package dev.ron.rewarder;

import dev.ron.decode.DecodeLimits;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.Overflow;
import dev.ron.kernel.channel.SendResult;
import dev.ron.kernel.metric.Payer;
import dev.ron.kernel.ready.Readiness;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Reply;
import dev.ron.rewarder.artifact.Artifacts;
import dev.ron.rewarder.core.Calculus;
import dev.ron.rewarder.core.Inputs;
import dev.ron.rewarder.core.Manifest;
import dev.ron.rewarder.core.payout.Settlements;
import dev.ron.rewarder.epoch.AgreedEpochs;
import dev.ron.rewarder.epoch.ArtifactWriter;
import dev.ron.rewarder.epoch.AuditReporter;
import dev.ron.rewarder.epoch.EpochComputation;
import dev.ron.rewarder.epoch.EpochLog;
import dev.ron.rewarder.epoch.RunRequest;
import dev.ron.rewarder.epoch.RunResult;
import dev.ron.rewarder.epoch.RunScheduler;
import dev.ron.rewarder.epoch.RunSteps;
import dev.ron.rewarder.epoch.RunWorker;
import dev.ron.rewarder.epoch.Runs;
import dev.ron.rewarder.epoch.WorkerJob;
import dev.ron.rewarder.input.SealedInputs;
import dev.ron.rewarder.score.ParallelTally;
import dev.ron.rewarder.settle.Emitter;
import dev.ron.rewarder.settle.LedgerSink;
import dev.ron.rewarder.settle.SettlementStatus;
import dev.ron.rewarder.sign.Attestor;
import dev.ron.rewarder.sign.PolicyTrust;
import java.util.function.Supplier;

/**
 * The channels between the tasks that turn a request into a run that is kept and paid, the tasks
 * that {@link RewarderService} puts into its tree, and their entry point.
 *
 * <p>Threading: immutable; its parts are thread-safe.
 */
public final class RewarderTasks {
  private final Scope scope;
  private final Parts parts;
  private final Channel<RunRequest> requests;
  private final Channel<WorkerJob> work;
  private final Channel<ParallelTally.TallyPiece> pieces;
  private final Channel<RunWorker.Result> results;
  private final Channel<Manifest> intents;
  private final Broadcast<String> events;
  private final EpochComputation computation;

  /** What a rewarder is made of. */
  public record Parts(
      SealedInputs inputs,
      Artifacts artifacts,
      Attestor attestor,
      Supplier<PolicyTrust> trust,
      DecodeLimits limits,
      Calculus calculus,
      Runs runs,
      EpochLog log,
      SettlementStatus settling,
      LedgerSink sink,
      RewarderMetrics metrics,
      int workers,
      int queue,
      int events,
      long memoryBytes,
      RunSteps steps) {}

  public RewarderTasks(Scope scope, Parts parts) {
    this.scope = scope;
    this.parts = parts;
    var draining = new RewarderFault.Unavailable("the rewarder is shutting down");
    this.requests =
        Channel.fair(
            scope,
            "work_req",
            parts.queue(),
            request -> request.inputs().tenant(),
            _ -> 1,
            this::dropped);
    this.work =
        Channel.fair(scope, "work", parts.queue(), WorkerJob::tenant, _ -> 1, this::dropped);
    // One piece waiting for each worker keeps all of them busy; more would only cost memory.
    this.pieces =
        Channel.bounded(
            scope, "pieces", parts.workers(), Overflow.REJECT_NEW, ParallelTally.TallyPiece::drop);
    this.results =
        Channel.bounded(
            scope,
            "results",
            parts.queue(),
            Overflow.AWAIT,
            result -> {
              parts.metrics().droppedResults().inc();
              parts.runs().failed(result.ticket(), draining);
            });
    // A full one holds nothing up: the emitter pays by the list of closed runs.
    this.intents = Channel.bounded(scope, "intents", parts.queue(), Overflow.REJECT_NEW);
    this.events = Broadcast.of(scope, "events", parts.events());
    this.computation =
        new EpochComputation(
            parts.inputs(),
            parts.artifacts(),
            parts.calculus(),
            parts.trust(),
            parts.log(),
            parts.limits(),
            parts.memoryBytes() / parts.workers(),
            pieces,
            scope.time(),
            parts.steps());
  }

  private void dropped(RunRequest request) {
    request.refuse(dropped(requests));
  }

  private void dropped(WorkerJob job) {
    job.turnAway(dropped(work));
  }

  /** Another tenant needed the place more, or no task is left to take it. */
  private static RewarderFault dropped(Channel<?> from) {
    return from.ended()
        ? new RewarderFault.Unavailable("the rewarder is shutting down")
        : new RewarderFault.Busy(from.name(), from.capacity());
  }

  AuditReporter reporter() {
    return new AuditReporter(events, scope.log());
  }

  Emitter emitter() {
    return new Emitter(
        scope,
        intents,
        parts.artifacts(),
        parts.settling().outbox(),
        parts.sink(),
        parts.runs(),
        parts.log(),
        parts.metrics(),
        parts.settling().stalled(),
        parts.steps());
  }

  ArtifactWriter writer() {
    return new ArtifactWriter(
        scope,
        results,
        intents,
        events,
        parts.artifacts(),
        parts.attestor(),
        parts.runs(),
        parts.log(),
        parts.metrics(),
        parts.steps());
  }

  AgreedEpochs epochs(Readiness.Condition computed) {
    return new AgreedEpochs(
        scope,
        parts.log(),
        parts.runs(),
        inputs -> ask(inputs, false),
        this::firstUnpaid,
        computed);
  }

  private long firstUnpaid(String runKey) {
    return parts.sink().isShared()
        ? parts.settling().outbox().of(runKey).map(Settlements.Progress::next).orElse(1L)
        : 1;
  }

  RunWorker worker() {
    return new RunWorker(scope, work, pieces, results, computation, parts.artifacts());
  }

  RunScheduler scheduler() {
    return new RunScheduler(scope, requests, work, parts.runs());
  }

  /** Asks for a run; refused at once if too many wait. */
  public Reply<RunResult<Runs.RunReply>> ask(Inputs inputs, boolean dry) {
    var request = new RunRequest(inputs, dry, Payer.current(), new Reply<>(scope.time()));
    switch (requests.trySend(request)) {
      case SendResult.Sent _ -> {}
      case SendResult.Full(String name, int capacity) ->
          request.refuse(new RewarderFault.Busy(name, capacity));
      case SendResult.Closed _ ->
          request.refuse(new RewarderFault.Unavailable("the rewarder is shutting down"));
    }
    return request.reply();
  }

  /** A run that is computed only for its result. */
  public <T> WorkerJob.Probe<T> probe(Inputs inputs, WorkerJob.Look<T> look, Deadline deadline) {
    var probe = new WorkerJob.Probe<>(inputs, look, deadline, scope.time());
    switch (work.trySend(probe)) {
      case SendResult.Sent _ -> {}
      case SendResult.Full(String name, int capacity) ->
          probe.turnAway(new RewarderFault.Busy(name, capacity));
      case SendResult.Closed _ ->
          probe.turnAway(new RewarderFault.Unavailable("the rewarder is shutting down"));
    }
    return probe;
  }

  public Runs runs() {
    return parts.runs();
  }

  public Artifacts artifacts() {
    return parts.artifacts();
  }

  public SettlementStatus settling() {
    return parts.settling();
  }
}
