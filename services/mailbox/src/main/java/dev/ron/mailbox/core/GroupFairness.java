package dev.ron.mailbox.core;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The ready messages of one topic, shared out between their groups by deficit round robin.
 *
 * <p>In each turn a group gains one unit and sends as long as it can pay; a message costs one unit
 * and one more for each 16 KiB. So small messages alternate between groups, large ones are paid for
 * over several turns, and a quiet group's first message waits for one message of each other group.
 * A group that has nothing left loses what it saved, or it could hoard and burst later.
 *
 * <p>Between calls the group whose turn it is can always pay for its first message: looking is then
 * free of side effects, and only the calls that change something turn the wheel.
 *
 * <p>Within a group the oldest message goes first, one that came back included.
 *
 * <p>Threading: owned by the shard's loop.
 */
final class GroupFairness {
  private static final int UNIT_BYTES = 16 * 1024;

  private final Map<String, Group> groups = new HashMap<>();
  private final ArrayDeque<Group> turns = new ArrayDeque<>();
  private int size;

  /** One sender's share: what waits, with its price, and what was saved for it. */
  private static final class Group {
    private final String name;
    private final TreeMap<Ulid, Integer> waiting = new TreeMap<>();
    private int saved;

    Group(String name) {
      this.name = name;
    }

    boolean canPay() {
      return saved >= waiting.firstEntry().getValue();
    }
  }

  void offer(Message message) {
    Group group =
        groups.computeIfAbsent(
            message.group(),
            name -> {
              var fresh = new Group(name);
              turns.add(fresh);
              return fresh;
            });
    if (group.waiting.put(message.id(), 1 + message.payloadBytes() / UNIT_BYTES) != null) {
      throw new IllegalStateException(message.id() + " is ready twice");
    }
    size++;
    turn();
  }

  /** Whose turn it is, or null if nothing waits. */
  @Nullable Ulid first() {
    Group group = turns.peek();
    return group == null ? null : group.waiting.firstKey();
  }

  /** Removes a message; the one whose turn it is pays. */
  void remove(Message message) {
    Group group = Objects.requireNonNull(groups.get(message.group()), "a group that waits");
    boolean itsTurn = message.id().equals(first());
    int price = Objects.requireNonNull(group.waiting.remove(message.id()), "a message that waits");
    size--;
    if (itsTurn) {
      group.saved -= price;
    }
    if (group.waiting.isEmpty()) {
      groups.remove(group.name);
      turns.remove(group);
    } else if (itsTurn && !group.canPay()) {
      turns.add(turns.remove());
    }
    turn();
  }

  /** Turns the wheel until the group in front can pay; each turn brings each group nearer. */
  private void turn() {
    for (Group group = turns.peek(); group != null && !group.canPay(); group = turns.peek()) {
      group.saved++;
      if (!group.canPay()) {
        turns.add(turns.remove());
      }
    }
  }

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** The id of the message that has waited longest, over all groups; null if none waits. */
  @Nullable Ulid oldest() {
    return groups.values().stream()
        .map(group -> group.waiting.firstKey())
        .min(Ulid::compareTo)
        .orElse(null);
  }
}
