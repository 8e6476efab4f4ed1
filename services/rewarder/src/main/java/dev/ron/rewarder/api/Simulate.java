package dev.ron.rewarder.api;

import dev.ron.blake3.Address;
import dev.ron.http.Refusal;
import dev.ron.http.server.Answer;
import dev.ron.http.server.Blocking;
import dev.ron.rewarder.core.Allocation;
import dev.ron.rewarder.core.Inputs;
import dev.ron.rewarder.core.Manifest;
import dev.ron.rewarder.core.RunBook;
import dev.ron.rewarder.core.RunStatus;
import dev.ron.rewarder.core.Simulation;
import dev.ron.rewarder.core.Wide;
import dev.ron.rewarder.disk.AllocationReader;
import dev.ron.rewarder.task.Computed;
import dev.ron.rewarder.task.Work;
import dev.ron.rewarder.wire.Fields;
import dev.ron.rewarder.wire.JsonTree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code POST /rewarder/simulate}: past epochs under another policy; who gains and who loses.
 *
 * <p>Threading: immutable.
 */
record Simulate(Desk desk) {
  private static final int EPOCHS_MAX = 100;

  /** So many lines at a time, in step with the other policy's. */
  private static final int PAGE_LINES = 4096;

  Blocking handler() {
    return exchange -> {
      Fields form = Desk.form(exchange);
      Address policy;
      List<String> epochs;
      try {
        policy = Desk.address(form, "policy");
        epochs = form.texts("epochs", EPOCHS_MAX);
        form.end();
      } catch (JsonTree.Malformed malformed) {
        throw Problems.schema(malformed.words());
      }
      var answers = new ArrayList<Object>();
      for (String epoch : epochs) {
        Manifest before = closed(epoch);
        Inputs old = Desk.inputs(before);
        var inputs = new Inputs(old.epoch(), old.accounting(), old.ledger(), policy);
        Work.Probe<Map<String, Object>> probe =
            desk.rewarder()
                .probe(inputs, computed -> compared(before, computed), exchange.deadline());
        Optional<Map<String, Object>> seen = probe.await();
        if (seen.isEmpty()) {
          throw desk.late(exchange, probe.fault());
        }
        answers.add(seen.get());
      }
      return Answer.json(200, Desk.json(Map.of("policy", policy.toString(), "epochs", answers)));
    };
  }

  private Manifest closed(String epoch) throws Refusal {
    return desk.rewarder()
        .runs()
        .shown(Desk.epoch(epoch))
        .map(RunBook.Entry::manifest)
        .filter(manifest -> manifest.status() == RunStatus.CLOSED)
        .orElseThrow(() -> Problems.unknown("closed run of epoch " + epoch));
  }

  private Map<String, Object> compared(Manifest before, Computed computed) throws IOException {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("epoch", before.epoch());
    Manifest after = computed.manifest();
    fields.put("status", after.text("status"));
    if (after.status() == RunStatus.QUARANTINED) {
      fields.put("reason", after.fields().getOrDefault("reason", "unknown"));
      return fields;
    }
    var simulation = new Simulation();
    try (AllocationReader old =
            desk.rewarder().artifacts().allocations(before.runKey(), false, before.poolCount());
        var fresh =
            new AllocationReader(
                desk.rewarder().artifacts().disk(), computed.draft(), computed.pools())) {
      join(new Pages(old), new Pages(fresh), simulation);
    }
    fields.put("paid_minor", after.text("paid_minor"));
    fields.put("paid_minor_before", before.text("paid_minor"));
    fields.put("gainers", simulation.gainers());
    fields.put("losers", simulation.losers());
    fields.put("unchanged", simulation.same());
    fields.put("gained_minor", simulation.gained().toString());
    fields.put("lost_minor", simulation.lost().toString());
    fields.put("most_gained", changes(simulation.mostGained()));
    fields.put("most_lost", changes(simulation.mostLost()));
    return fields;
  }

  private static List<Object> changes(List<Simulation.Change> changes) {
    var list = new ArrayList<Object>();
    for (Simulation.Change each : changes) {
      list.add(
          Map.of(
              "actor",
              each.actor(),
              "before_minor",
              each.before().toString(),
              "after_minor",
              each.after().toString()));
    }
    return list;
  }

  /** Both are in the order of actors; whoever is missing on one side has nothing there. */
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
