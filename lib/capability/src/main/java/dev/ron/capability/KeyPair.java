package dev.ron.capability;

import dev.ron.capability.caveat.Caveat;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A token cut in two, for clients that sign requests instead of showing a token: what is public
 * becomes the access key id, the last signature becomes the secret.
 *
 * <pre>
 * access key id = "RON1" base64url(%x02 identifier END *(caveat END) END)
 * secret        = base64url(signature)
 * session token = base64url(%x02 1*(caveat END) END)   ; caveats that are not in the id
 * </pre>
 *
 * <p>A server with the ring's key computes the secret from the id, so none is stored anywhere. The
 * holder narrows a pair as it narrows a token: append the caveat, and the new secret is the HMAC of
 * the old one. Caveats go into the id, or, where a program has an id of its own, into the session
 * token; they count after those of the id, and can only narrow.
 *
 * <p>Of a pair that is handed on, the secret is the secret: {@link #toString} does not show it.
 *
 * <p>Threading: immutable.
 */
public final class KeyPair {
  /** What an access key id of Ron begins with. */
  public static final String ID_START = "RON1";

  private final Macaroon macaroon;
  private final int idCaveats;

  private KeyPair(Macaroon macaroon, int idCaveats) {
    this.macaroon = macaroon;
    this.idCaveats = idCaveats;
  }

  /** The pair that allows what the token allows. */
  public static KeyPair of(Macaroon macaroon) {
    return new KeyPair(macaroon, macaroon.caveatTexts().size());
  }

  /**
   * The pair with one more caveat in its id.
   *
   * @throws IllegalStateException if caveats are in the session token already, whose secret covers
   *     them after those of the id
   */
  public KeyPair attenuate(Caveat caveat) {
    if (sessionToken().isPresent()) {
      throw new IllegalStateException("caveats are in the session token already");
    }
    return of(macaroon.attenuate(caveat));
  }

  /** The pair with the same id and one more caveat in the session token. */
  public KeyPair attenuateSession(Caveat caveat) {
    return new KeyPair(macaroon.attenuate(caveat), idCaveats);
  }

  /** The public half; only letters, digits, dash and underscore. */
  public String accessKeyId() {
    var terms =
        new MacaroonCodec.Terms(
            macaroon.identifier(), macaroon.caveatTexts().subList(0, idCaveats));
    return ID_START + TokenText.encode(MacaroonCodec.encodeTerms(terms));
  }

  /** The secret half: 43 characters. */
  public String secret() {
    return secret(macaroon.signature());
  }

  /** The caveats that are not in the id; empty if all are. */
  public Optional<String> sessionToken() {
    List<String> beside = macaroon.caveatTexts().subList(idCaveats, macaroon.caveatTexts().size());
    return beside.isEmpty()
        ? Optional.empty()
        : Optional.of(TokenText.encode(MacaroonCodec.encodeCaveats(beside)));
  }

  /** Every caveat, of the id and of the session token. */
  public List<Caveat> caveats() {
    return macaroon.caveats();
  }

  static String secret(byte[] signature) {
    return TokenText.encode(signature);
  }

  /** What a pair's public half says; nothing is proven. */
  public static Optional<MacaroonCodec.Terms> terms(String accessKeyId) {
    try {
      return Optional.of(read(accessKeyId, Optional.empty()));
    } catch (TokenFormatException _) {
      return Optional.empty();
    }
  }

  /** What a pair says of itself; nothing is proven. */
  static MacaroonCodec.Terms read(String accessKeyId, Optional<String> sessionToken)
      throws TokenFormatException {
    if (!accessKeyId.startsWith(ID_START)) {
      throw new TokenFormatException("an access key id of Ron begins with " + ID_START);
    }
    MacaroonCodec.Terms terms =
        MacaroonCodec.readTerms(TokenText.decode(accessKeyId.substring(ID_START.length())));
    if (sessionToken.isEmpty()) {
      return terms;
    }
    List<String> beside = MacaroonCodec.readCaveats(TokenText.decode(sessionToken.get()));
    if (terms.caveats().size() + beside.size() > Macaroon.CAVEATS_MAX) {
      throw new TokenFormatException("it has more than " + Macaroon.CAVEATS_MAX + " caveats");
    }
    return new MacaroonCodec.Terms(
        terms.identifier(), Stream.concat(terms.caveats().stream(), beside.stream()).toList());
  }

  @Override
  public String toString() {
    return "KeyPair[" + macaroon.hashPrefix() + "]";
  }

  /**
   * What a verifier finds for an access key id, before a request's signature is checked with it.
   */
  public sealed interface Lookup {
    /** There is no such pair, or no longer. */
    record Refused(CapabilityFault fault) implements Lookup {}
  }

  /**
   * A pair whose id is well made, whose key is accepted, and which was not withdrawn and has not
   * expired.
   *
   * <p>This proves nothing about the caller: any program can write such an id. The capability
   * counts only if the request's signature fits the secret; the door says so with {@link #proven}.
   */
  public static final class Found implements Lookup {
    private final Capability capability;
    private final String secret;
    private final byte[] hash;
    private final VerificationCache cache;

    /** Two threads may make the same thing; either is good. */
    private volatile @Nullable Made made;

    private record Made(Object purpose, Object thing) {}

    Found(Capability capability, String secret, byte[] hash, VerificationCache cache) {
      this.capability = capability;
      this.secret = secret;
      this.hash = hash.clone();
      this.cache = cache;
    }

    /** What the holder of the secret may do. */
    public Capability capability() {
      return capability;
    }

    /** What the request must be signed with; for the check of its signature and nothing else. */
    public String secret() {
      return secret;
    }

    /**
     * What is made of the secret for a purpose, such as a day's signing key. The last one stays
     * with the pair, and so for the cache time at most and for no longer than the trust it was
     * found in: a pair that is withdrawn or whose key is retired is not found, nor what was made.
     */
    public <P, M> M made(P purpose, Class<M> type, BiFunction<String, P, M> maker) {
      Made last = made;
      if (last != null && last.purpose.equals(purpose) && type.isInstance(last.thing)) {
        return type.cast(last.thing);
      }
      M thing = maker.apply(secret, purpose);
      made = new Made(purpose, thing);
      return thing;
    }

    /**
     * A request was signed with the secret: the pair is remembered for the cache time. Not sooner,
     * or made-up ids would push the real ones out. After a change of trust it is forgotten, since
     * it is remembered where it was found.
     */
    public void proven(Instant now) {
      cache.keepPair(hash, this, now);
    }

    @Override
    public String toString() {
      return "Found[" + capability + "]";
    }
  }
}
