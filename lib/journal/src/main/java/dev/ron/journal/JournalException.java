package dev.ron.journal;

import java.io.IOException;

/** Carries a fault out of reading, where the caller has nothing to go on with. */
public final class JournalException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient JournalFault fault;

  public JournalException(JournalFault fault) {
    super(fault.detail());
    this.fault = fault;
  }

  public JournalFault fault() {
    return fault;
  }
}
