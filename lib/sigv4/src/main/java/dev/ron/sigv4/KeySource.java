package dev.ron.sigv4;

import java.util.Optional;

/**
 * Finds the key that a request claims to be signed with; the verifier never learns where secrets
 * come from.
 */
@FunctionalInterface
public interface KeySource {
  /** Looks up the key for a claim; nothing about the claim has been proven yet. */
  Found find(Claim claim);

  /**
   * Who a request says it is from.
   *
   * @param sessionToken what came as {@code x-amz-security-token}; the signature covers it
   */
  record Claim(String accessKeyId, Optional<String> sessionToken, CredentialScope scope) {}

  /** The key, or why there is none. */
  sealed interface Found {
    /** The key for the claim's scope; whether the caller has it, the signature will show. */
    record Key(DerivedKey key) implements Found {}

    /** Usually {@code UnknownAccessKey}, {@code ExpiredToken} or {@code InvalidToken}. */
    record None(SignatureFault fault) implements Found {}
  }
}
