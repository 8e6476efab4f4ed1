package dev.ron.edge.api;

import dev.ron.edge.EdgeFault;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Answer;

/** The one place where a fault of the edge becomes a status; a new fault breaks the build here. */
public final class EdgeProblems {
  private EdgeProblems() {}

  public static int status(EdgeFault fault) {
    return switch (fault) {
      case EdgeFault.CapAuth _ -> 401;
      case EdgeFault.CapScope _, EdgeFault.NotAllowed _ -> 403;
      case EdgeFault.NotFound _ -> 404;
      case EdgeFault.PreconditionFailed _ -> 412;
      case EdgeFault.InvalidRange _ -> 416;
      case EdgeFault.Busy _ -> 429;
      case EdgeFault.BodyCap _,
          EdgeFault.DecompressCap _,
          EdgeFault.EtagInvalid _,
          EdgeFault.Upstream _ ->
          502;
      case EdgeFault.Amnesia _, EdgeFault.Unavailable _ -> 503;
      case EdgeFault.NotCached _, EdgeFault.Offline _, EdgeFault.UpstreamTimeout _ -> 504;
    };
  }

  public static Refusal refusal(EdgeFault fault) {
    return new Refusal(status(fault), fault);
  }

  public static Answer answer(EdgeFault fault) {
    return Answer.problem(status(fault), fault);
  }
}
