package dev.ron.rewarder;

import java.io.IOException;

/**
 * Carries a fault out of code that is in the middle of reading.
 *
 * <p>Expected, hence without a stack trace.
 */
public final class RewarderFaultException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient RewarderFault fault;

  public RewarderFaultException(RewarderFault fault) {
    super(fault.code() + ": " + fault.detail());
    this.fault = fault;
  }

  public static RewarderFaultException badInput(String detail) {
    return new RewarderFaultException(new RewarderFault.BadInput(detail));
  }

  public RewarderFault fault() {
    return fault;
  }

  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
