package dev.ron.rewarder.task;

import dev.ron.rewarder.core.DoubleEntry;
import dev.ron.rewarder.core.Intent;
import dev.ron.rewarder.disk.LedgerBook;
import java.io.IOException;
import java.util.List;

/**
 * The ledger in this process.
 *
 * <p>Threading: as the ledger's.
 */
public record EmbeddedSink(LedgerBook ledger) implements Sink {
  /** One flush of the disk for so many. */
  private static final int BATCH_MAX = 1024;

  @Override
  public Taken send(DoubleEntry.Book run, List<Intent> intents)
      throws IOException, InterruptedException {
    return switch (ledger.post(run, intents)) {
      case LedgerBook.Posted.Accepted(int fresh, int duplicates) ->
          new Taken.Accepted(fresh, duplicates);
      case LedgerBook.Posted.Refused(String why) -> new Taken.Refused(why);
    };
  }

  @Override
  public int batchMax() {
    return BATCH_MAX;
  }
}
