package dev.ron.mailbox.journal;

import dev.ron.mailbox.core.Shard;
import dev.ron.mailbox.core.message.Fact;
import java.util.List;

/**
 * How a journal stands to those of other machines.
 *
 * <p>Threading: thread-safe.
 */
public interface ReplicationMode {
  /** The only one. */
  ReplicationMode ALONE =
      new ReplicationMode() {
        @Override
        public boolean alone() {
          return true;
        }

        @Override
        public boolean keeps(Fact fact) {
          return fact.kept();
        }

        @Override
        public List<Fact.Leased> leases(Shard shard) {
          return shard.durableLeases();
        }

        @Override
        public boolean decides() {
          return true;
        }

        @Override
        public long termChanges() {
          return 0;
        }

        @Override
        public boolean held() {
          return false;
        }
      };

  /** No other machine keeps these facts. */
  default boolean alone() {
    return false;
  }

  /** Whether a fact goes to the journal. */
  boolean keeps(Fact fact);

  /** What of a shard's leases goes to a snapshot. */
  List<Fact.Leased> leases(Shard shard);

  /** Whether facts are decided here. */
  boolean decides();

  /**
   * How often that changed. A shard that was captured before may know facts that never came to be.
   */
  long termChanges();

  /** Whether another machine is copying the journal, so that it must stay as it is. */
  boolean held();
}
