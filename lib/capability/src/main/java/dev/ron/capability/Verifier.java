package dev.ron.capability;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.capability.caveat.AccessRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/**
 * Answers whether a token allows a request.
 *
 * <p>Signature, key and revocation are checked once and then remembered for the cache time; expiry
 * and all other caveats are checked on every request. A change of {@link Trust} starts with an
 * empty cache, so it holds from the next request on: a check that was under way meanwhile leaves
 * its result in the old cache, which is not read any more. A node has one verifier for all its
 * services, so that a change reaches all of them at once.
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

  /**
   * What can be said of a token without checking a signature. It grants nothing: it is for a door
   * that has to decide whose request this is before it pays for {@link #authenticate}.
   */
  public sealed interface Recognition {
    /** It was authentic when it was last checked, with the same keys and revocations as now. */
    record Recalled(Capability capability) implements Recognition {}

    /** It names an accepted key; only its signature tells. */
    record Unverified() implements Recognition {}

    /** It cannot be authentic, and {@link #authenticate} finds so without a signature. */
    record Worthless() implements Recognition {}
  }

  private record State(long version, Trust trust, VerificationCache cache) {}

  /** A verifier with the usual cache. */
  public Verifier(Trust trust) {
    this(trust, CACHE_SLOTS, CACHE_TIME);
  }

  /** A verifier with its own cache size, a power of two, and cache time. */
  public Verifier(Trust trust, int cacheSlots, Duration cacheTime) {
    this.cacheSlots = cacheSlots;
    this.cacheTime = cacheTime;
    this.state = new State(0, trust, new VerificationCache(cacheSlots, cacheTime));
  }

  /** Changes what is believed, one change after the other. */
  public void trust(UnaryOperator<Trust> change) {
    changing.lock();
    try {
      Trust next = change.apply(state.trust);
      state = new State(state.version + 1, next, new VerificationCache(cacheSlots, cacheTime));
    } finally {
      changing.unlock();
    }
  }

  /** Another number after each change of trust: what was authentic then may not be so now. */
  public long version() {
    return state.version;
  }

  /** The keys that are believed now. */
  public KeyRing keys() {
    return state.trust.keys();
  }

  /** Checks a token in its base64 form; an empty one counts as none. */
  public AccessDecision verify(String token, AccessRequest ask) {
    return switch (authenticate(token, ask.now())) {
      case Authentication.Authentic(Capability capability) -> capability.verdict(ask);
      case Authentication.Refused(CapabilityFault fault) -> new AccessDecision.Refused(fault);
    };
  }

  /** Checks all of a token that does not depend on what it is shown for. */
  public Authentication authenticate(String token, Instant now) {
    if (token.isEmpty()) {
      return new Authentication.Refused(new CapabilityFault.Missing());
    }
    byte[] encoded;
    try {
      encoded = TokenText.decode(token);
    } catch (TokenFormatException unreadable) {
      return malformed(unreadable.reason());
    }
    State trusted = state;
    byte[] hash = Macaroon.hash(encoded);
    if (trusted.cache.isForged(hash)) {
      return forged(hash);
    }
    Optional<Capability> known = trusted.cache.find(hash, now);
    return known.isPresent()
        ? unlessExpired(known.get(), now)
        : authenticate(trusted, encoded, hash, now);
  }

  /**
   * Finds what a key pair's public half stands for, and the secret that goes with it. Key,
   * revocation and expiry are checked as for a token; whether the caller has the secret, only the
   * signature of its request can show.
   *
   * @param sessionToken caveats that are sent beside the id
   */
  public KeyPair.Lookup find(String accessKeyId, Optional<String> sessionToken, Instant now) {
    State trusted = state;
    byte[] hash = hash(accessKeyId, sessionToken);
    Optional<KeyPair.Found> known = trusted.cache.findPair(hash, now);
    if (known.isPresent()) {
      return unlessExpired(known.get(), now);
    }
    MacaroonCodec.Terms terms;
    try {
      terms = KeyPair.read(trusted.trust.registered().pairId(accessKeyId), sessionToken);
    } catch (TokenFormatException unreadable) {
      return new KeyPair.Lookup.Refused(new CapabilityFault.Malformed(unreadable.reason()));
    }
    return find(trusted, terms, hash, now);
  }

  /**
   * Whether a request was signed with the pair lately, with the same keys and revocations as now;
   * as {@link #recognize}, it grants nothing.
   */
  public boolean recalls(String accessKeyId, Optional<String> sessionToken, Instant now) {
    return state.cache.recallPair(hash(accessKeyId, sessionToken), now);
  }

  private static KeyPair.Lookup find(
      State trusted, MacaroonCodec.Terms terms, byte[] hash, Instant now) {
    Optional<TokenId> id = TokenId.parse(terms.identifier());
    if (id.isEmpty()) {
      return new KeyPair.Lookup.Refused(
          new CapabilityFault.Malformed("its identifier is none of Ron's"));
    }
    Optional<SigningKey> key = trusted.trust.keys().accepted(id.get().keyId(), now);
    if (key.isEmpty()) {
      return new KeyPair.Lookup.Refused(new CapabilityFault.UnknownKey(id.get().keyId()));
    }
    if (trusted.trust.revocations().contains(id.get())) {
      return new KeyPair.Lookup.Refused(new CapabilityFault.Revoked(Macaroon.hashPrefix(hash)));
    }
    byte[] signature = SignatureChain.over(key.get().secret(), terms.identifier(), terms.caveats());
    var capability = new Capability(id.get(), terms, hash, key.get().endsAt());
    return unlessExpired(
        new KeyPair.Found(capability, KeyPair.secret(signature), hash, trusted.cache), now);
  }

  private static KeyPair.Lookup unlessExpired(KeyPair.Found found, Instant now) {
    return found
        .capability()
        .expired(now)
        .<KeyPair.Lookup>map(KeyPair.Lookup.Refused::new)
        .orElse(found);
  }

  /** A byte that base64 does not have lies between the halves, and before them one of no token. */
  private static byte[] hash(String accessKeyId, Optional<String> sessionToken) {
    return Macaroon.hash(("\0" + accessKeyId + "\0" + sessionToken.orElse("")).getBytes(UTF_8));
  }

  /**
   * Looks a token up, at the cost of reading it. A token that was authentic is known for longer
   * than it is believed, so that a holder that comes back is not a stranger; only tokens whose
   * signature fitted are remembered as such, so forged ones push none of them out.
   */
  public Recognition recognize(String token, Instant now) {
    State trusted = state;
    try {
      byte[] encoded = TokenText.decode(token);
      byte[] hash = Macaroon.hash(encoded);
      Optional<Capability> known = trusted.cache.recall(hash, now);
      if (known.isPresent()) {
        return new Recognition.Recalled(known.get());
      }
      boolean possible =
          !trusted.cache.isForged(hash)
              && id(MacaroonCodec.read(encoded))
                  .flatMap(id -> trusted.trust.keys().accepted(id.keyId(), now))
                  .isPresent();
      return possible ? new Recognition.Unverified() : new Recognition.Worthless();
    } catch (TokenFormatException _) {
      return new Recognition.Worthless();
    }
  }

  /** The chain does not cover the location; with one value allowed, no byte of a token is free. */
  private static Optional<TokenId> id(Macaroon macaroon) {
    return macaroon.location().equals(TokenMint.LOCATION)
        ? TokenId.parse(macaroon.identifier())
        : Optional.empty();
  }

  private static Authentication authenticate(
      State trusted, byte[] encoded, byte[] hash, Instant now) {
    Macaroon macaroon;
    try {
      macaroon = MacaroonCodec.read(encoded);
    } catch (TokenFormatException unreadable) {
      return malformed(unreadable.reason());
    }
    Optional<TokenId> id = id(macaroon);
    if (id.isEmpty()) {
      return malformed("its identifier or location is none of Ron's");
    }
    Optional<SigningKey> key = trusted.trust.keys().accepted(id.get().keyId(), now);
    if (key.isEmpty()) {
      return new Authentication.Refused(new CapabilityFault.UnknownKey(id.get().keyId()));
    }
    if (!macaroon.signedWith(key.get().secret())) {
      trusted.cache.keepForged(hash);
      return forged(hash);
    }
    if (trusted.trust.revocations().contains(id.get())) {
      return new Authentication.Refused(new CapabilityFault.Revoked(Macaroon.hashPrefix(hash)));
    }
    var capability = new Capability(id.get(), macaroon.terms(), hash, key.get().endsAt());
    trusted.cache.keep(hash, capability, now);
    return unlessExpired(capability, now);
  }

  private static Authentication unlessExpired(Capability capability, Instant now) {
    return capability
        .expired(now)
        .<Authentication>map(Authentication.Refused::new)
        .orElseGet(() -> new Authentication.Authentic(capability));
  }

  private static Authentication forged(byte[] hash) {
    return new Authentication.Refused(new CapabilityFault.BadSignature(Macaroon.hashPrefix(hash)));
  }

  private static Authentication malformed(String reason) {
    return new Authentication.Refused(new CapabilityFault.Malformed(reason));
  }
}
