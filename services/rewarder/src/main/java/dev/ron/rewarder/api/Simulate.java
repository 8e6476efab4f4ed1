package dev.ron.rewarder.api;

import dev.ron.blake3.Address;
import dev.ron.capability.caveat.Owner;
import dev.ron.http.Refusal;
import dev.ron.http.json.Field;
import dev.ron.http.json.Fields;
import dev.ron.http.json.Form;
import dev.ron.http.server.Verb;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.kernel.time.Deadline;
import dev.ron.rewarder.RewarderFault;
import dev.ron.rewarder.artifact.AllocationReader;
import dev.ron.rewarder.core.Allocation;
import dev.ron.rewarder.core.Inputs;
import dev.ron.rewarder.core.Manifest;
import dev.ron.rewarder.core.RunBook;
import dev.ron.rewarder.core.RunStatus;
import dev.ron.rewarder.core.Simulation;
import dev.ron.rewarder.core.Wide;
import dev.ron.rewarder.epoch.ComputedRun;
import dev.ron.rewarder.epoch.WorkerJob;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /rewarder/simulate}: past epochs under another policy; which actors gain and which
 * lose.
 *
 * <p>Threading: immutable.
 */
record Simulate(RewarderContext context) implements Verb<Simulate.Request, Simulate.Reply> {
  private static final int EPOCHS_MAX = 100;

  /** Lines read at a time, in step with those of the other policy. */
  private static final int PAGE_LINES = 4096;

  static final String EPOCH_EXAMPLE = "2026-01";

  static final Form FORM =
      Form.of(
          RewarderFault.Schema::new,
          Field.text("policy")
              .about("Address of the other policy.")
              .example(Compute.POLICY_EXAMPLE),
          Field.texts("epochs", EPOCHS_MAX)
              .nullable()
              .about("Closed epochs.")
              .example(List.of(EPOCH_EXAMPLE)));

  record Request(Address policy, List<String> epochs, Owner owner, Duration limit) {}

  record Change(String actor, String afterMinor, String beforeMinor) {
    static List<Change> of(List<Simulation.Change> changes) {
      return changes.stream()
          .map(each -> new Change(each.actor(), each.after().toString(), each.before().toString()))
          .toList();
    }
  }

  /** A run that would be quarantined has a reason and nothing to compare. */
  record Epoch(
      String epoch,
      @Nullable String gainedMinor,
      @Nullable Long gainers,
      @Nullable Long losers,
      @Nullable String lostMinor,
      @Nullable List<Change> mostGained,
      @Nullable List<Change> mostLost,
      @Nullable String paidMinor,
      @Nullable String paidMinorBefore,
      @Nullable Object reason,
      String status,
      @Nullable Long unchanged) {}

  record Reply(List<Epoch> epochs, String policy) {}

  @Override
  public Request parse(Exchange exchange) throws IOException {
    Fields form = RewarderContext.form(exchange, FORM);
    return new Request(
        RewarderContext.address(form, "policy"),
        form.texts("epochs"),
        EpochName.owner(exchange),
        RewarderContext.limit(exchange));
  }

  @Override
  public Reply handle(Request request) throws Refusal, InterruptedException {
    var epochs = new ArrayList<Epoch>();
    for (String epoch : request.epochs()) {
      Owner owner = request.owner();
      Manifest before = closed(owner, epoch);
      Inputs old = RewarderContext.inputs(before, owner);
      var inputs = new Inputs(old.epoch(), old.accounting(), old.ledger(), request.policy(), owner);
      WorkerJob.Probe<Epoch> probe =
          context
              .rewarder()
              .probe(
                  inputs,
                  computed -> compared(owner.shown(before.epoch()), before, computed),
                  Deadline.current());
      epochs.add(RewarderContext.value(probe.await(), "simulate", request.limit()));
    }
    return new Reply(epochs, request.policy().toString());
  }

  private Manifest closed(Owner owner, String epoch) throws Refusal {
    return context
        .rewarder()
        .runs()
        .shown(EpochName.of(owner, epoch).kept())
        .map(RunBook.Entry::manifest)
        .filter(manifest -> manifest.status() == RunStatus.CLOSED)
        .orElseThrow(() -> RewarderContext.unknown("closed run of epoch " + epoch));
  }

  private Epoch compared(String epoch, Manifest before, ComputedRun computed) throws IOException {
    Manifest after = computed.manifest();
    if (after.status() == RunStatus.QUARANTINED) {
      Object reason = after.fields().getOrDefault("reason", "unknown");
      return new Epoch(
          epoch,
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          null,
          reason,
          after.text("status"),
          null);
    }
    var simulation = new Simulation();
    try (AllocationReader old =
            context.rewarder().artifacts().allocations(before.runKey(), false, before.poolCount());
        var fresh =
            new AllocationReader(
                context.rewarder().artifacts().disk(), computed.draft(), computed.pools())) {
      join(new Pages(old), new Pages(fresh), simulation);
    }
    return new Epoch(
        epoch,
        simulation.gained().toString(),
        simulation.gainers(),
        simulation.losers(),
        simulation.lost().toString(),
        Change.of(simulation.mostGained()),
        Change.of(simulation.mostLost()),
        after.text("paid_minor"),
        before.text("paid_minor"),
        null,
        after.text("status"),
        simulation.same());
  }

  /** Both are in the order of actors; an actor that is missing on one side has nothing there. */
  private static void join(Pages old, Pages fresh, Simulation simulation) throws IOException {
    Optional<Allocation> a = old.next();
    Optional<Allocation> b = fresh.next();
    while (a.isPresent() || b.isPresent()) {
      int order =
          a.isEmpty()
              ? 1
              : b.isEmpty() ? -1 : Pages.ORDER.compare(a.get().actor(), b.get().actor());
      if (order <= 0 && a.isPresent()) {
        Wide after = order == 0 && b.isPresent() ? b.get().amount() : Wide.ZERO;
        simulation.compare(a.get().actor(), a.get().amount(), after);
      } else if (b.isPresent()) {
        simulation.compare(b.get().actor(), Wide.ZERO, b.get().amount());
      }
      a = order <= 0 ? old.next() : a;
      b = order >= 0 ? fresh.next() : b;
    }
  }

  /** Lines one by one, read by the page. */
  private static final class Pages {
    static final java.util.Comparator<String> ORDER =
        (x, y) ->
            java.util.Arrays.compareUnsigned(
                x.getBytes(java.nio.charset.StandardCharsets.UTF_8),
                y.getBytes(java.nio.charset.StandardCharsets.UTF_8));

    private final AllocationReader reader;
    private List<Allocation> page = List.of();
    private int at;
    private long line = 1;

    Pages(AllocationReader reader) {
      this.reader = reader;
    }

    Optional<Allocation> next() throws IOException {
      if (at == page.size()) {
        var more = new ArrayList<Allocation>();
        reader.from(
            line,
            each -> {
              more.add(each);
              return more.size() < PAGE_LINES;
            });
        page = more;
        at = 0;
        line += more.size();
      }
      return page.isEmpty() ? Optional.empty() : Optional.of(page.get(at++));
    }
  }
}
