package dev.ron.content;

import java.time.Instant;

/** What became of a delete. */
public sealed interface DeleteResult {
  /**
   * The object cannot be found any more.
   *
   * @param bytesGoFrom when its bytes may be reclaimed at the earliest
   */
  record Deleted(Instant bytesGoFrom) implements DeleteResult {}

  record Refused(ContentFault fault) implements DeleteResult {}

  /** For callers where a fault is a bug, such as tests. */
  default Deleted orThrow() {
    return switch (this) {
      case Deleted deleted -> deleted;
      case Refused(ContentFault fault) -> throw new IllegalStateException(fault.toString());
    };
  }
}
