package dev.ron.storage.s3.cluster;

import dev.ron.kernel.Scope;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.kernel.time.Deadline;
import dev.ron.storage.cluster.node.ClusterNode;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.Names;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Deletes this machine's bytes of blocks that are condemned, and says so in the log.
 *
 * <p>As long as the log does not say that this machine has deleted a block, no request can have
 * stored it anew. So the log must not get to say it while bytes are deleted here: what was said
 * before and may still be on its way is made void first, by saying something else.
 *
 * <p>Threading: steps from one thread at a time.
 */
final class BlockBurial implements Task {
  private static final int BLOCKS_MAX = 256;
  private static final Duration CHANGE_LIMIT = Duration.ofSeconds(30);

  private final Scope scope;
  private final Names names;
  private final ClusterNode local;
  private final Duration period;
  private Instant due = Instant.MIN;

  /** Whether the log has all that this machine has said, or never will. */
  private boolean settled;

  BlockBurial(Scope scope, Names names, ClusterNode local, Duration period) {
    this.scope = scope;
    this.names = names;
    this.local = local;
    this.period = period;
  }

  @Override
  public Next run(Instant now) throws Exception {
    if (now.isBefore(due)) {
      return Next.at(due);
    }
    boolean more =
        !names.view().condemned(local.name(), null, 1).isEmpty()
            && Deadline.in(CHANGE_LIMIT, scope.time()).call(this::step);
    if (!more) {
      due = now.plus(period);
    }
    return more ? Next.again() : Next.at(due);
  }

  /** Whether there may be more. */
  private boolean step() throws Exception {
    if (!settled) {
      say(List.of());
    }
    List<NameCommand.Condemned> blocks = names.view().condemned(local.name(), null, BLOCKS_MAX);
    var deleted = new ArrayList<NameCommand.Condemned>();
    for (NameCommand.Condemned each : blocks) {
      try {
        local.delete(each.block());
        deleted.add(each);
      } catch (IOException busy) {
        scope.log().info("block-busy", "block", each.block(), "why", busy.toString());
      }
    }
    if (!deleted.isEmpty()) {
      say(deleted);
    }
    return deleted.size() == BLOCKS_MAX;
  }

  private void say(List<NameCommand.Condemned> deleted) throws Exception {
    settled = false;
    names.changed(new NameCommand.Bury(local.name(), deleted, scope.time().wall().toEpochMilli()));
    settled = true;
  }
}
