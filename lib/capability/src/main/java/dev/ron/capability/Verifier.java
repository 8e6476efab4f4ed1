package dev.ron.capability;

import dev.ron.capability.VerificationCache.Authentic;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/**
 * Answers whether a token allows what is asked.
 *
 * <p>Signature, key and revocation are looked at once and then remembered for the cache time;
 * expiry and all other caveats are looked at on every ask. A change of {@link Trust} starts with an
 * empty cache, so it holds from the next ask on: a check that was under way meanwhile leaves its
 * result in the old cache, which nobody reads any more.
 *
 * <p>Threading: thread-safe; the state is one pair behind a volatile field, its changes are guarded
 * by the lock {@code changing}, and the cache takes care of itself. Verifying never blocks and
 * never reads a clock.
 */
public final class Verifier {
  /** How long a checked signature is remembered. */
  public static final Duration CACHE_TIME = Duration.ofSeconds(30);

  /** How many are. */
  public static final int CACHE_SLOTS = 4096;

  private final ReentrantLock changing = new ReentrantLock();
  private volatile State state;
  private final int cacheSlots;
  private final Duration cacheTime;

  private record State(Trust trust, VerificationCache cache) {}

  /** Which caveats of an allowance an ask is held to. */
  private interface Check {
    Optional<CapabilityFault> refusal(Allowance allowance, Ask ask);
  }

  /** A verifier with the usual cache. */
  public Verifier(Trust trust) {
    this(trust, CACHE_SLOTS, CACHE_TIME);
  }

  /** A verifier with its own cache size, a power of two, and cache time. */
  public Verifier(Trust trust, int cacheSlots, Duration cacheTime) {
    this.cacheSlots = cacheSlots;
    this.cacheTime = cacheTime;
    this.state = new State(trust, new VerificationCache(cacheSlots, cacheTime));
  }

  /** Changes what is believed, one change after the other. */
  public void trust(UnaryOperator<Trust> change) {
    changing.lock();
    try {
      Trust next = change.apply(state.trust);
      state = new State(next, new VerificationCache(cacheSlots, cacheTime));
    } finally {
      changing.unlock();
    }
  }

  /** Checks a token in its base64 form; an empty one counts as none. */
  public Verdict verify(String token, Ask ask) {
    return verify(token, ask, Allowance::refusal);
  }

  /**
   * Checks a token at a door that hands it on to the service it is for: signature, revocation,
   * expiry, service, tenant and size. Operation, prefix, pack, zoom and area are the service's to
   * check, because only the service knows what a request means.
   */
  public Verdict verifyAtDoor(String token, Ask ask) {
    return verify(token, ask, Allowance::refusalAtDoor);
  }

  private Verdict verify(String token, Ask ask, Check check) {
    if (token.isEmpty()) {
      return new Verdict.Refused(new CapabilityFault.Missing());
    }
    byte[] encoded;
    try {
      encoded = TokenText.decode(token);
    } catch (Unreadable unreadable) {
      return malformed(unreadable.reason());
    }
    State now = state;
    byte[] hash = Macaroon.hash(encoded);
    Optional<Authentic> known = now.cache.find(hash, ask.now());
    return known.isPresent()
        ? decide(known.get(), hash, ask, check)
        : authenticate(now, encoded, hash, ask, check);
  }

  private static Verdict authenticate(
      State now, byte[] encoded, byte[] hash, Ask ask, Check check) {
    Macaroon macaroon;
    try {
      macaroon = MacaroonCodec.read(encoded);
    } catch (Unreadable unreadable) {
      return malformed(unreadable.reason());
    }
    Optional<TokenId> id = TokenId.parse(macaroon.identifier());
    // The chain does not cover the location; with one value allowed, no byte of a token is free.
    if (id.isEmpty() || !macaroon.location().equals(Minting.LOCATION)) {
      return malformed("its identifier or location is none of Ron's");
    }
    Optional<SigningKey> key = now.trust.keys().accepted(id.get().keyId(), ask.now());
    if (key.isEmpty()) {
      return new Verdict.Refused(new CapabilityFault.UnknownKey(id.get().keyId()));
    }
    if (!macaroon.signedWith(key.get().secret())) {
      return new Verdict.Refused(new CapabilityFault.BadSignature(Macaroon.hashPrefix(hash)));
    }
    if (now.trust.revocations().contains(id.get())) {
      return new Verdict.Refused(new CapabilityFault.Revoked(Macaroon.hashPrefix(hash)));
    }
    var authentic = new Authentic(id.get(), new Allowance(macaroon.caveats()), key.get().endsAt());
    now.cache.keep(hash, authentic, ask.now());
    return decide(authentic, hash, ask, check);
  }

  private static Verdict decide(Authentic authentic, byte[] hash, Ask ask, Check check) {
    Optional<CapabilityFault> refusal = check.refusal(authentic.allowance(), ask);
    if (refusal.isPresent()) {
      return new Verdict.Refused(refusal.get());
    }
    return new Verdict.Granted(
        authentic.allowance().grant(ask, authentic.id(), Macaroon.hashPrefix(hash)));
  }

  private static Verdict malformed(String reason) {
    return new Verdict.Refused(new CapabilityFault.Malformed(reason));
  }
}
