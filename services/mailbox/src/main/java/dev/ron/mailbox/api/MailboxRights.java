package dev.ron.mailbox.api;

import dev.ron.capability.AccessDecision;
import dev.ron.capability.Capability;
import dev.ron.capability.CapabilityFault;
import dev.ron.capability.Verifier;
import dev.ron.capability.caveat.AccessRequest;
import dev.ron.capability.caveat.Owner;
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
import dev.ron.mailbox.core.TopicReach;
import dev.ron.mailbox.grpc.GrpcRoutes;
import java.time.Duration;
import java.util.Map;
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

  /**
   * The name that a topic is kept under, if the operation is allowed on it.
   *
   * @param said as the caller names it, of the form that topics have
   */
  public String require(Caller caller, String op, String said, long bytes) throws Refusal {
    String kept =
        caller
            .owner()
            .kept(said)
            .orElseThrow(() -> MailboxContext.wrong("topic", MailboxContext.TOPIC_MUST));
    throwIf(refusal(caller, op, kept, bytes));
    return kept;
  }

  /** Throws unless the operation is allowed on all topics that are the caller's. */
  void requireAny(Caller caller, String op) throws Refusal {
    throwIf(refusal(caller, op, null, 0));
  }

  /** Throws unless the operation is allowed, and no tenant's token asks for it. */
  public void requireOperator(Caller caller, String op) throws Refusal {
    requireAny(caller, op);
    if (!caller.owner().owner().isOperator()) {
      throw Refusal.of(
          new MailboxFault.CapScope("this is the operator's; the token is a tenant's"));
    }
  }

  private static void throwIf(@Nullable MailboxFault fault) throws Refusal {
    if (fault != null) {
      throw Refusal.of(fault);
    }
  }

  /** Where the operation is allowed, of messages whose topic is found out later. */
  TopicReach reach(Caller caller, String op) {
    return new TopicReach(caller.owner(), topic -> refusal(caller, op, topic, 0) == null);
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
    if (topic != null && !caller.owner().owns(topic)) {
      return new MailboxFault.CapScope("the queue is not one of this tenant's account");
    }
    AccessRequest ask = AccessRequest.of(SERVICE, op, time.wall()).withBytes(bytes);
    ask = topic == null ? ask : ask.onPath(path(caller.owner().shown(topic)));
    return bearer.capability().verdict(ask) instanceof AccessDecision.Refused(CapabilityFault fault)
        ? fault(fault)
        : null;
  }

  /** A dot in an owner's name separates nothing, so a prefix must not end at it. */
  private static String path(String shown) {
    int plain = shown.length() - Owner.plain(shown).length();
    return shown.substring(0, plain).replace('.', '~') + shown.substring(plain);
  }

  private static MailboxFault fault(CapabilityFault fault) {
    return fault.worthless()
        ? new MailboxFault.CapAuth(fault.detail())
        : new MailboxFault.CapScope(fault.detail());
  }
}
