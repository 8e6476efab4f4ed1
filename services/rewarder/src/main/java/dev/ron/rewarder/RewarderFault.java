package dev.ron.rewarder;

import static dev.ron.kernel.fault.Said.caller;
import static dev.ron.kernel.fault.Said.upstream;
import static dev.ron.kernel.fault.Said.us;

import dev.ron.kernel.fault.Fault;
import dev.ron.kernel.fault.Said;
import dev.ron.kernel.tenant.TenantFault;
import java.time.Duration;
import java.util.Map;

/**
 * What the rewarder refuses or fails, in order of precedence: the first that applies is the answer.
 */
public sealed interface RewarderFault extends Fault {
  /** The request is not in the form it must have; the detail names the field. */
  record Schema(String detail) implements RewarderFault {}

  /** There is nothing of that name here. */
  record Unknown(String what) implements RewarderFault {}

  /** The epoch belongs to a run with other inputs. */
  record OtherInputs(String epoch, String runKey) implements RewarderFault {}

  /** The run is quarantined; its manifest says why. */
  record Quarantined(String epoch, String reason) implements RewarderFault {}

  /** An input was found but is not valid. */
  record BadInput(String detail) implements RewarderFault {}

  /** No key that is trusted here has signed the policy. */
  record UnsignedPolicy(String detail) implements RewarderFault {}

  /** A queue is full. */
  record Busy(String queue, int capacity) implements RewarderFault {}

  /** The tenant whose epoch it is has as many under way as it may. */
  record OverCompute(TenantFault over) implements RewarderFault {
    @Override
    public Map<String, String> members() {
      return over.members();
    }
  }

  /** The bytes at an address do not hash to it. */
  record SealBroken(String address) implements RewarderFault {}

  /** An input could not be fetched now. */
  record InputUnavailable(String detail) implements RewarderFault {}

  /** A run did not end before the deadline of its epoch, and was given up. */
  record EpochOverdue(String epoch) implements RewarderFault {}

  /** The outcome of the request is not known. */
  record Unavailable(String detail) implements RewarderFault {}

  @Override
  default Said said() {
    return switch (this) {
      case Schema(var detail) -> caller(400, "schema", detail);
      case Unknown(var what) -> caller(404, "unknown", "there is no " + what + " here");
      case OtherInputs(var epoch, var runKey) ->
          caller(
              409,
              "other-inputs",
              "epoch %s was run with other inputs, as run %s".formatted(epoch, runKey));
      case Quarantined(var epoch, var reason) ->
          caller(
              409,
              "quarantined",
              "the run of epoch %s is quarantined: %s; run it with mended inputs"
                  .formatted(epoch, reason));
      case BadInput(var detail) -> caller(422, "bad-input", detail);
      case UnsignedPolicy(var detail) -> caller(422, "unsigned-policy", detail);
      case Busy(var queue, var capacity) ->
          us(429, "busy", "%s is full at %d; retry after the time given".formatted(queue, capacity))
              .after(Duration.ofSeconds(1));
      case OverCompute(var over) -> over.said();
      case SealBroken(var address) ->
          upstream(502, "seal-broken", "the bytes read for " + address + " have another address");
      case InputUnavailable(var detail) ->
          upstream(502, "input-unavailable", detail).after(Duration.ofSeconds(2));
      case EpochOverdue(var epoch) ->
          us(504, "epoch-overdue", "the run of epoch %s took too long; ask again".formatted(epoch))
              .after(Duration.ofSeconds(2));
      case Unavailable(var detail) -> us(503, "unavailable", detail).after(Duration.ofSeconds(2));
    };
  }
}
