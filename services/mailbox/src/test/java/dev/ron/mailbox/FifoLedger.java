package dev.ron.mailbox;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What clients of a FIFO queue were told, and whether it can have come from one that keeps order.
 *
 * <p>When a receive gets a message as the first of its group, every earlier one of the group that
 * was acknowledged to its sender must have been deleted before. Where a delete was asked for and
 * its answer is not known, it is known now: that message may not come again.
 *
 * <p>Threading: thread-safe.
 */
final class FifoLedger {
  final Map<String, TreeSet<String>> sent = new ConcurrentHashMap<>();
  final Set<String> deleteAsked = ConcurrentHashMap.newKeySet();
  final Set<String> deleted = ConcurrentHashMap.newKeySet();
  final ConcurrentLinkedQueue<String> contradictions = new ConcurrentLinkedQueue<>();
  private final Set<String> gone = ConcurrentHashMap.newKeySet();

  /** What clients hold: it comes to no other before its lease has ended, kill or not. */
  final Map<String, Got> held = new ConcurrentHashMap<>();

  /**
   * A message in an answer.
   *
   * @param until the lease holds at least so long
   */
  record Got(String group, String id, String receipt, Instant until) {}

  void sent(String group, String id) {
    TreeSet<String> all = sent.computeIfAbsent(group, _ -> new TreeSet<>());
    synchronized (all) {
      all.add(id);
    }
  }

  /** What may not come in an answer to a request that is made now. */
  Set<String> goneBefore() {
    var before = ConcurrentHashMap.<String>newKeySet();
    before.addAll(gone);
    before.addAll(deleted);
    return before;
  }

  void received(List<Got> answer, Set<String> goneBefore, Instant seen) {
    String group = "";
    String last = "";
    for (Got each : answer) {
      if (goneBefore.contains(each.id())) {
        contradictions.add(each + " came after it was deleted");
      }
      Got before = held.put(each.id(), each);
      if (before != null && seen.isBefore(before.until())) {
        contradictions.add(each + " came at " + seen + " in the lease of " + before);
      }
      if (each.group().equals(group)) {
        if (each.id().compareTo(last) <= 0) {
          contradictions.add(each + " came after " + last + " in one answer");
        }
      } else {
        first(each);
      }
      group = each.group();
      last = each.id();
    }
  }

  /** Ids are ULIDs of one shard: their texts are in the order of the sends. */
  private void first(Got got) {
    TreeSet<String> all = sent.getOrDefault(got.group(), new TreeSet<>());
    List<String> earlier;
    synchronized (all) {
      earlier = List.copyOf(all.headSet(got.id()));
    }
    for (String each : earlier) {
      if (!deleteAsked.contains(each)) {
        contradictions.add("%s was overtaken by %s".formatted(each, got));
      }
      gone.add(each);
    }
  }

  /** Of all that was sent, what is neither deleted nor still there. */
  List<String> lost(Set<String> left) {
    return sent.values().stream()
        .flatMap(Set::stream)
        .filter(id -> !deleteAsked.contains(id) && !left.contains(id))
        .toList();
  }

  int count() {
    return sent.values().stream().mapToInt(Set::size).sum();
  }
}
