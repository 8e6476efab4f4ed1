package dev.ron.kernel.channel;

/** What a wait for an item ended with. */
public sealed interface ReceiveOutcome<T> {
  /** An item, which is now the receiver's alone. */
  record Item<T>(T value) implements ReceiveOutcome<T> {}

  /** The deadline passed first. */
  record Late<T>() implements ReceiveOutcome<T> {}

  /** The channel is closed and everything that was in it has been received. */
  record Ended<T>() implements ReceiveOutcome<T> {}
}
