package dev.ron.rewarder.epoch;

import dev.ron.kernel.Scope;
import dev.ron.kernel.lock.RankedLock;
import dev.ron.kernel.metric.Payer;
import dev.ron.kernel.tenant.TenantFault;
import dev.ron.kernel.tenant.TenantLimit;
import dev.ron.kernel.time.Deadline;
import dev.ron.rewarder.RewarderFault;
import dev.ron.rewarder.RewarderFaultException;
import dev.ron.rewarder.artifact.Artifacts;
import dev.ron.rewarder.core.Inputs;
import dev.ron.rewarder.core.Manifest;
import dev.ron.rewarder.core.RunBook;
import dev.ron.rewarder.ledger.Outbox;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * The registry of runs: those that are done, those on their way, and why the last ones failed.
 *
 * <p>Threading: thread-safe; {@code lock} guards all of it.
 */
public final class Runs {
  private static final int RANK = 200;

  /** Failures that are remembered for later requests. */
  private static final int FAILURES_MAX = 1024;

  private final RankedLock lock;
  private final Scope scope;
  private final Supplier<Duration> runLimit;
  private final RunBook book = new RunBook();
  private final Map<String, PendingRun> tickets = new HashMap<>();
  private final Map<String, RewarderFault> failures = new LinkedHashMap<>();

  private Runs(Scope scope, Supplier<Duration> runLimit) {
    this.scope = scope;
    this.runLimit = runLimit;
    this.lock = new RankedLock(scope.registry(), "run-registry", RANK);
    scope.registry().tenantUse(TenantLimit.COMPUTE, tenant -> lock.call(() -> underWay(tenant)));
  }

  /**
   * Knows every run whose artifacts are there.
   *
   * @param runLimit from the request for a run to its end
   */
  public static Runs recover(
      Scope scope, Artifacts artifacts, Outbox outbox, Supplier<Duration> runLimit)
      throws IOException {
    var runs = new Runs(scope, runLimit);
    new RivalRuns(scope, artifacts, outbox).setAside();
    for (boolean dry : new boolean[] {true, false}) {
      for (Manifest manifest : artifacts.all(dry)) {
        runs.book.done(dry, manifest);
      }
    }
    return runs;
  }

  /** What was decided, and the ticket of a run that is on its way. */
  public record RunReply(RunBook.Decision decision, Optional<PendingRun> ticket) {}

  /**
   * Decides and, for a new run, enters it; one caller gets {@code Start}.
   *
   * @throws RewarderFaultException if the tenant has as many under way as it may
   */
  RunReply ask(Inputs inputs, boolean dry, Payer payer) throws RewarderFaultException {
    var fresh =
        new PendingRun(inputs, dry, scope.time(), Deadline.in(runLimit.get(), scope.time()), payer);
    Optional<RunReply> asked =
        lock.call(
            () -> {
              RunBook.Decision decision = book.ask(inputs.epoch(), fresh.runKey(), dry);
              if (decision instanceof RunBook.Decision.Start) {
                if (isOver(inputs.tenant())) {
                  book.failed(inputs.epoch(), fresh.runKey(), dry);
                  return Optional.empty();
                }
                tickets.put(name(fresh), fresh);
                failures.remove(inputs.epoch());
              }
              return Optional.of(
                  new RunReply(decision, Optional.ofNullable(tickets.get(name(fresh)))));
            });
    return asked.orElseThrow(() -> new RewarderFaultException(overCompute(inputs.tenant())));
  }

  private boolean isOver(String tenant) {
    OptionalLong most = scope.tenants().get().of(tenant).limit(TenantLimit.COMPUTE);
    return most.isPresent() && underWay(tenant) >= most.getAsLong();
  }

  private long underWay(String tenant) {
    return tickets.values().stream().filter(run -> run.inputs().tenant().equals(tenant)).count();
  }

  private RewarderFault overCompute(String tenant) {
    long most = scope.tenants().get().of(tenant).limit(TenantLimit.COMPUTE).orElse(0);
    return new RewarderFault.OverCompute(
        most == 0
            ? new TenantFault.Barred(tenant, TenantLimit.COMPUTE)
            : new TenantFault.OverCount(tenant, TenantLimit.COMPUTE, most));
  }

  void done(PendingRun ticket, Manifest manifest) {
    lock.run(
        () -> {
          book.done(ticket.dry(), manifest);
          tickets.remove(name(ticket));
        });
    ticket.reply().answer(new RunResult.Done<>(manifest));
  }

  /** The run failed and its epoch is free; a run that has ended already stays as it is. */
  public void failed(PendingRun ticket, RewarderFault fault) {
    end(ticket, fault, () -> book.failed(ticket.inputs().epoch(), ticket.runKey(), ticket.dry()));
  }

  /** The run has its name, but the rename may not be durable: the epoch stays with these inputs. */
  void inDoubt(PendingRun ticket, RewarderFault fault) {
    end(ticket, fault, () -> book.inDoubt(ticket.runKey()));
  }

  private void end(PendingRun ticket, RewarderFault fault, Runnable entry) {
    boolean ours =
        lock.call(
            () -> {
              if (!tickets.remove(name(ticket), ticket)) {
                return false;
              }
              entry.run();
              failures.put(ticket.inputs().epoch(), fault);
              if (failures.size() > FAILURES_MAX) {
                failures.remove(failures.keySet().iterator().next());
              }
              return true;
            });
    if (ours) {
      ticket.reply().answer(new RunResult.Failed<>(fault));
    }
  }

  /** The closed runs in the order in which they were closed, by number from 0. */
  public Optional<Manifest> closed(int number) {
    return lock.call(() -> book.closed(number));
  }

  public Optional<RunBook.Entry> shown(String epoch) {
    return lock.call(() -> book.shown(epoch));
  }

  public Optional<PendingRun> ticket(RunBook.Entry entry) {
    return lock.call(() -> Optional.ofNullable(tickets.get(name(entry.runKey(), entry.dry()))));
  }

  public Optional<RewarderFault> failure(String epoch) {
    return lock.call(() -> Optional.ofNullable(failures.get(epoch)));
  }

  public List<RunBook.Entry> all() {
    return lock.call(book::all);
  }

  private static String name(PendingRun ticket) {
    return name(ticket.runKey(), ticket.dry());
  }

  private static String name(String runKey, boolean dry) {
    return dry ? "dry-" + runKey : runKey;
  }
}
