package dev.ron.storage.cluster.reference;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a machine keeps what it accepted.
 *
 * <p>Threading: thread-safe; no two records of one object are put at a time.
 */
interface OwnerStore {
  /**
   * What was there at the start.
   *
   * @param ceiling that no promise was above
   * @param level whether it is all that the machine ever accepted
   */
  record Loaded(List<OwnerRecord> records, long ceiling, boolean level) {
    public Loaded {
      records = List.copyOf(records);
    }
  }

  Loaded load();

  /**
   * Durable when this returns.
   *
   * @param before what it replaces
   */
  void put(OwnerRecord record, @Nullable OwnerRecord before)
      throws IOException, InterruptedException;

  /** No promise will be above; durable when this returns. */
  void ceiling(long counter) throws IOException, InterruptedException;

  /** All that the machine ever accepted is there; durable when this returns. */
  void level() throws IOException, InterruptedException;

  /**
   * Deletes what later records have replaced, and writes again what a directory has lost.
   *
   * @param all that should be there
   */
  void sweep(Collection<OwnerRecord> all) throws InterruptedException;
}
