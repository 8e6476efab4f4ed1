package dev.ron.http;

import static dev.ron.kernel.fault.Said.caller;
import static dev.ron.kernel.fault.Said.us;

import dev.ron.kernel.fault.Fault;
import dev.ron.kernel.fault.Said;
import java.time.Duration;

/** What the HTTP layer itself refuses, in order of precedence. */
public sealed interface HttpFault extends Fault {
  /** The message breaks the protocol; nothing after it on the connection can be trusted. */
  record Malformed(String detail) implements HttpFault {}

  /** Head or target longer than allowed; 414 for the request line, 431 for the fields. */
  record HeadCap(int status, String detail) implements HttpFault {}

  /** An HTTP version that is not served here. */
  record VersionUnsupported(String detail) implements HttpFault {}

  /** The head or the body came slower than the read timeout allows. */
  record SlowSender(String what, Duration limit) implements HttpFault {}

  /** The request names another host than this door answers to. */
  record Misdirected(String host) implements HttpFault {}

  /** No route has this path. */
  record NotFound(String detail) implements HttpFault {}

  /** The path is known, the method is not. */
  record MethodNotAllowed(String allowed) implements HttpFault {}

  /** An {@code Expect} that is not {@code 100-continue}. */
  record ExpectationFailed() implements HttpFault {}

  /** The body is larger than the route takes. */
  record BodyCap(long bytesMax) implements HttpFault {}

  /** A coding or media type that is not taken here. */
  record Unsupported(String detail) implements HttpFault {}

  /** No capability, or one that is not valid now. */
  record Unauth(String detail) implements HttpFault {}

  /** A good capability, but not for this. */
  record Forbidden(String detail) implements HttpFault {}

  /**
   * More requests a second than allowed.
   *
   * @param bound the limit they exceed, such as "this server takes"
   */
  record Quota(String bound, Duration rest) implements HttpFault {}

  /** A bug of ours; the detail stays in the log. */
  record Internal() implements HttpFault {}

  @Override
  default Said said() {
    return switch (this) {
      case Malformed(var detail) -> caller(400, "malformed", detail);
      case HeadCap(var status, var detail) -> caller(status, "head-cap", detail);
      case VersionUnsupported(var detail) -> caller(505, "version-unsupported", detail);
      case SlowSender(var what, var limit) ->
          caller(408, "slow-sender", what + " stalled for longer than " + limit.toMillis() + " ms");
      case Misdirected(var host) ->
          caller(
              421,
              "misdirected",
              "this door does not answer to the name "
                  + host
                  + "; ask by address or as localhost, or add the name to node.hosts"
                  + " (for the gateway: gateway.hosts)");
      case NotFound(var detail) -> caller(404, "not-found", detail);
      case MethodNotAllowed(var allowed) ->
          caller(405, "method-not-allowed", "this path answers " + allowed);
      case ExpectationFailed() ->
          caller(417, "expectation-failed", "the only expectation met here is 100-continue");
      case BodyCap(var bytesMax) ->
          caller(413, "body-cap", "the body is longer than the " + bytesMax + " bytes taken here");
      case Unsupported(var detail) -> caller(415, "unsupported", detail);
      case Unauth(var detail) -> caller(401, "unauth", detail);
      case Forbidden(var detail) -> caller(403, "forbidden", detail);
      case Quota(var bound, var rest) ->
          caller(
                  429,
                  "quota",
                  "more requests a second than " + bound + "; retry after the time given")
              .after(rest);
      case Internal() ->
          us(
              500,
              "internal",
              "the request failed for a reason that is in this server's log under corr_id");
    };
  }
}
