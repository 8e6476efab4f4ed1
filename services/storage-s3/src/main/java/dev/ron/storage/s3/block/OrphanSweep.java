package dev.ron.storage.s3.block;

import dev.ron.blake3.Address;
import dev.ron.content.ContentStat;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.storage.s3.names.NameView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Deletes blocks that no name was ever given to: their request, or the whole process, ended between
 * the bytes and the name.
 *
 * <p>No row leads to such a block, so all blocks are looked through, a page in each period. One
 * that is found without a name twice, with the grace between, and was not wanted meanwhile, goes.
 *
 * <p>Threading: steps from one thread at a time.
 */
public final class OrphanSweep implements Task {
  private static final int PAGE_BLOCKS = 1024;

  private final NameView names;
  private final BlockStore blocks;
  private final Duration grace;
  private final Duration period;
  private Instant due = Instant.MIN;
  private @Nullable Address after;

  public OrphanSweep(NameView names, BlockStore blocks, Duration grace, Duration period) {
    this.names = names;
    this.blocks = blocks;
    this.grace = grace;
    this.period = period;
  }

  @Override
  public Next run(Instant now) throws InterruptedException {
    if (!now.isBefore(due)) {
      page(now);
      due = now.plus(period);
    }
    return Next.at(due);
  }

  private void page(Instant now) throws InterruptedException {
    List<ContentStat> page = blocks.store().list(after, PAGE_BLOCKS);
    for (ContentStat each : page) {
      look(each.address(), now);
    }
    after = page.size() < PAGE_BLOCKS ? null : page.getLast().address();
  }

  private void look(Address block, Instant now) throws InterruptedException {
    // Suspected first and looked up then: what is named in between was pinned in between.
    Optional<Instant> since = blocks.pins().suspect(block, now);
    if (since.isEmpty()) {
      return;
    }
    if (names.isReferenced(block)) {
      blocks.pins().acquit(block);
    } else if (since.get().isBefore(now) && !now.isBefore(since.get().plus(grace))) {
      delete(block, since.get());
    }
  }

  private void delete(Address block, Instant suspected) throws InterruptedException {
    if (!blocks.pins().beginDelete(block, suspected)) {
      return;
    }
    try {
      // What cannot be deleted now is found again.
      var _ = blocks.store().delete(block);
    } finally {
      blocks.pins().endDelete(block);
    }
  }
}
