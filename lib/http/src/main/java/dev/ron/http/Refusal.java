package dev.ron.http;

import dev.ron.kernel.fault.Fault;
import dev.ron.kernel.fault.KernelFault;
import java.io.IOException;

/**
 * Carries a fault out of code that is in the middle of reading or writing a body.
 *
 * <p>Expected, hence without a stack trace: a flood of bad requests must not pay for walking
 * stacks.
 */
public final class Refusal extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient Fault fault;
  private final int status;

  public Refusal(int status, Fault fault) {
    super(fault.code() + ": " + fault.detail());
    this.fault = fault;
    this.status = status;
  }

  public static Refusal of(HttpFault fault) {
    return new Refusal(fault.status(), fault);
  }

  public static Refusal of(KernelFault fault) {
    return new Refusal(HttpFault.statusOf(fault), fault);
  }

  public static Refusal malformed(String detail) {
    return of(new HttpFault.Malformed(detail));
  }

  public Fault fault() {
    return fault;
  }

  public int status() {
    return status;
  }

  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
