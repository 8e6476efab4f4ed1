package dev.ron.storage.s3.cluster;

import dev.ron.blake3.Address;
import dev.ron.content.ContentStat;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Time;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.Names;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Notes blocks that no name leads to: their request, or its machine, ended between the bytes and
 * the name, or a repair brought back what was deleted. And lets go of notes of blocks that were
 * deleted long ago.
 *
 * <p>No row leads to such a block, so all blocks are looked through, a page in each period. One
 * that has no name when the grace is over is garbage.
 *
 * <p>Threading: steps from one thread at a time.
 */
final class OrphanNotes implements Task {
  private static final int PAGE_BLOCKS = 1024;
  private static final int NOTED_MAX = 1 << 16;
  private static final Duration CHANGE_LIMIT = Duration.ofSeconds(30);

  /** A request that names blocks may take this long, and not longer. */
  private static final Duration REQUEST_LIMIT = Duration.ofDays(1);

  private final Names names;
  private final ObjectStore blocks;
  private final Time time;
  private final Duration grace;
  private final Duration period;
  private final Map<Address, Instant> noted = new HashMap<>();
  private Instant due = Instant.MIN;
  private @Nullable Address after;

  OrphanNotes(Names names, ObjectStore blocks, Time time, Duration grace, Duration period) {
    this.names = names;
    this.blocks = blocks;
    this.time = time;
    this.grace = grace;
    this.period = period;
  }

  @Override
  public Next run(Instant now) throws Exception {
    if (!now.isBefore(due)) {
      Deadline.in(CHANGE_LIMIT, time)
          .call(
              () -> {
                page(now);
                forget();
                return true;
              });
      due = now.plus(period);
    }
    return Next.at(due);
  }

  private void page(Instant now) throws Exception {
    noted.values().removeIf(at -> now.isAfter(at.plus(grace).plus(period.multipliedBy(2))));
    List<ContentStat> page = blocks.list(after, PAGE_BLOCKS);
    var found = new ArrayList<Address>();
    for (ContentStat each : page) {
      Address block = each.address();
      if (!noted.containsKey(block)
          && noted.size() < NOTED_MAX
          && !names.view().isReferenced(block)
          && !names.view().isCondemned(block)) {
        noted.put(block, now);
        found.add(block);
      }
    }
    if (!found.isEmpty()) {
      names.changed(new NameCommand.NoteOrphans(found, time.wall().toEpochMilli()));
    }
    after = page.size() < PAGE_BLOCKS ? null : page.getLast().address();
  }

  private void forget() throws Exception {
    long before = time.wall().minus(REQUEST_LIMIT).toEpochMilli();
    Optional<Long> last = names.view().buriedBefore(before, PAGE_BLOCKS);
    if (last.isPresent()) {
      names.changed(new NameCommand.ForgetBuried(last.get()));
    }
  }
}
