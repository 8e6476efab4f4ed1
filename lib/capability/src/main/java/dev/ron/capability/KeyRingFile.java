package dev.ron.capability;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A {@link KeyRing} on disk, owner-only and replaced whole.
 *
 * <pre>
 * ron-keys 1
 * active k01234567 &lt;64 hex digits&gt;
 * retired k89abcdef &lt;64 hex digits&gt; 2026-11-15T10:00:00Z
 * </pre>
 *
 * <p>Messages name the file and the line, never what stands in it.
 *
 * <p>Threading: immutable; of several writers the last wins, and none leaves a half-written file.
 */
public final class KeyRingFile {
  private static final String HEAD = "ron-keys 1";
  private static final long FILE_BYTES_MAX = 64 * 1024;

  private KeyRingFile() {}

  /** Reads the ring; throws if the file is open to others or has anything unexpected in it. */
  public static KeyRing read(Path file) throws IOException {
    SecretFile.requireOwnerOnly(file);
    if (Files.size(file) > FILE_BYTES_MAX) {
      throw new IOException(file + " is longer than a key file can be");
    }
    List<String> lines = Files.readAllLines(file, UTF_8);
    if (!lines.isEmpty()
        && lines.getFirst().matches("ron-keys [0-9]{1,9}")
        && !lines.getFirst().equals(HEAD)) {
      throw new IOException(
          "%s is of the version '%s', known is '%s'".formatted(file, lines.getFirst(), HEAD));
    }
    if (lines.isEmpty() || !lines.getFirst().equals(HEAD)) {
      throw new IOException(file + " does not start with '" + HEAD + "'");
    }
    SigningKey active = null;
    var retired = new ArrayList<SigningKey>();
    for (int i = 1; i < lines.size(); i++) {
      SigningKey key = key(lines.get(i));
      if (key == null || (key.until() == null && active != null)) {
        throw new IOException(
            "%s, line %d: not a key, or a second active one".formatted(file, i + 1));
      }
      if (key.until() == null) {
        active = key;
      } else {
        retired.add(key);
      }
    }
    return ring(file, active, retired);
  }

  /** Writes the ring in place of what was there. */
  public static void write(Path file, KeyRing ring) throws IOException {
    var text = new StringBuilder(HEAD).append('\n').append("active ");
    append(text, ring.active()).append('\n');
    for (SigningKey key : ring.retired()) {
      append(text.append("retired "), key).append(' ').append(key.until()).append('\n');
    }
    SecretFile.replace(file, text.toString());
  }

  private static KeyRing ring(Path file, @Nullable SigningKey active, List<SigningKey> retired)
      throws IOException {
    if (active == null) {
      throw new IOException(file + " has no active key");
    }
    try {
      return new KeyRing(active, retired);
    } catch (IllegalArgumentException contradiction) {
      throw new IOException(file + ": " + contradiction.getMessage(), contradiction);
    }
  }

  private static @Nullable SigningKey key(String line) {
    String[] words = line.split(" ", 5);
    boolean active = words.length == 3 && words[0].equals("active");
    boolean retired = words.length == 4 && words[0].equals("retired");
    if (!active && !retired) {
      return null;
    }
    try {
      Instant until = retired ? Instant.parse(words[3]) : null;
      return new SigningKey(words[1], HexFormat.of().parseHex(words[2]), until);
    } catch (IllegalArgumentException | DateTimeException _) {
      // The cause would quote the line, and the line is a secret.
      return null;
    }
  }

  private static StringBuilder append(StringBuilder text, SigningKey key) {
    return text.append(key.id()).append(' ').append(HexFormat.of().formatHex(key.secret()));
  }
}
