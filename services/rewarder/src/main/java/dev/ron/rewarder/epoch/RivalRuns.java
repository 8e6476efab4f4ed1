package dev.ron.rewarder.epoch;

import dev.ron.kernel.Scope;
import dev.ron.rewarder.artifact.Artifacts;
import dev.ron.rewarder.core.Manifest;
import dev.ron.rewarder.core.RunStatus;
import dev.ron.rewarder.core.payout.Settlements;
import dev.ron.rewarder.ledger.Outbox;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Closed runs of one epoch in a folder where there should be one: earlier versions could leave two
 * when the disk failed.
 *
 * <p>The epoch stays with the run of which the ledger has most lines, then with the smaller key, so
 * that every start decides alike. The others are moved to {@code set-aside}, as they are, and are
 * neither shown nor paid; {@code /readyz} tells of them until an operator has removed the folder.
 *
 * <p>Threading: used once, before there is a door.
 */
record RivalRuns(Scope scope, Artifacts artifacts, Outbox outbox) {
  void setAside() throws IOException {
    Map<String, List<Manifest>> epochs =
        artifacts.all(false).stream()
            .filter(run -> run.status() == RunStatus.CLOSED)
            .collect(Collectors.groupingBy(Manifest::epoch, TreeMap::new, Collectors.toList()));
    Comparator<Manifest> order =
        Comparator.comparingLong(this::paidLines).reversed().thenComparing(Manifest::runKey);
    for (List<Manifest> runs : epochs.values()) {
      for (Manifest rival : runs.stream().sorted(order).skip(1).toList()) {
        artifacts.setAside(rival.runKey());
      }
    }
    for (Manifest rival : artifacts.setAside()) {
      tell(rival);
    }
  }

  private long paidLines(Manifest run) {
    return outbox.of(run.runKey()).map(Settlements.Progress::next).orElse(1L) - 1;
  }

  private void tell(Manifest rival) {
    String words =
        "run %s of epoch %s is set aside: another run closed that epoch; the ledger has %d of its %d lines"
            .formatted(rival.runKey(), rival.epoch(), paidLines(rival), rival.number("lines"));
    scope.readiness().note("set-aside " + rival.runKey(), words);
    scope.log().error("run-set-aside", "epoch", rival.epoch(), "why", words);
  }
}
