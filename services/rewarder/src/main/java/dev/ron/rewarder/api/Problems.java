package dev.ron.rewarder.api;

import dev.ron.http.Refusal;
import dev.ron.rewarder.RewarderFault;

/**
 * The one place where a fault of the rewarder becomes a status; a new fault breaks the build here.
 */
public final class Problems {
  private Problems() {}

  static int status(RewarderFault fault) {
    return switch (fault) {
      case RewarderFault.Schema _ -> 400;
      case RewarderFault.Unknown _ -> 404;
      case RewarderFault.OtherInputs _, RewarderFault.Quarantined _ -> 409;
      case RewarderFault.BadInput _, RewarderFault.UnsignedPolicy _ -> 422;
      case RewarderFault.Busy _ -> 429;
      case RewarderFault.SealBroken _, RewarderFault.InputUnavailable _ -> 502;
      case RewarderFault.Unavailable _ -> 503;
    };
  }

  static Refusal refusal(RewarderFault fault) {
    return new Refusal(status(fault), fault);
  }

  static Refusal unknown(String what) {
    return refusal(new RewarderFault.Unknown(what));
  }

  static Refusal schema(String detail) {
    return refusal(new RewarderFault.Schema(detail));
  }
}
