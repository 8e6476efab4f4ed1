package dev.ron.capability;

import dev.ron.capability.caveat.AccessRequest;
import dev.ron.capability.caveat.Caveat;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A token whose signature fits, whose key is accepted and which was not withdrawn, at the moment of
 * {@link Verifier#authenticate}.
 *
 * <p>What it allows is asked of it as often as needed and costs no signature. It does not learn of
 * later revocations: a long exchange asks the verifier again.
 *
 * <p>Threading: immutable.
 */
public final class Capability {
  private final TokenId id;
  private final String hashPrefix;
  private final Allowance allowance;
  private final Instant keyEndsAt;
  private final List<InheritedRate> rates;

  Capability(TokenId id, MacaroonCodec.Terms terms, byte[] hash, Instant keyEndsAt) {
    this.id = id;
    this.hashPrefix = Macaroon.hashPrefix(hash);
    this.allowance = new Allowance(terms.caveats().stream().map(Caveat::parse).toList());
    this.keyEndsAt = keyEndsAt;
    this.rates = InheritedRate.of(terms.identifier(), terms.caveats());
  }

  /** Shared by all that was attenuated from one token. */
  public TokenId id() {
    return id;
  }

  /** The tenant it is for: the first that was named, which no attenuation changes. */
  public Optional<String> tenant() {
    return allowance.tenant();
  }

  /** What a log may show of the token. */
  public String hashPrefix() {
    return hashPrefix;
  }

  /** The rates it must be held to, all of them, the widest first. */
  public List<InheritedRate> rates() {
    return rates;
  }

  /** The first instant at which it is no longer valid: its own end or its key's. */
  public Instant endsAt() {
    return allowance.endsBy(keyEndsAt);
  }

  /** Whether it allows the request. */
  public AccessDecision verdict(AccessRequest ask) {
    return verdict(allowance.refusal(ask), ask);
  }

  /**
   * As {@link #verdict}, at a door that passes the token on to the service it is for. The service
   * checks operation, prefix, pack, zoom, area, bucket and key, because only the service knows what
   * a request means.
   */
  public AccessDecision verdictAtDoor(AccessRequest ask) {
    return verdict(allowance.refusalAtDoor(ask), ask);
  }

  /**
   * As {@link #verdict}, before a body is read and it is known which path, topic or tile the
   * operation is on; the whole verdict has to follow.
   */
  public AccessDecision verdictBeforehand(AccessRequest ask) {
    return verdict(allowance.refusalBeforehand(ask), ask);
  }

  private AccessDecision verdict(Optional<CapabilityFault> refusal, AccessRequest ask) {
    return refusal
        .<AccessDecision>map(AccessDecision.Refused::new)
        .orElseGet(() -> new AccessDecision.Granted(allowance.grant(ask, this)));
  }

  Instant keyEndsAt() {
    return keyEndsAt;
  }

  Optional<CapabilityFault> expired(Instant now) {
    return allowance.expired(now);
  }

  @Override
  public String toString() {
    return "Capability[" + hashPrefix + "]";
  }
}
