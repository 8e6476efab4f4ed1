package dev.ron.mailbox;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What clients were told, and what contradicts it.
 *
 * <p>Threading: thread-safe.
 */
final class Ledger {
  /** Message ids of acknowledged sends, with their keys. */
  final Map<String, String> sent = new ConcurrentHashMap<>();

  /** Ids whose ack was asked for; what became of it may be unknown. */
  final Set<String> ackAsked = ConcurrentHashMap.newKeySet();

  /** Ids whose ack was acknowledged. */
  final Set<String> acked = ConcurrentHashMap.newKeySet();

  /** How often a send was answered with another status than 200; allowed, and good to know. */
  final Map<String, Integer> refusals = new ConcurrentHashMap<>();

  /** In which order messages were seen. */
  final SeenOrder order = new SeenOrder();

  final ConcurrentLinkedQueue<String> contradictions = new ConcurrentLinkedQueue<>();

  void sent(String id, String key) {
    String before = sent.put(id, key);
    if (before != null && !before.equals(key)) {
      contradictions.add("%s is the id of %s and of %s".formatted(id, before, key));
    }
  }

  /** Balances the books against everything that is still in the mailbox. */
  List<String> balance(Set<String> left) {
    var wrong = new ArrayList<>(contradictions);
    for (String id : sent.keySet()) {
      if (!ackAsked.contains(id) && !left.contains(id)) {
        wrong.add("acknowledged send %s of %s is lost".formatted(id, sent.get(id)));
      }
    }
    for (String id : acked) {
      if (left.contains(id)) {
        wrong.add("acknowledged ack of %s came back".formatted(id));
      }
    }
    return wrong;
  }
}
