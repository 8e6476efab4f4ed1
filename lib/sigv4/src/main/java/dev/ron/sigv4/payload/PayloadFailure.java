package dev.ron.sigv4.payload;

import dev.ron.sigv4.SignatureFault;
import java.io.IOException;

/**
 * A body that is not what its request announced; the fault says why.
 *
 * <p>An exception, because a stream has no other way to end than at its end: what was read before
 * must not be kept.
 *
 * <p>Threading: immutable.
 */
public final class PayloadFailure extends IOException {
  private static final long serialVersionUID = 1;

  private final transient SignatureFault fault;

  public PayloadFailure(SignatureFault fault) {
    super(fault.code() + ": " + fault.detail());
    this.fault = fault;
  }

  public SignatureFault fault() {
    return fault;
  }
}
