package dev.ron.mailbox.sqs;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What clients of a queue were told, and whether it can have come from one that loses nothing,
 * hands out nothing that was deleted, takes no repetition twice and, if it is a FIFO queue, keeps
 * order.
 *
 * <p>When a receive of a FIFO queue gets a message as the first of its group, every earlier one of
 * the group that was acknowledged to its sender must have been deleted before. Where a delete was
 * asked for and its answer is not known, it is known now: that message may not come again.
 *
 * <p>Threading: thread-safe.
 */
final class SqsLedger {
  final Map<String, TreeSet<String>> sent = new ConcurrentHashMap<>();
  final Set<String> deleteAsked = ConcurrentHashMap.newKeySet();
  final Set<String> deleted = ConcurrentHashMap.newKeySet();
  final ConcurrentLinkedQueue<String> contradictions = new ConcurrentLinkedQueue<>();

  /** What was sent and not answered: each is sent again as what it was. */
  final Queue<Sending> unsure = new ConcurrentLinkedQueue<>();

  private final boolean fifo;
  private final Map<String, String> idsOfBodies = new ConcurrentHashMap<>();
  private final Set<String> gone = ConcurrentHashMap.newKeySet();

  /** What clients hold: it comes to no other before its lease has ended, kill or not. */
  final Map<String, Got> held = new ConcurrentHashMap<>();

  SqsLedger(boolean fifo) {
    this.fifo = fifo;
  }

  /** A message that no other equals. */
  record Sending(String group, String body) {}

  /**
   * A message in an answer.
   *
   * @param id rises from message to message in a FIFO queue
   * @param until the lease holds at least so long
   */
  record Got(String group, String id, String body, String handle, Instant until) {}

  void sent(String group, String body, String id) {
    once(body, id);
    TreeSet<String> all = sent.computeIfAbsent(group, _ -> new TreeSet<>());
    synchronized (all) {
      all.add(id);
    }
  }

  private void once(String body, String id) {
    String first = idsOfBodies.putIfAbsent(body, id);
    if (first != null && !first.equals(id)) {
      contradictions.add("%s is both %s and %s".formatted(body, first, id));
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
      once(each.body(), each.id());
      if (goneBefore.contains(each.id())) {
        contradictions.add(each + " came after it was deleted");
      }
      if (!fifo) {
        continue;
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
