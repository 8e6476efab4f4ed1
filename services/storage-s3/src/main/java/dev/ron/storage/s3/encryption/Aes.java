package dev.ron.storage.s3.encryption;

import java.security.GeneralSecurityException;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * AES-256 in Galois/counter mode, and keys from keys by HMAC-SHA-256, as every Java has them.
 *
 * <p>Threading: stateless.
 */
final class Aes {
  static final int KEY_BYTES = 32;
  static final int NONCE_BYTES = 12;
  static final int TAG_BYTES = 16;

  private static final String AES = "AES";

  private Aes() {}

  /** Ciphertext and tag, in one buffer. */
  static int encrypt(
      byte[] key, byte[] nonce, byte[] bound, byte[] in, int from, int length, byte[] out) {
    try {
      Cipher cipher = cipher(Cipher.ENCRYPT_MODE, key, nonce, bound);
      return cipher.doFinal(in, from, length, out, 0);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has AES", e);
    }
  }

  /**
   * @param in ciphertext and tag
   * @return how many bytes there are now, negative if the key or the bytes are not the right ones
   */
  static int decrypt(byte[] key, byte[] nonce, byte[] bound, byte[] in, int length, byte[] out) {
    try {
      Cipher cipher = cipher(Cipher.DECRYPT_MODE, key, nonce, bound);
      return cipher.doFinal(in, 0, length, out, 0);
    } catch (AEADBadTagException _) {
      return -1;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has AES", e);
    }
  }

  private static Cipher cipher(int mode, byte[] key, byte[] nonce, byte[] bound)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(
        mode, new SecretKeySpec(key, AES), new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce));
    cipher.updateAAD(bound);
    return cipher;
  }

  /** A key for one purpose, from which neither the other key nor other purposes' follow. */
  static byte[] derived(byte[] key, byte purpose, byte[] of) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, AES));
      mac.update(purpose);
      return mac.doFinal(of);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has HMAC", e);
    }
  }
}
