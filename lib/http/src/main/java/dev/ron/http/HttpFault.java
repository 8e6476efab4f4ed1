package dev.ron.http;

import dev.ron.kernel.fault.Blame;
import dev.ron.kernel.fault.Fault;
import dev.ron.kernel.fault.KernelFault;
import java.time.Duration;
import java.util.Optional;

/** What the HTTP layer itself refuses, in order of precedence, each with its one status. */
public sealed interface HttpFault extends Fault {
  int status();

  @Override
  default Blame blame() {
    return Blame.CALLER;
  }

  /** The message breaks the protocol; nothing after it on the connection can be trusted. */
  record Malformed(String detail) implements HttpFault {
    @Override
    public String code() {
      return "malformed";
    }

    @Override
    public int status() {
      return 400;
    }
  }

  /** Head or target longer than allowed; 414 for the request line, 431 for the fields. */
  record HeadCap(int status, String detail) implements HttpFault {
    @Override
    public String code() {
      return "head-cap";
    }
  }

  /** An HTTP version that is not served here. */
  record VersionUnsupported(String detail) implements HttpFault {
    @Override
    public String code() {
      return "version-unsupported";
    }

    @Override
    public int status() {
      return 505;
    }
  }

  /** The head or the body came slower than the read timeout allows. */
  record SlowSender(String what, Duration limit) implements HttpFault {
    @Override
    public String code() {
      return "slow-sender";
    }

    @Override
    public String detail() {
      return "%s stalled for longer than %d ms".formatted(what, limit.toMillis());
    }

    @Override
    public int status() {
      return 408;
    }
  }

  /** The request names another host than this door answers to. */
  record Misdirected(String host) implements HttpFault {
    @Override
    public String code() {
      return "misdirected";
    }

    @Override
    public String detail() {
      return "this door does not answer to the name %s; ask by address or as localhost, or add the"
              .formatted(host)
          + " name to node.hosts (for the gateway: gateway.hosts)";
    }

    @Override
    public int status() {
      return 421;
    }
  }

  /** No route has this path. */
  record NotFound(String detail) implements HttpFault {
    @Override
    public String code() {
      return "not-found";
    }

    @Override
    public int status() {
      return 404;
    }
  }

  /** The path is known, the method is not. */
  record MethodNotAllowed(String allowed) implements HttpFault {
    @Override
    public String code() {
      return "method-not-allowed";
    }

    @Override
    public String detail() {
      return "this path answers " + allowed;
    }

    @Override
    public int status() {
      return 405;
    }
  }

  /** An {@code Expect} that is not {@code 100-continue}. */
  record ExpectationFailed() implements HttpFault {
    @Override
    public String code() {
      return "expectation-failed";
    }

    @Override
    public String detail() {
      return "the only expectation met here is 100-continue";
    }

    @Override
    public int status() {
      return 417;
    }
  }

  /** The body is larger than the route takes. */
  record BodyCap(long bytesMax) implements HttpFault {
    @Override
    public String code() {
      return "body-cap";
    }

    @Override
    public String detail() {
      return "the body is longer than the " + bytesMax + " bytes taken here";
    }

    @Override
    public int status() {
      return 413;
    }
  }

  /** A coding or media type that is not taken here. */
  record Unsupported(String detail) implements HttpFault {
    @Override
    public String code() {
      return "unsupported";
    }

    @Override
    public int status() {
      return 415;
    }
  }

  /** No capability, or one that is worth nothing to anyone now. */
  record Unauth(String detail) implements HttpFault {
    @Override
    public String code() {
      return "unauth";
    }

    @Override
    public int status() {
      return 401;
    }
  }

  /** A good capability, but not for this. */
  record Forbidden(String detail) implements HttpFault {
    @Override
    public String code() {
      return "forbidden";
    }

    @Override
    public int status() {
      return 403;
    }
  }

  /**
   * More requests a second than may be.
   *
   * @param bound what they are more than, such as "this server takes"
   */
  record Quota(String bound, Duration rest) implements HttpFault {
    @Override
    public String code() {
      return "quota";
    }

    @Override
    public String detail() {
      return "more requests a second than " + bound + "; retry after the time given";
    }

    @Override
    public int status() {
      return 429;
    }

    @Override
    public Optional<Duration> retryAfter() {
      return Optional.of(rest);
    }
  }

  /** A bug of ours; the detail stays in the log. */
  record Internal() implements HttpFault {
    @Override
    public String code() {
      return "internal";
    }

    @Override
    public Blame blame() {
      return Blame.US;
    }

    @Override
    public String detail() {
      return "the request failed for a reason that is in this server's log under corr_id";
    }

    @Override
    public int status() {
      return 500;
    }
  }

  /** The one status of a kernel fault. */
  static int statusOf(KernelFault fault) {
    return switch (fault) {
      case KernelFault.Draining _ -> 503;
      case KernelFault.Busy _ -> 429;
      case KernelFault.Timeout _ -> 504;
      case KernelFault.BreakerOpen _ -> 503;
    };
  }
}
