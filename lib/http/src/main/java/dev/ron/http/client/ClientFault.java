package dev.ron.http.client;

import dev.ron.http.Refusal;
import dev.ron.kernel.fault.Blame;
import dev.ron.kernel.fault.Fault;
import java.time.Duration;

/** What can go wrong with a server that is asked, in order of precedence. */
public sealed interface ClientFault extends Fault {
  @Override
  default Blame blame() {
    return Blame.UPSTREAM;
  }

  /** The name has no address that may be dialled. */
  record ForbiddenAddress(String host) implements ClientFault {
    @Override
    public String code() {
      return "forbidden-address";
    }

    @Override
    public String detail() {
      return host + " has no address that this client may dial";
    }
  }

  /** As many connections as allowed are open to it, all busy. */
  record Exhausted(String host, int max) implements ClientFault {
    @Override
    public String code() {
      return "busy";
    }

    @Override
    public String detail() {
      return "all " + max + " connections to " + host + " are busy";
    }
  }

  /** Nothing answered the dial, or the handshake, in time; the request was not sent. */
  record ConnectTimeout(String host, Duration limit) implements ClientFault {
    @Override
    public String code() {
      return "timeout";
    }

    @Override
    public String detail() {
      return "connecting to %s took longer than its limit of %d ms"
          .formatted(host, limit.toMillis());
    }
  }

  /** No connection came about, so the server has seen nothing of the request. */
  record NoConnection(String detail) implements ClientFault {
    @Override
    public String code() {
      return "upstream";
    }
  }

  /** A connection that ended too early, or an answer that breaks the protocol. */
  record Upstream(String detail) implements ClientFault {
    @Override
    public String code() {
      return "upstream";
    }
  }

  /** The body that was written is not the one that was announced; a bug of whoever asked. */
  record Misframed(String how) implements ClientFault {
    @Override
    public String code() {
      return "misframed";
    }

    @Override
    public Blame blame() {
      return Blame.US;
    }

    @Override
    public String detail() {
      return "the request's body is " + how + " than announced, so its connection was cut";
    }
  }

  default Refusal refusal() {
    int status =
        switch (this) {
          case Exhausted _ -> 503;
          case ConnectTimeout _ -> 504;
          case ForbiddenAddress _, Misframed _, NoConnection _, Upstream _ -> 502;
        };
    return new Refusal(status, this);
  }
}
