package dev.ron.http.client;

import static dev.ron.kernel.fault.Said.upstream;
import static dev.ron.kernel.fault.Said.us;

import dev.ron.http.Refusal;
import dev.ron.kernel.fault.Fault;
import dev.ron.kernel.fault.Said;
import java.time.Duration;

/** What can go wrong with a call to a server, in order of precedence. */
public sealed interface ClientFault extends Fault {
  /** The name has no address that may be dialled. */
  record ForbiddenAddress(String host) implements ClientFault {}

  /** As many connections as allowed are open to it, all busy. */
  record Exhausted(String host, int max) implements ClientFault {}

  /** Nothing answered the dial, or the handshake, in time; the request was not sent. */
  record ConnectTimeout(String host, Duration limit) implements ClientFault {}

  /**
   * No connection came about, so the server has seen nothing of the request.
   *
   * @param origin the server: a caller of several tells by it which one
   * @param reached whether something answers there, and no handshake with it succeeds
   */
  record NoConnection(Origin origin, String detail, boolean reached) implements ClientFault {}

  /** A connection that ended too early, or an answer that breaks the protocol. */
  record Upstream(String detail) implements ClientFault {}

  /** The body that was written is not the one that was announced; a bug of the caller's code. */
  record Misframed(String how) implements ClientFault {}

  @Override
  default Said said() {
    return switch (this) {
      case ForbiddenAddress(var host) ->
          upstream(502, "forbidden-address", host + " has no address that this client may dial");
      case Exhausted(var host, var max) ->
          upstream(503, "busy", "all " + max + " connections to " + host + " are busy");
      case ConnectTimeout(var host, var limit) ->
          upstream(
              504,
              "timeout",
              "connecting to %s took longer than its limit of %d ms"
                  .formatted(host, limit.toMillis()));
      case NoConnection(_, var detail, _) -> upstream(502, "upstream", detail);
      case Upstream(var detail) -> upstream(502, "upstream", detail);
      case Misframed(var how) ->
          us(
              502,
              "misframed",
              "the request's body is " + how + " than announced, so its connection was cut");
    };
  }

  default Refusal refusal() {
    return Refusal.of(this);
  }
}
