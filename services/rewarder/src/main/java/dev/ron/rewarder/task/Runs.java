package dev.ron.rewarder.task;

import dev.ron.kernel.Scope;
import dev.ron.kernel.lock.RankedLock;
import dev.ron.rewarder.RewarderFault;
import dev.ron.rewarder.core.Inputs;
import dev.ron.rewarder.core.Manifest;
import dev.ron.rewarder.core.RunBook;
import dev.ron.rewarder.disk.Artifacts;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The registry of runs: those that are done, those on their way, and why the last ones failed.
 *
 * <p>Threading: thread-safe; {@code lock} guards all of it.
 */
public final class Runs {
  private static final int RANK = 200;

  /** Failures that are remembered for whoever asks later. */
  private static final int FAILURES_MAX = 1024;

  private final RankedLock lock;
  private final Scope scope;
  private final RunBook book = new RunBook();
  private final Map<String, Ticket> tickets = new HashMap<>();
  private final Map<String, RewarderFault> failures = new LinkedHashMap<>();

  private Runs(Scope scope) {
    this.scope = scope;
    this.lock = new RankedLock(scope.registry(), "run-registry", RANK);
  }

  /** Knows every run whose artifacts are there. */
  public static Runs recover(Scope scope, Artifacts artifacts) throws IOException {
    var runs = new Runs(scope);
    for (boolean dry : new boolean[] {true, false}) {
      for (Manifest manifest : artifacts.all(dry)) {
        runs.book.done(dry, manifest);
      }
    }
    return runs;
  }

  /** What was decided, and the ticket of a run that is on its way. */
  public record Asked(RunBook.Decision decision, Optional<Ticket> ticket) {}

  /** Decides and, for a new run, enters it; one caller gets {@code Start}. */
  Asked ask(Inputs inputs, boolean dry) {
    var fresh = new Ticket(inputs, dry, scope.time());
    return lock.call(
        () -> {
          RunBook.Decision decision = book.ask(inputs.epoch(), fresh.runKey(), dry);
          if (decision instanceof RunBook.Decision.Start) {
            tickets.put(name(fresh), fresh);
            failures.remove(inputs.epoch());
          }
          return new Asked(decision, Optional.ofNullable(tickets.get(name(fresh))));
        });
  }

  void done(Ticket ticket, Manifest manifest) {
    lock.run(
        () -> {
          book.done(ticket.dry(), manifest);
          tickets.remove(name(ticket));
        });
    ticket.done(manifest);
  }

  void failed(Ticket ticket, RewarderFault fault) {
    lock.run(
        () -> {
          book.failed(ticket.inputs().epoch(), ticket.runKey(), ticket.dry());
          tickets.remove(name(ticket));
          failures.put(ticket.inputs().epoch(), fault);
          if (failures.size() > FAILURES_MAX) {
            failures.remove(failures.keySet().iterator().next());
          }
        });
    ticket.failed(fault);
  }

  public Optional<RunBook.Entry> shown(String epoch) {
    return lock.call(() -> book.shown(epoch));
  }

  public Optional<Ticket> ticket(RunBook.Entry entry) {
    return lock.call(() -> Optional.ofNullable(tickets.get(name(entry.runKey(), entry.dry()))));
  }

  public Optional<RewarderFault> failure(String epoch) {
    return lock.call(() -> Optional.ofNullable(failures.get(epoch)));
  }

  public List<RunBook.Entry> all() {
    return lock.call(book::all);
  }

  private static String name(Ticket ticket) {
    return name(ticket.runKey(), ticket.dry());
  }

  private static String name(String runKey, boolean dry) {
    return dry ? "dry-" + runKey : runKey;
  }
}
