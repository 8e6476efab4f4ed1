package dev.ron.kernel.fault;

import static dev.ron.kernel.fault.Said.upstream;
import static dev.ron.kernel.fault.Said.us;

import java.time.Duration;

/** What the kernel itself can refuse or fail, in order of precedence. */
public sealed interface KernelFault extends Fault {
  /** The task or service is going down and takes nothing new. */
  record Draining(String what) implements KernelFault {}

  /** A bounded queue or limit was full. */
  record Busy(String queue, int capacity, Duration rest) implements KernelFault {}

  /**
   * A deadline passed before the work was done.
   *
   * @param limit zero where only the deadline is known, and not when the work began
   */
  record Timeout(String op, Duration limit) implements KernelFault {}

  /** A dependency keeps failing and is left alone for a while. */
  record BreakerOpen(String breaker, Duration rest) implements KernelFault {}

  @Override
  default Said said() {
    return switch (this) {
      case Draining(var what) ->
          us(
                  503,
                  "draining",
                  what + " is shutting down; send the request to another instance or later")
              .after(Duration.ofSeconds(5));
      case Busy(var queue, var capacity, var rest) ->
          us(429, "busy", queue + " is full at " + capacity + "; retry after the time given")
              .after(rest);
      case Timeout(var op, var limit) ->
          us(
              504,
              "timeout",
              limit.isZero()
                  ? op + " did not end before its deadline"
                  : op + " took longer than its limit of " + limit.toMillis() + " ms");
      case BreakerOpen(var breaker, var rest) ->
          upstream(
                  503,
                  "breaker-open",
                  breaker + " failed too often and is not called until it had time to recover")
              .after(rest);
    };
  }
}
