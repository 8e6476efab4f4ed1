package dev.ron.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ron.blake3.Blake3;
import dev.ron.blake3.Blake3Hasher;
import dev.ron.blake3.Hash;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A message in this program's hands, as the mailbox wrote it.
 *
 * <p>Threading: immutable.
 *
 * @param attempt counted from 1
 */
public record Delivery(
    String msgId,
    String topic,
    long ts,
    String idemKey,
    String payloadB64,
    String payloadHash,
    Map<String, String> attrs,
    String corrId,
    int shard,
    int attempt,
    String receipt,
    String hashChain) {
  public Delivery {
    attrs = Map.copyOf(attrs);
  }

  public byte[] payload() {
    return Base64.getDecoder().decode(payloadB64);
  }

  /**
   * Whether it is what was sent: the payload by {@code payload_hash}, and that with everything else
   * that must not change by {@code hash_chain}, whose bytes are those of the mailbox's page.
   */
  boolean intact() {
    Hash payload = Blake3.hash(payload());
    var chain = new Blake3Hasher();
    text(chain, "ron.mailbox.v1");
    text(chain, topic);
    chain.update(ByteBuffer.allocate(Long.BYTES).putLong(ts).flip());
    text(chain, idemKey);
    chain.update(payload.bytes());
    number(chain, attrs.size());
    new TreeMap<>(attrs)
        .forEach(
            (name, value) -> {
              text(chain, name);
              text(chain, value);
            });
    return payload.hex().equals(payloadHash) && chain.hash().hex().equals(hashChain);
  }

  private static void text(Blake3Hasher chain, String text) {
    byte[] bytes = text.getBytes(UTF_8);
    number(chain, bytes.length);
    chain.update(bytes);
  }

  private static void number(Blake3Hasher chain, int number) {
    chain.update(ByteBuffer.allocate(Integer.BYTES).putInt(number).flip());
  }

  /** What a receive answers. */
  record Batch(List<Delivery> messages) {
    Batch {
      messages = List.copyOf(messages);
    }
  }
}
