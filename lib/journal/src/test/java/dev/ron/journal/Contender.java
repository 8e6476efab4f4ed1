package dev.ron.journal;

/**
 * A log that is measured.
 *
 * <p>Threading: thread-safe.
 */
interface Contender {
  String name();

  /** Returns when the record would survive a crash. */
  void appendDurably(byte[] record) throws Exception;

  /** Lets go of everything. */
  void end() throws Exception;
}
