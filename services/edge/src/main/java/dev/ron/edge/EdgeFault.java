package dev.ron.edge;

import static dev.ron.kernel.fault.Said.caller;
import static dev.ron.kernel.fault.Said.upstream;
import static dev.ron.kernel.fault.Said.us;

import dev.ron.kernel.fault.Fault;
import dev.ron.kernel.fault.Said;
import java.time.Duration;

/**
 * What the edge refuses or fails, in order of precedence: the first that applies is told.
 *
 * <p>Refusals of the HTTP layer itself, such as rate and body caps, are {@code HttpFault}s.
 */
public sealed interface EdgeFault extends Fault {
  /** No capability, or one that is worth nothing now. */
  record CapAuth(String why) implements EdgeFault {}

  /** A good capability, but not for this. */
  record CapScope(String why) implements EdgeFault {}

  /** The method or the upstream's address is not on the list. */
  record NotAllowed(String why) implements EdgeFault {}

  /** The pack, the tile or the asset is not here. */
  record NotFound(String what) implements EdgeFault {}

  /** What is here is not what the caller said it must be. */
  record PreconditionFailed() implements EdgeFault {}

  /** A range that cannot be answered. */
  record InvalidRange(String why, long bytesTotal) implements EdgeFault {}

  /** The caller asked for what is stored only, and it is not. */
  record NotCached() implements EdgeFault {}

  /** The edge is offline and has no answer that may be used. */
  record Offline(String why) implements EdgeFault {}

  /** Nothing may be kept, and the configuration refuses to fill without keeping. */
  record Amnesia() implements EdgeFault {}

  /** Every place in the work queue is taken. */
  record Busy(int limit) implements EdgeFault {}

  /** What came was longer, decoded or not, than what is taken. */
  record BodyCap(String why) implements EdgeFault {}

  /** Stored bytes grow beyond the guard when they are decoded. */
  record DecompressCap(String why) implements EdgeFault {}

  /** The upstream took longer than allowed. */
  record UpstreamTimeout(String why) implements EdgeFault {}

  /** The upstream's validators contradict each other. */
  record EtagInvalid(String why) implements EdgeFault {}

  /** The upstream could not be reached, or its answer breaks the protocol. */
  record Upstream(String why) implements EdgeFault {}

  /** The store or a pack cannot be read; another try may find it whole. */
  record Unavailable(String why) implements EdgeFault {}

  @Override
  default Said said() {
    return switch (this) {
      case CapAuth(var why) -> caller(401, "cap-auth", why);
      case CapScope(var why) -> caller(403, "cap-scope", why);
      case NotAllowed(var why) -> caller(403, "not-allowed", why);
      case NotFound(var what) -> caller(404, "not-found", what);
      case PreconditionFailed() ->
          caller(
              412,
              "precondition-failed",
              "what is served now does not have the entity tag or date of the precondition");
      case InvalidRange(var why, _) -> caller(416, "invalid-range", why);
      case NotCached() ->
          caller(
              504, "not-cached", "only-if-cached was asked for, and no stored answer can be used");
      case Offline(var why) -> us(504, "offline", why);
      case Amnesia() ->
          us(503, "amnesia", "the edge keeps nothing (amnesia), and fill.under_amnesia = refuse");
      case Busy(var limit) ->
          us(429, "busy", limit + " fills are waiting already; retry after the time given")
              .after(Duration.ofSeconds(1));
      case BodyCap(var why) -> upstream(502, "body-cap", why);
      case DecompressCap(var why) -> upstream(502, "decompress-cap", why);
      case UpstreamTimeout(var why) -> upstream(504, "timeout", why);
      case EtagInvalid(var why) -> upstream(502, "etag-invalid", why);
      case Upstream(var why) -> upstream(502, "upstream", why);
      case Unavailable(var why) -> us(503, "unavailable", why).after(Duration.ofSeconds(2));
    };
  }

  /** Its label in {@code edge_rejects_total}. */
  default String reason() {
    return code().replace('-', '_');
  }
}
