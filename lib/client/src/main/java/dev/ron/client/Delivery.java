package dev.ron.client;

import java.util.Base64;
import java.util.List;
import java.util.Map;

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

  /** What a receive answers. */
  record Batch(List<Delivery> messages) {
    Batch {
      messages = List.copyOf(messages);
    }
  }
}
