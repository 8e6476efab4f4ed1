package dev.ron.rewarder.epoch;

import dev.ron.kernel.Scope;
import dev.ron.kernel.ready.Readiness;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.kernel.time.Reply;
import dev.ron.rewarder.RewarderFault;
import dev.ron.rewarder.core.Inputs;
import dev.ron.rewarder.core.Manifest;
import dev.ron.rewarder.core.RunBook;
import dev.ron.rewarder.core.RunStatus;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Computes here what the machines of a cluster agreed on and this one does not have: the runs of a
 * machine that was lost, and those that ended between the agreement and their closing. Inputs are
 * sealed, so the result is the same to the last unit; one with another root is not kept.
 *
 * <p>The service is not ready before each was tried once: its ledger would lack what was paid. One
 * that cannot be computed stays a note in {@code /readyz} and is tried again.
 *
 * <p>Threading: steps from one thread at a time; {@code lacking} is read by any.
 */
public final class AgreedEpochs implements Task {
  private static final Duration PERIOD = Duration.ofMinutes(1);
  private static final Duration REST = Duration.ofSeconds(1);
  private static final Duration LOOK = Duration.ofMillis(50);

  private final Scope scope;
  private final EpochLog log;
  private final Runs runs;
  private final Function<Inputs, Reply<RunResult<Runs.RunReply>>> compute;
  private final ToLongFunction<String> firstUnpaid;
  private final Readiness.Condition computed;
  private final Map<String, String> lacking = new ConcurrentSkipListMap<>();
  private final Deque<AgreedRun> due = new ArrayDeque<>();
  private Instant notBefore = Instant.MIN;
  private boolean begun;
  private boolean tried;
  private @Nullable Reply<RunResult<Runs.RunReply>> asked;

  /**
   * @param compute asks for a run
   * @param firstUnpaid the first line of a run that is in no ledger which all machines pay into
   */
  public AgreedEpochs(
      Scope scope,
      EpochLog log,
      Runs runs,
      Function<Inputs, Reply<RunResult<Runs.RunReply>>> compute,
      ToLongFunction<String> firstUnpaid,
      Readiness.Condition computed) {
    this.scope = scope;
    this.log = log;
    this.runs = runs;
    this.compute = compute;
    this.firstUnpaid = firstUnpaid;
    this.computed = computed;
    scope.readiness().noted("epochs-lacking", this::words);
  }

  private Optional<String> words() {
    return lacking.isEmpty()
        ? Optional.empty()
        : Optional.of("epochs that were agreed on and are not computed here: " + lacking);
  }

  @Override
  public Next run(Instant now) throws InterruptedException {
    if (now.isBefore(notBefore)) {
      return Next.at(notBefore);
    }
    AgreedRun next = due.peek();
    if (next == null) {
      return look(now);
    }
    if (!isOver(next)) {
      return Next.at(now.plus(LOOK));
    }
    due.remove();
    asked = null;
    return due.isEmpty() ? round(now) : Next.again();
  }

  /** Sees what there is to do. */
  private Next look(Instant now) throws InterruptedException {
    try {
      if (!begun) {
        log.begin(closed());
        begun = true;
      }
      log.all().stream().filter(each -> !isHere(each)).forEach(due::add);
    } catch (IOException away) {
      if (!tried) {
        computed.missing(String.valueOf(away.getMessage()));
      }
      return rest(now, REST);
    }
    return due.isEmpty() ? round(now) : Next.again();
  }

  /** All that was due was tried. */
  private Next round(Instant now) {
    tried = true;
    computed.met();
    return rest(now, PERIOD);
  }

  private Next rest(Instant now, Duration rest) {
    notBefore = now.plus(rest);
    return Next.at(notBefore);
  }

  private Map<AgreedRun, Long> closed() {
    var all = new LinkedHashMap<AgreedRun, Long>();
    for (int i = 0; ; i++) {
      Optional<Manifest> run = runs.closed(i);
      if (run.isEmpty()) {
        return all;
      }
      all.put(AgreedRun.of(run.get()), firstUnpaid.applyAsLong(run.get().runKey()));
    }
  }

  private boolean isHere(AgreedRun run) {
    Manifest shown = runs.shown(run.epoch()).map(RunBook.Entry::manifest).orElse(null);
    boolean here =
        shown != null && shown.status() == RunStatus.CLOSED && AgreedRun.of(shown).equals(run);
    if (here) {
      lacking.remove(run.epoch());
    }
    return here;
  }

  /** Whether it was computed, or could not be. */
  private boolean isOver(AgreedRun run) {
    Reply<RunResult<Runs.RunReply>> question = asked;
    if (question == null) {
      question = compute.apply(run.inputs());
      asked = question;
    }
    return switch (question.now()) {
      case null -> false;
      case RunResult.Failed<Runs.RunReply>(RewarderFault fault) -> lacks(run, fault.detail());
      case RunResult.Done<Runs.RunReply>(Runs.RunReply reply) -> isOver(run, reply);
    };
  }

  private boolean isOver(AgreedRun run, Runs.RunReply reply) {
    return switch (reply.decision()) {
      case RunBook.Decision.Start _, RunBook.Decision.Running _ ->
          switch (reply.ticket().map(each -> each.reply().now()).orElse(null)) {
            case null -> reply.ticket().isEmpty();
            case RunResult.Done<Manifest> _ -> told(run);
            case RunResult.Failed<Manifest>(RewarderFault fault) -> lacks(run, fault.detail());
          };
      case RunBook.Decision.Known _ -> told(run);
      case RunBook.Decision.OtherInputs(String other) ->
          lacks(run, "run %s has the epoch here".formatted(other));
      case RunBook.Decision.Quarantined _ -> lacks(run, "its run is quarantined here");
    };
  }

  private boolean told(AgreedRun run) {
    if (isHere(run)) {
      scope.log().info("epoch-computed-again", "epoch", run.epoch(), "run", run.runKey());
      return true;
    }
    return lacks(run, "what was computed here is not what was agreed on");
  }

  private boolean lacks(AgreedRun run, String why) {
    if (!why.equals(lacking.put(run.epoch(), why))) {
      scope.log().error("epoch-lacking", "epoch", run.epoch(), "run", run.runKey(), "why", why);
    }
    return true;
  }
}
