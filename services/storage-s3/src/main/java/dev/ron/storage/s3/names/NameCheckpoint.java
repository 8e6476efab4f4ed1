package dev.ron.storage.s3.names;

import dev.ron.journal.Journal;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.ordered.OrderedStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;

/**
 * Makes the rows durable from time to time, and lets go of the log that led to them.
 *
 * <p>What a start has to replay is what came since; the rows themselves are never written twice.
 *
 * <p>Threading: steps from one thread at a time.
 */
public final class NameCheckpoint implements Task {
  private final Journal journal;
  private final OrderedStore store;
  private final Duration period;
  private Instant due = Instant.MIN;

  /** The store's own index does not say whether the log was let go. */
  private long kept = OrderedStore.NOTHING_APPLIED;

  public NameCheckpoint(Journal journal, OrderedStore store, Duration period) {
    this.journal = journal;
    this.store = store;
    this.period = period;
  }

  @Override
  public Next run(Instant now) throws IOException {
    if (due.equals(Instant.MIN)) {
      due = now.plus(period);
    } else if (!now.isBefore(due)) {
      checkpoint();
      due = now.plus(period);
    }
    return Next.at(due);
  }

  /** The rows say how far they are; the log's snapshot only says that they do. */
  private void checkpoint() throws IOException {
    long durable = store.flush();
    if (durable > kept) {
      journal.snapshot(
          durable + 1, out -> out.write(ByteBuffer.allocate(Long.BYTES).putLong(durable).array()));
      journal.trim(durable + 1);
      kept = durable;
    }
  }

  @Override
  public void finish(Instant now) throws IOException {
    try {
      checkpoint();
    } finally {
      store.close();
    }
  }
}
