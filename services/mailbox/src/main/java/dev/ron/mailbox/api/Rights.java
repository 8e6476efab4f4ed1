package dev.ron.mailbox.api;

import dev.ron.capability.Ask;
import dev.ron.capability.CapabilityFault;
import dev.ron.capability.Grant;
import dev.ron.capability.Verdict;
import dev.ron.capability.Verifier;
import dev.ron.http.Refusal;
import dev.ron.http.server.CapabilityGuard;
import dev.ron.http.server.Guard;
import dev.ron.kernel.time.Time;
import dev.ron.mailbox.MailboxFault;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a request's capability lets it do: an operation, on topics under a prefix, for a tenant.
 *
 * <p>The topic stands in the body or behind a message id, so the whole check is made by the verb,
 * once it knows the topic. The guard at the door turns away whoever shows nothing at all before a
 * byte of a body is read.
 *
 * <p>Threading: immutable; the verifier is thread-safe.
 *
 * @param verifier null lets everybody do everything, for a mailbox behind another door
 */
public record Rights(@Nullable Verifier verifier, Time time, CapabilityRates rates) {
  private static final String SERVICE = "mailbox";

  public Rights(@Nullable Verifier verifier, Time time) {
    this(verifier, time, new CapabilityRates(time));
  }

  /** Where the mailbox's own routes are; the others are the server's. */
  private static final String ROOT = "/v1/";

  public Guard guard() {
    return exchange -> {
      String path = exchange.path();
      // Over gRPC the verb turns away who shows nothing, with a status of its own kind.
      boolean open = verifier == null || !path.startsWith(ROOT);
      return open || !CapabilityGuard.token(exchange).isEmpty()
          ? null
          : Problems.refusal(new MailboxFault.CapAuth(new CapabilityFault.Missing().detail()));
    };
  }

  /** Throws unless the operation is allowed; a null topic is for what concerns all of them. */
  void require(Caller caller, String op, @Nullable String topic, long bytes) throws Refusal {
    MailboxFault fault = refusal(caller, op, topic, bytes);
    if (fault != null) {
      throw Problems.refusal(fault);
    }
  }

  /** Whether the operation is allowed on a topic that is found out later. */
  Predicate<String> on(Caller caller, String op) {
    return topic -> refusal(caller, op, topic, 0) == null;
  }

  private @Nullable MailboxFault refusal(
      Caller caller, String op, @Nullable String topic, long bytes) {
    if (verifier == null) {
      return null;
    }
    Ask ask = Ask.of(SERVICE, op, time.wall()).withBytes(bytes);
    ask = topic == null ? ask : ask.onPath(topic);
    return switch (verifier.verify(caller.token(), ask)) {
      case Verdict.Granted(Grant grant) -> rates.refusal(grant);
      case Verdict.Refused(CapabilityFault fault) ->
          fault.code().equals("unauth")
              ? new MailboxFault.CapAuth(fault.detail())
              : new MailboxFault.CapScope(fault.detail());
    };
  }
}
