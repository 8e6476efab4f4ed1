package dev.ron.storage.s3.cluster;

import dev.ron.kernel.Scope;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.kernel.time.Deadline;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.Names;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Says of machines that keep the log no more that they have deleted what they had to: nothing reads
 * their bytes again, and the same bytes could not be put as long as one of them owes a delete.
 *
 * <p>Threading: steps from one thread at a time.
 */
final class FormerMachines implements Task {
  private static final int BLOCKS_MAX = 256;
  private static final Duration CHANGE_LIMIT = Duration.ofSeconds(30);

  private final Scope scope;
  private final Names names;
  private final Supplier<Set<String>> machines;
  private final Duration period;
  private Instant due = Instant.MIN;

  /**
   * @param machines those that keep the log or are about to; empty if that is not known
   */
  FormerMachines(Scope scope, Names names, Supplier<Set<String>> machines, Duration period) {
    this.scope = scope;
    this.names = names;
    this.machines = machines;
    this.period = period;
  }

  @Override
  public Next run(Instant now) throws Exception {
    if (now.isBefore(due)) {
      return Next.at(due);
    }
    Set<String> known = machines.get();
    Map<String, List<NameCommand.Condemned>> owed =
        known.isEmpty() ? Map.of() : names.view().condemnedElsewhere(known, BLOCKS_MAX);
    for (var each : owed.entrySet()) {
      var said =
          new NameCommand.Bury(each.getKey(), each.getValue(), scope.time().wall().toEpochMilli());
      Deadline.in(CHANGE_LIMIT, scope.time()).call(() -> names.changed(said));
      scope
          .log()
          .info("former-machine", "machine", each.getKey(), "blocks", each.getValue().size());
    }
    if (owed.isEmpty()) {
      due = now.plus(period);
      return Next.at(due);
    }
    return Next.again();
  }
}
