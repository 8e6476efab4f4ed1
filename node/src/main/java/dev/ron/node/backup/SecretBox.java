package dev.ron.node.backup;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Files under a passphrase: keys, and a configuration that may have secrets in it.
 *
 * <p>{@code ron-secrets 1}, a line feed, salt 16, rounds 4, nonce 12, then AES-256-GCM over the
 * files, with all before it as associated data. The key is PBKDF2 with HMAC-SHA-256.
 *
 * <p>Threading: stateless.
 */
final class SecretBox {
  /** What OWASP asks of PBKDF2 with SHA-256; half a second. */
  private static final int ROUNDS = 600_000;

  private static final int ROUNDS_MAX = 10_000_000;
  private static final byte[] HEAD = "ron-secrets 1\n".getBytes(US_ASCII);
  private static final int SALT_BYTES = 16;
  private static final int NONCE_BYTES = 12;
  private static final int KEY_BITS = 256;
  private static final int TAG_BITS = 128;
  private static final int FILES_MAX = 10_000;

  private SecretBox() {}

  static byte[] close(Map<String, byte[]> files, char[] passphrase) throws IOException {
    var random = new SecureRandom();
    byte[] salt = new byte[SALT_BYTES];
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(salt);
    random.nextBytes(nonce);
    var out = new ByteArrayOutputStream();
    var head = new DataOutputStream(out);
    head.write(HEAD);
    head.write(salt);
    head.writeInt(ROUNDS);
    head.write(nonce);
    byte[] open = out.toByteArray();
    out.write(cipher(Cipher.ENCRYPT_MODE, passphrase, salt, ROUNDS, nonce, open, plain(files)));
    return out.toByteArray();
  }

  private static byte[] plain(Map<String, byte[]> files) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var out = new DataOutputStream(bytes);
    out.writeInt(files.size());
    for (var file : new TreeMap<>(files).entrySet()) {
      out.writeUTF(file.getKey());
      out.writeInt(file.getValue().length);
      out.write(file.getValue());
    }
    return bytes.toByteArray();
  }

  /**
   * @throws IOException if the passphrase is another one, or a byte was changed
   */
  static Map<String, byte[]> open(byte[] box, char[] passphrase) throws IOException {
    int open = HEAD.length + SALT_BYTES + Integer.BYTES + NONCE_BYTES;
    if (box.length < open || !Arrays.equals(HEAD, 0, HEAD.length, box, 0, HEAD.length)) {
      throw new IOException(
          "the secrets do not begin with '%s'".formatted(new String(HEAD, US_ASCII).strip()));
    }
    var in = new DataInputStream(new ByteArrayInputStream(box));
    in.skipNBytes(HEAD.length);
    byte[] salt = in.readNBytes(SALT_BYTES);
    int rounds = in.readInt();
    byte[] nonce = in.readNBytes(NONCE_BYTES);
    if (rounds < 1 || rounds > ROUNDS_MAX) {
      throw new IOException("the secrets ask for %d rounds".formatted(rounds));
    }
    byte[] plain =
        cipher(
            Cipher.DECRYPT_MODE,
            passphrase,
            salt,
            rounds,
            nonce,
            Arrays.copyOf(box, open),
            in.readAllBytes());
    return files(new DataInputStream(new ByteArrayInputStream(plain)));
  }

  private static Map<String, byte[]> files(DataInputStream in) throws IOException {
    var files = new TreeMap<String, byte[]>();
    int count = in.readInt();
    if (count < 0 || count > FILES_MAX) {
      throw new IOException("a box with %d secrets".formatted(count));
    }
    for (int i = 0; i < count; i++) {
      String name = in.readUTF();
      int length = in.readInt();
      if (length < 0 || length > in.available()) {
        throw new IOException("a secret of %d bytes".formatted(length));
      }
      files.put(name, in.readNBytes(length));
    }
    return files;
  }

  private static byte[] cipher(
      int mode, char[] passphrase, byte[] salt, int rounds, byte[] nonce, byte[] open, byte[] in)
      throws IOException {
    try {
      byte[] key =
          SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
              .generateSecret(new PBEKeySpec(passphrase, salt, rounds, KEY_BITS))
              .getEncoded();
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
      cipher.updateAAD(open);
      return cipher.doFinal(in);
    } catch (AEADBadTagException wrong) {
      throw new IOException("the passphrase is another one, or the secrets were changed", wrong);
    } catch (GeneralSecurityException absent) {
      throw new IllegalStateException("every JDK has AES-GCM and PBKDF2", absent);
    }
  }
}
