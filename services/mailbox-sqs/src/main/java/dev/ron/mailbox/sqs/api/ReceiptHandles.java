package dev.ron.mailbox.sqs.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.capability.KeyRing;
import dev.ron.capability.SigningKey;
import dev.ron.mailbox.core.message.Receipt;
import dev.ron.mailbox.core.message.Ulid;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Writes and reads receipt handles: what a consumer shows to delete a message or to keep it longer.
 *
 * <pre>
 * handle = base64url(%x01 id receipt mac)   ; 1 + 16 + 8 + 16 bytes
 * </pre>
 *
 * <p>The code covers the queue too, so that a handle is good in its own queue alone, and none can
 * be made up. Its key is derived from the node's ring: every machine of a cluster reads what the
 * others wrote, and a handle lives as long as its key is accepted.
 *
 * <p>Threading: immutable; the ring is asked anew each time.
 */
public final class ReceiptHandles {
  private static final String PURPOSE = "sqs receipt handles";
  private static final String ALGORITHM = "HmacSHA256";
  private static final byte VERSION = 1;
  private static final int BODY_BYTES = 1 + Long.BYTES * 3;
  private static final int MAC_BYTES = 16;

  private final Supplier<KeyRing> ring;

  public ReceiptHandles(Supplier<KeyRing> ring) {
    this.ring = ring;
  }

  /** What a handle says. */
  public record Handle(Ulid id, Receipt receipt) {}

  public String write(String topic, Ulid id, Receipt receipt) {
    var bytes = ByteBuffer.allocate(BODY_BYTES + MAC_BYTES);
    bytes.put(VERSION).putLong(id.high()).putLong(id.low()).putLong(receipt.bits());
    byte[] body = Arrays.copyOf(bytes.array(), BODY_BYTES);
    bytes.put(mac(ring.get().active(), topic, body), 0, MAC_BYTES);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
  }

  /** Empty for a text that is no handle of this queue. */
  public Optional<Handle> read(String topic, String text) {
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(text);
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
    if (bytes.length != BODY_BYTES + MAC_BYTES || bytes[0] != VERSION) {
      return Optional.empty();
    }
    byte[] body = Arrays.copyOf(bytes, BODY_BYTES);
    byte[] shown = Arrays.copyOfRange(bytes, BODY_BYTES, bytes.length);
    KeyRing keys = ring.get();
    boolean fits =
        Stream.concat(Stream.of(keys.active()), keys.retired().stream())
            .anyMatch(
                key ->
                    MessageDigest.isEqual(Arrays.copyOf(mac(key, topic, body), MAC_BYTES), shown));
    if (!fits) {
      return Optional.empty();
    }
    ByteBuffer values = ByteBuffer.wrap(body, 1, BODY_BYTES - 1);
    return Optional.of(
        new Handle(new Ulid(values.getLong(), values.getLong()), new Receipt(values.getLong())));
  }

  private static byte[] mac(SigningKey key, String topic, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key.derived(PURPOSE), ALGORITHM));
      mac.update(topic.getBytes(UTF_8));
      return mac.doFinal(body);
    } catch (GeneralSecurityException refused) {
      throw new IllegalStateException("HMAC takes a key of any length", refused);
    }
  }
}
