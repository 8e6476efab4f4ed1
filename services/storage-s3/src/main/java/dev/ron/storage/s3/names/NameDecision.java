package dev.ron.storage.s3.names;

import dev.ron.storage.s3.S3Fault;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a command leads to: rows to write, and what is answered.
 *
 * <p>Threading: owned by the thread that decides.
 */
public final class NameDecision {
  private final List<Change> changes = new ArrayList<>();
  private NameOutcome outcome = new NameOutcome.Done();

  /**
   * @param value null for a row that goes
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Change(byte[] key, byte @Nullable [] value) {}

  static NameDecision refused(S3Fault fault) {
    return new NameDecision().answer(new NameOutcome.Refused(fault));
  }

  NameDecision put(byte[] key, byte[] value) {
    changes.add(new Change(key, value));
    return this;
  }

  NameDecision delete(byte[] key) {
    changes.add(new Change(key, null));
    return this;
  }

  NameDecision answer(NameOutcome answer) {
    outcome = answer;
    return this;
  }

  public List<Change> changes() {
    return changes;
  }

  public NameOutcome outcome() {
    return outcome;
  }
}
