package dev.ron.mailbox.core.message;

import dev.ron.blake3.Hash;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What was sent, without its body: that lies in {@code MessageBodies}, so that an index over many
 * messages does not hold their bytes.
 *
 * <p>Threading: immutable.
 *
 * @param group within the topic, for fairness; empty if the sender named none
 * @param tsMillis the calendar when it was sent
 * @param corrId of the request that sent it
 */
public record Message(
    Ulid id,
    String topic,
    String group,
    long tsMillis,
    String idemKey,
    Hash payloadHash,
    int payloadBytes,
    Map<String, String> attrs,
    String corrId) {
  public Message {
    // Sorted, so that equal attrs have one canonical form.
    attrs = attrs.isEmpty() ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(attrs));
  }

  /** The same under another name of its topic. */
  Message named(String otherTopic) {
    return otherTopic.equals(topic)
        ? this
        : new Message(
            id, otherTopic, group, tsMillis, idemKey, payloadHash, payloadBytes, attrs, corrId);
  }
}
