package dev.ron.capability;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * One token on disk, owner-only and replaced whole.
 *
 * <p>Threading: immutable; of several writers the last wins.
 */
public final class TokenFile {
  private TokenFile() {}

  /** Reads the token; empty if there is no file, throws if it is open to others. */
  public static Optional<String> read(Path file) throws IOException {
    if (Files.notExists(file)) {
      return Optional.empty();
    }
    SecretFile.requireOwnerOnly(file);
    if (Files.size(file) > TokenText.CHARS_MAX + 1) {
      throw new IOException(file + " is longer than a token can be");
    }
    return Optional.of(Files.readString(file, UTF_8).strip());
  }

  /** Writes the token in place of what was there. */
  public static void write(Path file, String token) throws IOException {
    SecretFile.replace(file, token + "\n");
  }
}
