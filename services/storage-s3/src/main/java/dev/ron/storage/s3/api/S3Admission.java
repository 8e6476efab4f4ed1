package dev.ron.storage.s3.api;

import dev.ron.capability.Capability;
import dev.ron.capability.Verifier;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.http.server.guard.CapabilityRates;
import dev.ron.http.server.guard.RefusalLimit;
import dev.ron.kernel.time.Time;
import dev.ron.storage.s3.S3Fault;

/**
 * Lets in callers whose signature fits, in a request or in a form: holds their key pair to its
 * rate, and ends what they do when it ends.
 *
 * <p>An address whose signatures do not fit is slowed down before a key is computed for it, unless
 * the pair that it names has signed a request lately: many clients may share an address.
 *
 * <p>Threading: thread-safe.
 */
public final class S3Admission {
  private final Verifier verifier;
  private final Time time;
  private final CapabilityRates rates;
  private final RefusalLimit refusals;
  private final int rps;

  /**
   * @param rps of the node, which the bound on refusals is a part of; 0 for no bound
   */
  public S3Admission(Verifier verifier, Time time, int rps) {
    this.verifier = verifier;
    this.time = time;
    this.rates = new CapabilityRates(time);
    this.refusals = new RefusalLimit(time, _ -> false);
    this.rps = rps;
  }

  /** The key pair of a request, which is still to be found. */
  public S3Keys keys(Exchange exchange) {
    return new S3Keys(verifier, refusals.of(exchange.peer(), true, rps), time.wall());
  }

  /** The holder of the pair, once the signature was found to fit its secret. */
  public S3Caller holder(Exchange exchange, S3Keys keys) throws Refusal {
    // A transfer may take hours: it ends when its key pair is revoked or expires.
    Capability capability = keys.proven(exchange, time).capability();
    CapabilityRates.Excess excess = rates.charge(capability);
    if (excess != null) {
      throw Refusal.of(
          new S3Fault.SlowDown(
              "this key pair may make %d requests a second".formatted(excess.perSecond()),
              excess.rest()));
    }
    enter(exchange);
    return S3Caller.holder(capability, time.wall());
  }

  /** A caller that shows no key pair, neither with the request nor in a form. */
  public S3Caller anonymous(Exchange exchange) throws Refusal {
    enter(exchange);
    return new S3Caller.Anonymous();
  }

  /**
   * What a request is refused for that has shown no key pair yet. It is a stranger's, so that what
   * cannot be read costs as much as what can: their limits are asked for first.
   */
  public Refusal unsigned(Exchange exchange, Refusal why) throws Refusal {
    enter(exchange);
    return why;
  }

  private static void enter(Exchange exchange) throws Refusal {
    Refusal overLimit = exchange.enter();
    if (overLimit != null) {
      throw overLimit;
    }
  }
}
