package dev.ron.mailbox.sqs.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/**
 * The sums that clients compute too, and compare.
 *
 * <p>Threading: stateless.
 */
final class MessageDigests {
  private static final byte TEXT = 1;
  private static final byte BINARY = 2;

  private MessageDigests() {}

  static String body(byte[] body) {
    return hex("MD5", body);
  }

  /** What stands for a deduplication id that a sender does not give. */
  static String dedupId(byte[] body) {
    return hex("SHA-256", body);
  }

  /** Over each name in their order: the name, the type, a byte for its form, the value. */
  static String attributes(Map<String, MessageAttributes.Value> values) {
    MessageDigest md5 = digest("MD5");
    new TreeMap<>(values)
        .forEach(
            (name, value) -> {
              update(md5, name.getBytes(UTF_8));
              update(md5, value.type().getBytes(UTF_8));
              md5.update(value.binary() ? BINARY : TEXT);
              update(md5, value.bytes());
            });
    return HexFormat.of().formatHex(md5.digest());
  }

  private static void update(MessageDigest md5, byte[] bytes) {
    md5.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
    md5.update(bytes);
  }

  private static String hex(String algorithm, byte[] bytes) {
    return HexFormat.of().formatHex(digest(algorithm).digest(bytes));
  }

  private static MessageDigest digest(String algorithm) {
    try {
      return MessageDigest.getInstance(algorithm);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has " + algorithm, e);
    }
  }
}
