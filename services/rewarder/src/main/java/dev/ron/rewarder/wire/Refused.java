package dev.ron.rewarder.wire;

import dev.ron.rewarder.RewarderFault;
import java.io.IOException;

/**
 * Carries a fault out of code that is in the middle of reading.
 *
 * <p>Expected, hence without a stack trace.
 */
public final class Refused extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient RewarderFault fault;

  public Refused(RewarderFault fault) {
    super(fault.code() + ": " + fault.detail());
    this.fault = fault;
  }

  public static Refused badInput(String detail) {
    return new Refused(new RewarderFault.BadInput(detail));
  }

  public RewarderFault fault() {
    return fault;
  }

  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
