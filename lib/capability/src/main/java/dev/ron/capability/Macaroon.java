package dev.ron.capability;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.capability.caveat.Caveat;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * A token: where it is for, which key and nonce it came from, what narrows it, and the signature
 * that binds these together.
 *
 * <p>The holder may narrow it with {@link #attenuate}; no server and no key takes part. The caveats
 * are kept as the exact text that was signed, because a caveat that this version does not know must
 * still count in the chain.
 *
 * <p>The token is a secret. {@link #toString} shows a prefix of its hash; only {@link #token} gives
 * it away.
 *
 * <p>Threading: immutable.
 */
public final class Macaroon {
  /** Enough for any chain of holders; more would let one request cost thousands of HMACs. */
  public static final int CAVEATS_MAX = 64;

  private final String location;
  private final String identifier;
  private final List<String> caveatTexts;
  private final byte[] signature;

  /**
   * Takes over {@code signature}: callers in this package hand in an array they keep no reference
   * to.
   */
  Macaroon(String location, String identifier, List<String> caveatTexts, byte[] signature) {
    if (identifier.isEmpty()) {
      throw new IllegalArgumentException("identifier is empty");
    }
    if (caveatTexts.size() > CAVEATS_MAX) {
      throw new IllegalArgumentException(
          "a token carries at most %d caveats, not %d".formatted(CAVEATS_MAX, caveatTexts.size()));
    }
    if (signature.length != SignatureChain.SIGNATURE_BYTES) {
      throw new IllegalArgumentException("signature of " + signature.length + " bytes");
    }
    this.location = location;
    this.identifier = identifier;
    this.caveatTexts = List.copyOf(caveatTexts);
    this.signature = signature;
    if (MacaroonCodec.encodedBytes(this) > TokenText.BYTES_MAX) {
      throw new IllegalArgumentException(
          "a token is at most " + TokenText.BYTES_MAX + " bytes before base64");
    }
  }

  /** A token without caveats, signed with {@code secret}. */
  static Macaroon root(String location, byte[] secret, String identifier) {
    requireEncodable(location);
    requireEncodable(identifier);
    return new Macaroon(
        location, identifier, List.of(), SignatureChain.over(secret, identifier, List.of()));
  }

  /**
   * The same token with one more caveat: it allows what it allowed, as far as {@code caveat}
   * agrees.
   *
   * @throws IllegalArgumentException if the token would grow past its limits
   */
  public Macaroon attenuate(Caveat caveat) {
    String text = caveat.text();
    requireEncodable(text);
    List<String> texts = Stream.concat(caveatTexts.stream(), Stream.of(text)).toList();
    return new Macaroon(location, identifier, texts, SignatureChain.next(signature, text));
  }

  /** Where the token is meant to be used; not signed, so {@link Verifier} insists on one value. */
  public String location() {
    return location;
  }

  /** Names key and nonce, see {@link TokenId}; shared by all that is attenuated from one token. */
  public String identifier() {
    return identifier;
  }

  /** The caveats in the order they were added. */
  public List<Caveat> caveats() {
    return caveatTexts.stream().map(Caveat::parse).toList();
  }

  /** The token itself, for its holder: V2 binary in URL-safe base64. */
  public String token() {
    return TokenText.encode(MacaroonCodec.encode(this));
  }

  /** The first eight bytes of the token's SHA-256 in hex: names it in logs without granting it. */
  public String hashPrefix() {
    return hashPrefix(hash(MacaroonCodec.encode(this)));
  }

  MacaroonCodec.Terms terms() {
    return new MacaroonCodec.Terms(identifier, caveatTexts);
  }

  List<String> caveatTexts() {
    return caveatTexts;
  }

  byte[] signature() {
    return signature.clone();
  }

  boolean signedWith(byte[] secret) {
    return SignatureChain.same(SignatureChain.over(secret, identifier, caveatTexts), signature);
  }

  static byte[] hash(byte[] encoded) {
    return sha256().digest(encoded);
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException absent) {
      throw new IllegalStateException("every JDK has SHA-256", absent);
    }
  }

  static String hashPrefix(byte[] hash) {
    return HexFormat.of().formatHex(hash, 0, 8);
  }

  /** A lone surrogate would be signed as a question mark and read back as another text. */
  private static void requireEncodable(String text) {
    if (!UTF_8.newEncoder().canEncode(text)) {
      throw new IllegalArgumentException("text that UTF-8 cannot hold");
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Macaroon that
        && location.equals(that.location)
        && identifier.equals(that.identifier)
        && caveatTexts.equals(that.caveatTexts)
        && SignatureChain.same(signature, that.signature);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(signature);
  }

  @Override
  public String toString() {
    return "Macaroon[" + hashPrefix() + "]";
  }
}
