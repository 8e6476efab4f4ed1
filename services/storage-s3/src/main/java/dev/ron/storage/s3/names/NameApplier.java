package dev.ron.storage.s3.names;

import dev.ron.ordered.OrderedStore;
import java.util.Optional;

/**
 * Brings commands into the rows in the order of their log, whatever keeps the log.
 *
 * <p>Every command has a position of its own, above that of the one before. The rows say up to
 * which they are, so a log that is read again goes on behind it.
 *
 * <p>Threading: owned by the thread that reads the log.
 */
public final class NameApplier {
  private final NameTable table;
  private final NameMachine machine;

  /**
   * @param memory told of what it changes, and that the rows may be others than before
   */
  NameApplier(OrderedStore store, RowMemory memory) {
    memory.forget();
    this.table = new NameTable(store, memory);
    this.machine = new NameMachine(table);
  }

  /** The position of the last command that was decided, or -1. */
  public long decided() {
    return table.decided();
  }

  NameOutcome decide(NameCommand command, long position) {
    return decide(command, NameMachine.NO_BURIALS, position);
  }

  /**
   * Decides the next command; others see what follows after {@link #bringIn}.
   *
   * @param since as {@link NameRequest#since}
   */
  public NameOutcome decide(NameCommand command, long since, long position) {
    // The first position is 0, and a sequence that is 0 is a draft's.
    long sequence = position + 1;
    NameDecision decision =
        machine.decide(command, since == Long.MAX_VALUE ? since : since + 1, sequence);
    table.take(decision, position);
    return decision.outcome();
  }

  /** A row as the next command sees it. */
  public Optional<byte[]> row(byte[] key) {
    return table.row(key);
  }

  /** Notes something besides commands, together with all before it. */
  public void note(byte[] key, byte[] value, long position) {
    table.take(new NameDecision().put(key, value), position);
  }

  /** Makes everything decided visible to all. */
  public void bringIn() {
    table.bringIn();
  }
}
