package dev.ron.sigv4;

import dev.ron.sigv4.payload.ChunkSignatures;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What came of checking a request's signature.
 *
 * <p>Identity and payload mode are here and nowhere else: a door that reads either from the request
 * again can be made to read another one.
 *
 * <p>Threading: immutable.
 */
public sealed interface Verification {
  /**
   * The signature fits.
   *
   * @param signedHeaders the fields it covers, in lower case; {@code host} and all {@code x-amz-*}
   *     that are present among them
   * @param expires when a presigned request ends; empty for the header form
   * @param seed continues the signature into the chunks of the body
   */
  record Verified(
      SignaturePlace place,
      String accessKeyId,
      Optional<String> sessionToken,
      CredentialScope scope,
      Instant signedAt,
      Optional<Instant> expires,
      List<String> signedHeaders,
      PayloadMode mode,
      ChunkSignatures.Seed seed)
      implements Verification {
    public Verified {
      signedHeaders = List.copyOf(signedHeaders);
    }
  }

  /** The request carries no signature of any kind; how its body is framed is known all the same. */
  record Anonymous(PayloadMode mode) implements Verification {}

  /** The signature does not fit, cannot be read, or covers too little. */
  record Refused(SignatureFault fault) implements Verification {}
}
