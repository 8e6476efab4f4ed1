package dev.ron.mailbox.core.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.blake3.Blake3Hasher;
import dev.ron.blake3.Hash;
import java.nio.ByteBuffer;

/**
 * The hash a consumer can work out for itself, over everything about a message that must not change
 * on the way.
 *
 * <p>BLAKE3 over these bytes, numbers big-endian, texts in UTF-8 behind their length in four bytes:
 *
 * <pre>
 * text  "ron.mailbox.v1"
 * text  topic
 * u64   ts, milliseconds since 1970
 * text  idem_key
 * 32    payload_hash
 * u32   number of attrs, then each as text name, text value, in the order of the names (ASCII)
 * </pre>
 *
 * <p>Lengths stand before texts so that no two messages have the same bytes.
 *
 * <p>Threading: immutable.
 */
public final class HashChain {
  private static final String DOMAIN = "ron.mailbox.v1";

  private HashChain() {}

  public static Hash of(Message message) {
    var hasher = new Blake3Hasher();
    text(hasher, DOMAIN);
    text(hasher, message.topic());
    hasher.update(ByteBuffer.allocate(Long.BYTES).putLong(message.tsMillis()).flip());
    text(hasher, message.idemKey());
    hasher.update(message.payloadHash().bytes());
    number(hasher, message.attrs().size());
    message
        .attrs()
        .forEach(
            (name, value) -> {
              text(hasher, name);
              text(hasher, value);
            });
    return hasher.hash();
  }

  private static void text(Blake3Hasher hasher, String text) {
    byte[] bytes = text.getBytes(UTF_8);
    number(hasher, bytes.length);
    hasher.update(bytes);
  }

  private static void number(Blake3Hasher hasher, int number) {
    hasher.update(ByteBuffer.allocate(Integer.BYTES).putInt(number).flip());
  }
}
