package dev.ron.journal;

/** What a wait for the disk ended with. */
public sealed interface Durability {
  /** A crash does not lose it. */
  record Durable() implements Durability {}

  /** The deadline passed first; it may still get there. */
  record Late() implements Durability {}

  /** The journal has failed or ended: a later replay may bring the record or not. */
  record Unknown(JournalFault fault) implements Durability {}
}
