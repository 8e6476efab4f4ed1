package dev.ron.mailbox.api;

import dev.ron.capability.AccessDecision;
import dev.ron.capability.Capability;
import dev.ron.capability.CapabilityFault;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.AccessRequest;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.guard.Bearer;
import dev.ron.http.server.guard.CapabilityGuard;
import dev.ron.http.server.guard.CapabilityRates;
import dev.ron.http.server.guard.CapabilityTerms;
import dev.ron.http.server.guard.Guard;
import dev.ron.kernel.Scope;
import dev.ron.kernel.time.Time;
import dev.ron.mailbox.MailboxFault;
import dev.ron.mailbox.core.queue.QueueTopic;
import dev.ron.mailbox.grpc.GrpcRoutes;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a request's capability lets it do: an operation, on topics under a prefix, for a tenant.
 *
 * <p>The guard at the door checks everything but the topic before a byte of a body is read. The
 * topic stands in the body or behind a message id, so the verb makes the rest of the check, once it
 * knows the topic; that costs no signature.
 *
 * <p>Threading: immutable; its parts are thread-safe.
 */
public final class MailboxRights implements CapabilityTerms {
  private static final String SERVICE = "mailbox";

  /** Where the mailbox's own routes are; the others are the server's. */
  private static final String ROOT = "/v1/";

  /** The operation of a caveat for each of a route; what is not here is called the same. */
  private static final Map<String, String> OPERATIONS =
      Map.ofEntries(
          Map.entry("topic", "topics"),
          Map.entry("grpc-sendbatch", "send"),
          Map.entry("grpc-receive", "recv"),
          Map.entry("grpc-receivestream", "recv"),
          Map.entry("grpc-deadletters", "dlq"),
          Map.entry("grpc-deadletter", "dlq"),
          Map.entry("grpc-reprocess", "dlq"),
          Map.entry("grpc-drop", "dlq"));

  private final Time time;
  private final @Nullable CapabilityGuard guard;

  /**
   * @param verifier null allows every request, for a mailbox behind another door
   */
  public MailboxRights(Scope scope, @Nullable Verifier verifier) {
    this.time = scope.time();
    this.guard = verifier == null ? null : new CapabilityGuard(scope, verifier, this);
  }

  public Guard guard() {
    CapabilityGuard known = guard;
    return known == null ? Guard.OPEN : exchange -> check(known, exchange);
  }

  private static @Nullable Refusal check(CapabilityGuard guard, Exchange exchange) {
    boolean grpc = exchange.path().startsWith(GrpcRoutes.SERVICE);
    if (!grpc && !exchange.path().startsWith(ROOT)) {
      return null;
    }
    Refusal refusal = guard.check(exchange);
    if (refusal != null && grpc) {
      // A call is refused with a status of its own kind, before it does anything else.
      exchange.put(Refusal.class, refusal);
      return null;
    }
    return refusal;
  }

  @Override
  public boolean needed(Exchange exchange) {
    return true;
  }

  @Override
  public AccessDecision verdict(Capability capability, AccessRequest ask, Exchange exchange) {
    return capability.verdictBeforehand(
        AccessRequest.of(SERVICE, operation(ask.operation()), ask.now()));
  }

  /** Routes are told apart by more than capabilities are: {@code send-batch} is a send. */
  public static String operation(String routeOp) {
    String known = OPERATIONS.get(routeOp);
    if (known != null) {
      return known;
    }
    String verb = routeOp.startsWith("grpc-") ? routeOp.substring("grpc-".length()) : routeOp;
    int dash = verb.indexOf('-');
    return dash < 0 ? verb : verb.substring(0, dash);
  }

  @Override
  public Refusal refused(CapabilityFault fault) {
    return Refusal.of(fault(fault));
  }

  @Override
  public Refusal overRate(long perSecond, Duration wait) {
    return Refusal.of(new MailboxFault.Saturated("the rate of the capability", perSecond, wait));
  }

  /** Throws unless the operation is allowed; a null topic is for what concerns all of them. */
  public void require(Caller caller, String op, @Nullable String topic, long bytes) throws Refusal {
    MailboxFault fault = refusal(caller, op, topic, bytes);
    if (fault != null) {
      throw Refusal.of(fault);
    }
  }

  /** Whether the operation is allowed on a topic that is found out later. */
  Predicate<String> on(Caller caller, String op) {
    return topic -> refusal(caller, op, topic, 0) == null;
  }

  /** Counts a batch of a stream against the capability's rates; zero if it may go. */
  Duration pause(Caller caller) {
    Bearer bearer = caller.bearer();
    CapabilityRates.Excess excess =
        guard == null || bearer == null ? null : guard.rates().charge(bearer.capability());
    return excess == null ? Duration.ZERO : excess.rest();
  }

  private @Nullable MailboxFault refusal(
      Caller caller, String op, @Nullable String topic, long bytes) {
    if (guard == null) {
      return null;
    }
    Bearer bearer = caller.bearer();
    if (bearer == null) {
      return fault(new CapabilityFault.Missing());
    }
    Optional<String> tenant = bearer.capability().tenant();
    if (topic != null && tenant.isPresent() && QueueTopic.isForeign(topic, tenant.get())) {
      return new MailboxFault.CapScope("the queue is not one of this tenant's account");
    }
    AccessRequest ask = AccessRequest.of(SERVICE, op, time.wall()).withBytes(bytes);
    ask = topic == null ? ask : ask.onPath(topic);
    return bearer.capability().verdict(ask) instanceof AccessDecision.Refused(CapabilityFault fault)
        ? fault(fault)
        : null;
  }

  private static MailboxFault fault(CapabilityFault fault) {
    return fault.worthless()
        ? new MailboxFault.CapAuth(fault.detail())
        : new MailboxFault.CapScope(fault.detail());
  }
}
