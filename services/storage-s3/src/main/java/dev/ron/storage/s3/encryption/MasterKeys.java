package dev.ron.storage.s3.encryption;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.ron.blake3.Blake3;
import dev.ron.capability.SecretFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The server's own keys, which the keys of objects are encrypted with.
 *
 * <p>A file has one a line, 64 hex digits. The last one is used for what is stored from now on; all
 * of them open what was. A line that is taken away takes its objects along.
 *
 * <p>Threading: immutable.
 */
public final class MasterKeys {
  /** There is none, so nothing is encrypted with one. */
  public static final MasterKeys NONE = new MasterKeys(Map.of());

  private static final int ID_DIGITS = 16;

  /** By their ids, in the order of the file. */
  private final Map<String, byte[]> keys;

  private MasterKeys(Map<String, byte[]> keys) {
    this.keys = keys;
  }

  /** Reads the file, or makes it with a first key. */
  public static MasterKeys openOrMake(Path file, RandomGenerator secrets) throws IOException {
    if (Files.notExists(file)) {
      byte[] key = new byte[Aes.KEY_BYTES];
      secrets.nextBytes(key);
      Path folder = file.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      SecretFile.replace(file, HexFormat.of().formatHex(key) + "\n");
    }
    return open(file);
  }

  /** None if there is no file. */
  public static MasterKeys open(Path file) throws IOException {
    if (Files.notExists(file)) {
      return NONE;
    }
    SecretFile.requireOwnerOnly(file);
    var keys = new LinkedHashMap<String, byte[]>();
    int number = 0;
    for (String line : Files.readAllLines(file, US_ASCII)) {
      number++;
      if (!line.isBlank()) {
        byte[] key = key(line.strip(), file, number);
        keys.put(id(key), key);
      }
    }
    if (keys.isEmpty()) {
      throw new IOException(file + " has no key; a line has 64 hex digits");
    }
    return new MasterKeys(keys);
  }

  private static byte[] key(String text, Path file, int line) throws IOException {
    if (text.length() != 2 * Aes.KEY_BYTES || !text.chars().allMatch(HexFormat::isHexDigit)) {
      throw new IOException("%s, line %d: a key has 64 hex digits".formatted(file, line));
    }
    return HexFormat.of().parseHex(text);
  }

  /** A name that tells nothing of the key. */
  private static String id(byte[] key) {
    byte[] derived = Aes.derived(key, (byte) 0, new byte[0]);
    return Blake3.hash(ByteBuffer.wrap(derived)).toString().substring(0, ID_DIGITS);
  }

  /** Of all of them, in the order of the file. */
  public Set<String> ids() {
    return Collections.unmodifiableSet(keys.keySet());
  }

  /** The one that is used now. */
  Optional<String> current() {
    return keys.keySet().stream().reduce((_, last) -> last);
  }

  Optional<byte[]> key(String id) {
    return Optional.ofNullable(keys.get(id));
  }
}
