package dev.ron.rewarder;

import dev.ron.kernel.fault.Blame;
import dev.ron.kernel.fault.Fault;
import java.time.Duration;
import java.util.Optional;

/** What the rewarder refuses or fails, in order of precedence: the first that applies is told. */
public sealed interface RewarderFault extends Fault {
  @Override
  default Blame blame() {
    return Blame.CALLER;
  }

  /** The request is not in the form it must have; the detail names the field. */
  record Schema(String detail) implements RewarderFault {
    @Override
    public String code() {
      return "schema";
    }
  }

  /** Nothing here has that name. */
  record Unknown(String what) implements RewarderFault {
    @Override
    public String code() {
      return "unknown";
    }

    @Override
    public String detail() {
      return "there is no " + what + " here";
    }
  }

  /** The epoch belongs to a run with other inputs. */
  record OtherInputs(String epoch, String runKey) implements RewarderFault {
    @Override
    public String code() {
      return "other-inputs";
    }

    @Override
    public String detail() {
      return "epoch %s was run with other inputs, as run %s".formatted(epoch, runKey);
    }
  }

  /** The run is quarantined; its manifest says why. */
  record Quarantined(String epoch, String reason) implements RewarderFault {
    @Override
    public String code() {
      return "quarantined";
    }

    @Override
    public String detail() {
      return "the run of epoch %s is quarantined: %s; run it with mended inputs"
          .formatted(epoch, reason);
    }
  }

  /** An input is in its place and is not what it has to be. */
  record BadInput(String detail) implements RewarderFault {
    @Override
    public String code() {
      return "bad-input";
    }
  }

  /** Nobody who is trusted here has signed the policy. */
  record UnsignedPolicy(String detail) implements RewarderFault {
    @Override
    public String code() {
      return "unsigned-policy";
    }
  }

  /** A queue is full. */
  record Busy(String queue, int capacity) implements RewarderFault {
    private static final Duration REST = Duration.ofSeconds(1);

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
      return Optional.of(REST);
    }
  }

  /** The bytes at an address do not have it. */
  record SealBroken(String address) implements RewarderFault {
    @Override
    public String code() {
      return "seal-broken";
    }

    @Override
    public Blame blame() {
      return Blame.UPSTREAM;
    }

    @Override
    public String detail() {
      return "the bytes read for " + address + " have another address";
    }
  }

  /** An input could not be had now. */
  record InputUnavailable(String detail) implements RewarderFault {
    private static final Duration REST = Duration.ofSeconds(2);

    @Override
    public String code() {
      return "input-unavailable";
    }

    @Override
    public Blame blame() {
      return Blame.UPSTREAM;
    }

    @Override
    public Optional<Duration> retryAfter() {
      return Optional.of(REST);
    }
  }

  /** We cannot say what became of the request. */
  record Unavailable(String detail) implements RewarderFault {
    private static final Duration REST = Duration.ofSeconds(2);

    @Override
    public String code() {
      return "unavailable";
    }

    @Override
    public Blame blame() {
      return Blame.US;
    }

    @Override
    public Optional<Duration> retryAfter() {
      return Optional.of(REST);
    }
  }
}
