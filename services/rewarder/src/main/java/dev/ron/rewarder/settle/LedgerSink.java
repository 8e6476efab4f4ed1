package dev.ron.rewarder.settle;

import dev.ron.rewarder.core.payout.DoubleEntry;
import dev.ron.rewarder.core.payout.Intent;
import java.io.IOException;
import java.util.List;

/** A ledger that takes intents, each key once. */
public interface LedgerSink {
  /** The outcome of a batch. */
  sealed interface Taken {
    /** All are in the ledger now, some of them since before. */
    record Accepted(int fresh, int duplicates) implements Taken {}

    /** The ledger refuses them for good. */
    record Refused(String why) implements Taken {}
  }

  /**
   * @throws IOException if their outcome is unknown; they are sent again
   */
  Taken send(DoubleEntry.Book run, List<Intent> intents) throws IOException, InterruptedException;

  int batchMax();

  /** Whether the machines of a cluster all pay into it; else each has one of its own. */
  default boolean isShared() {
    return true;
  }
}
