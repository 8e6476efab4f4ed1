package dev.ron.http;

import dev.ron.kernel.fault.Fault;
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

  /** With a status other than the fault's own. */
  public Refusal(int status, Fault fault) {
    this.fault = fault;
    this.status = status;
  }

  public static Refusal of(Fault fault) {
    return new Refusal(fault.status(), fault);
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

  /** Made only when asked for, which a refusal that becomes an answer never is. */
  @Override
  public String getMessage() {
    return fault.code() + ": " + fault.detail();
  }

  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
