package dev.ron.rewarder.settle;

import dev.ron.rewarder.core.payout.DoubleEntry;
import dev.ron.rewarder.core.payout.Intent;
import dev.ron.rewarder.ledger.EmbeddedLedger;
import java.io.IOException;
import java.util.List;

/**
 * The ledger in this process.
 *
 * <p>Threading: as the ledger's.
 */
public record EmbeddedSink(EmbeddedLedger ledger) implements LedgerSink {
  /** Intents per flush of the disk. */
  private static final int BATCH_MAX = 1024;

  @Override
  public Taken send(DoubleEntry.Book run, List<Intent> intents)
      throws IOException, InterruptedException {
    return switch (ledger.post(run, intents)) {
      case EmbeddedLedger.PostResult.Accepted(int fresh, int duplicates) ->
          new Taken.Accepted(fresh, duplicates);
      case EmbeddedLedger.PostResult.Refused(String why) -> new Taken.Refused(why);
    };
  }

  @Override
  public int batchMax() {
    return BATCH_MAX;
  }

  @Override
  public boolean isShared() {
    return false;
  }
}
