package dev.ron.kernel.fault;

import java.time.Duration;
import java.util.Optional;

/** What the kernel itself can refuse or fail, in order of precedence. */
public sealed interface KernelFault extends Fault {
  /** The task or service is going down and takes nothing new. */
  record Draining(String what) implements KernelFault {
    @Override
    public String code() {
      return "draining";
    }

    @Override
    public Blame blame() {
      return Blame.US;
    }

    @Override
    public String detail() {
      return what + " is shutting down; send the request to another instance or later";
    }

    @Override
    public Optional<Duration> retryAfter() {
      return Optional.of(Duration.ofSeconds(5));
    }
  }

  /** A bounded queue or limit was full. */
  record Busy(String queue, int capacity, Duration rest) implements KernelFault {
    @Override
    public String code() {
      return "busy";
    }

    @Override
    public Blame blame() {
      return Blame.US;
    }

    @Override
    public String detail() {
      return "%s is full at %d; retry after the time given".formatted(queue, capacity);
    }

    @Override
    public Optional<Duration> retryAfter() {
      return Optional.of(rest);
    }
  }

  /** A deadline passed before the work was done. */
  record Timeout(String op, Duration limit) implements KernelFault {
    @Override
    public String code() {
      return "timeout";
    }

    @Override
    public Blame blame() {
      return Blame.US;
    }

    @Override
    public String detail() {
      return "%s took longer than its limit of %d ms".formatted(op, limit.toMillis());
    }
  }

  /** A dependency keeps failing and is left alone for a while. */
  record BreakerOpen(String breaker, Duration rest) implements KernelFault {
    @Override
    public String code() {
      return "breaker-open";
    }

    @Override
    public Blame blame() {
      return Blame.UPSTREAM;
    }

    @Override
    public String detail() {
      return breaker + " failed too often and is not called until it had time to recover";
    }

    @Override
    public Optional<Duration> retryAfter() {
      return Optional.of(rest);
    }
  }
}
