package dev.ron.decode;

import java.util.Optional;

/** The content codings that Ron speaks, in the order a server prefers them when all are equal. */
public enum ContentCoding {
  ZSTD("zstd"),
  BR("br"),
  GZIP("gzip"),
  DEFLATE("deflate"),
  IDENTITY("identity");

  private final String token;

  ContentCoding(String token) {
    this.token = token;
  }

  /** As it stands in Content-Encoding. */
  public String token() {
    return token;
  }

  /** Case does not matter; {@code x-gzip} is gzip (RFC 9110 section 8.4.1.3). */
  public static Optional<ContentCoding> of(String token) {
    if (token.equalsIgnoreCase("x-gzip")) {
      return Optional.of(GZIP);
    }
    for (ContentCoding coding : values()) {
      if (coding.token.equalsIgnoreCase(token)) {
        return Optional.of(coding);
      }
    }
    return Optional.empty();
  }
}
