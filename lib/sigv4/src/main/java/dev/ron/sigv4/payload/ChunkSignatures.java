package dev.ron.sigv4.payload;

import dev.ron.sigv4.CredentialScope;
import dev.ron.sigv4.DerivedKey;
import dev.ron.sigv4.SignatureText;

/**
 * The chain of signatures over the chunks of a body: each covers the one before, so none can be
 * left out, repeated or moved. The first goes on from the request's own.
 *
 * <p>Threading: owned by the thread that reads or writes the body.
 */
public final class ChunkSignatures {
  private final Seed seed;
  private String previous;

  /**
   * What the chain starts from.
   *
   * @param time when the request was signed, in the compact form
   * @param signature the request's own
   */
  public record Seed(DerivedKey key, String time, String signature) {}

  /** One link: the text that is signed, and its signature. */
  record Link(String stringToSign, String signature) {}

  public ChunkSignatures(Seed seed) {
    this.seed = seed;
    this.previous = seed.signature();
  }

  /** The signature of the next chunk; the last is the empty one. */
  public String chunk(byte[] sha256) {
    return nextChunk(sha256).signature();
  }

  /** The signature of the trailer's lines, after the last chunk. */
  public String trailer(byte[] sha256) {
    return nextTrailer(sha256).signature();
  }

  Link nextChunk(byte[] sha256) {
    return next(
        "AWS4-HMAC-SHA256-PAYLOAD", SignatureText.EMPTY_SHA256 + "\n" + SignatureText.hex(sha256));
  }

  Link nextTrailer(byte[] sha256) {
    return next("AWS4-HMAC-SHA256-TRAILER", SignatureText.hex(sha256));
  }

  private Link next(String algorithm, String hashes) {
    CredentialScope scope = seed.key().scope();
    String text = String.join("\n", algorithm, seed.time(), scope.text(), previous, hashes);
    previous = seed.key().sign(text);
    return new Link(text, previous);
  }
}
