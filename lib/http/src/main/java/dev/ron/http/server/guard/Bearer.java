package dev.ron.http.server.guard;

import dev.ron.capability.Authentication;
import dev.ron.capability.Capability;
import dev.ron.capability.CapabilityFault;
import dev.ron.capability.Verifier;
import dev.ron.http.Refusal;
import dev.ron.http.server.exchange.Exchange;
import dev.ron.kernel.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The capability that let a request in, and whether it still does.
 *
 * <p>The signature was checked once, when the request came. What lasts is looked at again on every
 * tick of its event loop: when the capability has expired, was revoked or its key ended, the
 * exchange is ended, whatever it does at the time. A handler that can end the exchange in its own
 * way asks {@link #ended} itself and has {@link #GOODBYE} for it.
 *
 * <p>Threading: {@link #ended} is thread-safe; {@link #overdue} is called by the event loop.
 */
public final class Bearer {
  /** With it, everything has ended within five seconds of a revocation. */
  static final Duration GOODBYE = Duration.ofSeconds(2);

  private final Verifier verifier;
  private final Time time;
  private final Function<Instant, Optional<CapabilityFault>> check;
  private final Capability capability;
  private final Function<CapabilityFault, Refusal> words;
  private volatile long version;
  private @Nullable Instant endSeen;

  /**
   * Of a token that the request shows.
   *
   * @param version the verifier's before the token was authenticated
   * @param words how the service words that a capability is not valid
   */
  public Bearer(
      Verifier verifier,
      Time time,
      String token,
      Capability capability,
      long version,
      Function<CapabilityFault, Refusal> words) {
    this(verifier, time, now -> fault(verifier, token, now), capability, version, words);
  }

  /**
   * Of a capability that is shown in another way.
   *
   * @param check why it is not valid at a time; empty while it is
   */
  public Bearer(
      Verifier verifier,
      Time time,
      Function<Instant, Optional<CapabilityFault>> check,
      Capability capability,
      long version,
      Function<CapabilityFault, Refusal> words) {
    this.verifier = verifier;
    this.time = time;
    this.check = check;
    this.capability = capability;
    this.version = version;
    this.words = words;
  }

  /**
   * The capability has let the request in: its tenant pays from now on, and the exchange ends with
   * it. On any thread.
   */
  public void admit(Exchange exchange) {
    capability.tenant().ifPresentOrElse(exchange.payer()::is, exchange.payer()::isOperator);
    if (exchange.loop().inEventLoop()) {
      exchange.put(Bearer.class, this);
    } else {
      exchange.loop().execute(() -> exchange.put(Bearer.class, this));
    }
  }

  /** As it was when the request came. */
  public Capability capability() {
    return capability;
  }

  /** Why the capability is no longer valid; null while it is. */
  public @Nullable Refusal ended() {
    Instant now = time.wall();
    long current = verifier.version();
    if (current == version && now.isBefore(capability.endsAt())) {
      return null;
    }
    Optional<CapabilityFault> fault = check.apply(now);
    if (fault.isEmpty()) {
      version = current;
    }
    return fault.map(words).orElse(null);
  }

  private static Optional<CapabilityFault> fault(Verifier verifier, String token, Instant now) {
    return verifier.authenticate(token, now) instanceof Authentication.Refused(var fault)
        ? Optional.of(fault)
        : Optional.empty();
  }

  /** As {@link #ended}, once {@link #GOODBYE} has passed too. */
  @Nullable public Refusal overdue(Instant now) {
    Refusal refusal = ended();
    if (refusal == null) {
      endSeen = null;
      return null;
    }
    Instant seen = endSeen;
    if (seen == null) {
      endSeen = now;
      return null;
    }
    return now.isBefore(seen.plus(GOODBYE)) ? null : refusal;
  }
}
