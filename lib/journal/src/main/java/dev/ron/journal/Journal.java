package dev.ron.journal;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A log that keeps its records: they are replayed after a crash, read one by one, and trimmed once
 * a snapshot stands for them.
 *
 * <p>What was flushed is replayed after any crash, in order and without gaps. What was appended and
 * not flushed is replayed up to some point, or not at all; that point may lie between two records
 * of one append, so what must be seen whole is one record.
 *
 * <p>Threading: as {@link AppendLog} says; snapshots and trims from one thread at a time.
 */
public interface Journal extends AppendLog {
  /** The position of the oldest record that is still here. */
  long first();

  /**
   * Hands over every flushed record from {@code from} on, in order. Positions that a salvage could
   * not save are passed over.
   *
   * @return the position after the last one
   */
  long replay(long from, RecordConsumer consumer) throws IOException;

  /** Reads single records again; each cursor for one thread. */
  Cursor cursor();

  /**
   * Keeps the state that all records before {@code position} lead to.
   *
   * @param position not past what is flushed: a snapshot must not know more than the log
   * @param needed the oldest record that the state refers to and does not hold itself; it and all
   *     behind it stay as long as this snapshot does
   */
  void snapshot(long position, long needed, Body body) throws IOException;

  /** Keeps a state that holds all it needs. */
  default void snapshot(long position, Body body) throws IOException {
    snapshot(position, position, body);
  }

  /** The newest snapshot whose every byte is right; replay goes on at its position. */
  Optional<StoredSnapshot> newestSnapshot() throws IOException;

  /**
   * Lets go of records before {@code before}, as far as no kept snapshot needs them.
   *
   * @return the position of the oldest record now
   */
  long trim(long before) throws IOException;

  /** Writes a state; may take as long as it likes, and is not seen before it is whole. */
  @FunctionalInterface
  interface Body {
    void write(OutputStream out) throws IOException;
  }

  /** A way back to single records. */
  @FunctionalInterface
  interface Cursor {
    /**
     * The payload of one record, valid until the next call.
     *
     * @param position flushed, and not before what the kept snapshots need
     * @throws JournalException if it was trimmed, or is not what was written
     */
    ByteBuffer read(long position) throws IOException;
  }

  /** Gets one record; the payload is valid during the call only. */
  @FunctionalInterface
  interface RecordConsumer {
    void accept(long position, ByteBuffer payload) throws IOException;
  }
}
