package dev.ron.journal;

/** The answer to an append. */
public sealed interface AppendResult {
  /**
   * The records have the positions {@code first} to {@code next - 1}; they are durable when {@code
   * next} is flushed.
   */
  record Taken(long first, long next) implements AppendResult {}

  /** Nothing was taken. */
  record Refused(JournalFault fault) implements AppendResult {}
}
