package dev.ron.edge.cache;

import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

/**
 * Replaces the heads' history by their state once the history outgrows it.
 *
 * <p>Threading: steps from one thread at a time.
 */
public final class HeadSnapshot implements Task {
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  /** Less is read back in a moment. */
  private static final long BYTES_MIN = 16 << 20;

  /** What a head takes in the journal, roughly; only to compare history with state. */
  private static final long HEAD_BYTES = 512;

  private final LiveCache cache;
  private final HeadJournal journal;

  public HeadSnapshot(LiveCache cache, HeadJournal journal) {
    this.cache = cache;
    this.journal = journal;
  }

  @Override
  public Next run(Instant now) throws IOException {
    if (journal.bytesSinceSnapshot() > BYTES_MIN) {
      long position = journal.settled();
      var state = cache.kept();
      if (journal.bytesSinceSnapshot() > 2 * HEAD_BYTES * state.size()) {
        journal.snapshot(position, state);
      }
    }
    return Next.at(now.plus(LOOK_EVERY));
  }
}
