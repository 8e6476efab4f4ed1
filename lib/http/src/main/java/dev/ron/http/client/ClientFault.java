package dev.ron.http.client;

import dev.ron.http.Refusal;
import dev.ron.kernel.fault.Blame;
import dev.ron.kernel.fault.Fault;

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

  /** No connection, or one that ended too early, or an answer that breaks the protocol. */
  record Upstream(String detail) implements ClientFault {
    @Override
    public String code() {
      return "upstream";
    }
  }

  default Refusal refusal() {
    return new Refusal(this instanceof Exhausted ? 503 : 502, this);
  }
}
