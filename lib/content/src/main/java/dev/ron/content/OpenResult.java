package dev.ron.content;

/** What became of an open. */
public sealed interface OpenResult {
  /** The reader is the caller's to close. */
  record Opened(ContentReader reader) implements OpenResult {}

  record Refused(ContentFault fault) implements OpenResult {}

  /** For callers where a fault is a bug, such as tests. */
  default ContentReader orThrow() {
    return switch (this) {
      case Opened(ContentReader reader) -> reader;
      case Refused(ContentFault fault) -> throw new IllegalStateException(fault.toString());
    };
  }
}
