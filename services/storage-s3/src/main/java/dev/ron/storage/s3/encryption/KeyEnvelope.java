package dev.ron.storage.s3.encryption;

import java.util.Arrays;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * A key encrypted with another: a nonce, the ciphertext, a tag. Only the right key opens it, so
 * nothing else needs to be kept to tell a wrong one.
 *
 * <p>Threading: stateless.
 */
final class KeyEnvelope {
  private static final byte[] BOUND = {'r', 'o', 'n', ' ', 's', '3', ' ', 'k', 'e', 'y', 1};

  private KeyEnvelope() {}

  static byte[] sealed(byte[] outer, byte[] key, RandomGenerator secrets) {
    byte[] nonce = new byte[Aes.NONCE_BYTES];
    secrets.nextBytes(nonce);
    byte[] box = new byte[key.length + Aes.TAG_BYTES];
    Aes.encrypt(outer, nonce, BOUND, key, 0, key.length, box);
    byte[] envelope = Arrays.copyOf(nonce, nonce.length + box.length);
    System.arraycopy(box, 0, envelope, nonce.length, box.length);
    return envelope;
  }

  /** Empty if it was another key. */
  static Optional<byte[]> opened(byte[] outer, byte[] envelope) {
    byte[] nonce = Arrays.copyOf(envelope, Aes.NONCE_BYTES);
    byte[] box = Arrays.copyOfRange(envelope, Aes.NONCE_BYTES, envelope.length);
    byte[] key = new byte[Aes.KEY_BYTES];
    return Aes.decrypt(outer, nonce, BOUND, box, box.length, key) < 0
        ? Optional.empty()
        : Optional.of(key);
  }
}
