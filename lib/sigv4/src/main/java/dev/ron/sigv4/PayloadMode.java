package dev.ron.sigv4;

import java.util.Locale;
import java.util.Optional;

/**
 * How a body is sent and what protects it; {@code x-amz-content-sha256} alone decides.
 *
 * <p>A mode that is not in this list is refused: a body read in the wrong mode is stored with its
 * chunk framing inside, or with a signature that was never checked.
 *
 * <p>Threading: immutable.
 */
public sealed interface PayloadMode {
  /** The body as it is, whose SHA-256 is announced and must fit. */
  record Hashed(String sha256) implements PayloadMode {
    public Hashed {
      if (!SignatureText.isHex(sha256.toLowerCase(Locale.ROOT))) {
        throw new IllegalArgumentException("a SHA-256 is 64 hex digits");
      }
    }
  }

  /** The body as it is; no signature covers it. */
  record Unsigned() implements PayloadMode {}

  /** Chunks that are signed one after the other; with {@code trailer}, fields after the last. */
  record SignedChunks(boolean trailer) implements PayloadMode {}

  /** Chunks that no signature covers, and fields after the last. */
  record UnsignedChunks() implements PayloadMode {}

  /** Reads the field's value; empty for a mode that is unknown, the asymmetric ones included. */
  static Optional<PayloadMode> parse(String text) {
    return switch (text) {
      case "UNSIGNED-PAYLOAD" -> Optional.of(new Unsigned());
      case "STREAMING-AWS4-HMAC-SHA256-PAYLOAD" -> Optional.of(new SignedChunks(false));
      case "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER" -> Optional.of(new SignedChunks(true));
      case "STREAMING-UNSIGNED-PAYLOAD-TRAILER" -> Optional.of(new UnsignedChunks());
      default ->
          SignatureText.isHex(text.toLowerCase(Locale.ROOT))
              ? Optional.of(new Hashed(text))
              : Optional.empty();
    };
  }

  /** The field's value, which is the last line of the canonical request. */
  default String text() {
    return switch (this) {
      case Hashed(var sha256) -> sha256;
      case Unsigned() -> "UNSIGNED-PAYLOAD";
      case SignedChunks(var trailer) ->
          "STREAMING-AWS4-HMAC-SHA256-PAYLOAD" + (trailer ? "-TRAILER" : "");
      case UnsignedChunks() -> "STREAMING-UNSIGNED-PAYLOAD-TRAILER";
    };
  }

  /** Whether the body is framed in chunks, whatever its {@code Content-Encoding} says. */
  default boolean chunked() {
    return switch (this) {
      case Hashed _, Unsigned _ -> false;
      case SignedChunks _, UnsignedChunks _ -> true;
    };
  }
}
