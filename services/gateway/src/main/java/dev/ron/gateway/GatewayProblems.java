package dev.ron.gateway;

import dev.ron.http.server.exchange.Answer;

/**
 * The one place where a fault of the gateway becomes a status; a new fault breaks the build here.
 */
public final class GatewayProblems {
  private GatewayProblems() {}

  public static int status(GatewayFault fault) {
    return switch (fault) {
      case GatewayFault.Quota _, GatewayFault.Busy _ -> 429;
      case GatewayFault.Upstream _ -> 502;
      case GatewayFault.Degraded _, GatewayFault.Draining _ -> 503;
    };
  }

  public static Answer answer(GatewayFault fault) {
    return Answer.problem(status(fault), fault);
  }
}
