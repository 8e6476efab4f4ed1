package dev.ron.edge.cache;

import dev.ron.blake3.Address;
import dev.ron.content.ContentStat;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * Deletes objects that no stored answer needs any more, and lets go of answers for which their
 * tenant's share has become too small.
 *
 * <p>Threading: steps from one thread at a time.
 */
public final class Evictor implements Task {
  private static final int BATCH = 64;
  private static final int PAGE = 1000;
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  private final LiveCache cache;

  public Evictor(LiveCache cache) {
    this.cache = cache;
  }

  @Override
  public Next run(Instant now) throws InterruptedException {
    List<Address> batch = cache.deletions().receiveBatch(BATCH);
    for (Address address : batch) {
      delete(address);
    }
    if (!batch.isEmpty()) {
      return Next.again();
    }
    cache.holdShares();
    if (cache.sweepDue()) {
      sweep();
    }
    return Next.await(cache.deletions(), now.plus(LOOK_EVERY));
  }

  private void delete(Address address) throws InterruptedException {
    if (cache.references().claim(address)) {
      try {
        // A refusal leaves bytes that the next sweep finds.
        var _ = cache.store().delete(address);
      } finally {
        cache.references().deleted(address);
      }
    }
  }

  /** What a crash or a full queue left behind. */
  private void sweep() throws InterruptedException {
    Set<Address> needed = cache.needed();
    List<ContentStat> page = cache.store().list(null, PAGE);
    while (!page.isEmpty()) {
      for (ContentStat stat : page) {
        if (!needed.contains(stat.address())) {
          delete(stat.address());
        }
      }
      page = cache.store().list(page.getLast().address(), PAGE);
    }
  }
}
