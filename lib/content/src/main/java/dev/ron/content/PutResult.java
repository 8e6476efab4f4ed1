package dev.ron.content;

import dev.ron.blake3.Address;

/** What became of a put. */
public sealed interface PutResult {
  /**
   * The object is durable.
   *
   * @param fresh false if it was there before
   */
  record Stored(Address address, long sizeBytes, boolean fresh) implements PutResult {}

  record Refused(ContentFault fault) implements PutResult {}

  /** For callers where a fault is a bug, such as tests. */
  default Stored orThrow() {
    return switch (this) {
      case Stored stored -> stored;
      case Refused(ContentFault fault) -> throw new IllegalStateException(fault.toString());
    };
  }
}
