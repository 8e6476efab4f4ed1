package dev.ron.mailbox.shard;

import dev.ron.mailbox.core.ReceiveResult;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Requests that wait at one shard for a message of their topic, first come first served.
 *
 * <p>A request that was served elsewhere or gave up stays until the shard looks; the bound counts
 * those only until then.
 *
 * <p>Threading: owned by the shard's loop.
 */
final class LongPolls {
  private final int max;
  private final Map<String, ArrayDeque<ShardRequest.Receive>> waiting = new HashMap<>();
  private int size;

  LongPolls(int max) {
    this.max = max;
  }

  /** False if there is no room. */
  boolean park(ShardRequest.Receive poll) {
    if (size >= max) {
      forgetGone();
    }
    if (size >= max) {
      return false;
    }
    waiting.computeIfAbsent(poll.request().topic(), _ -> new ArrayDeque<>()).add(poll);
    size++;
    return true;
  }

  List<String> topics() {
    return List.copyOf(waiting.keySet());
  }

  /** The next request for the topic that is not claimed yet; it is claimed now. */
  ShardRequest.@org.jspecify.annotations.Nullable Receive claimNext(String topic) {
    ArrayDeque<ShardRequest.Receive> queue = waiting.get(topic);
    while (queue != null) {
      ShardRequest.Receive poll = queue.poll();
      if (queue.isEmpty()) {
        waiting.remove(topic);
        queue = null;
      }
      if (poll != null) {
        size--;
        if (poll.reply().claim()) {
          return poll;
        }
      }
    }
    return null;
  }

  /** Nothing will come to a topic that is gone: its polls are told so before their time is up. */
  void end(String topic) {
    for (var poll = claimNext(topic); poll != null; poll = claimNext(topic)) {
      poll.reply().answer(new ReceiveResult.Messages(List.of()));
    }
  }

  boolean isEmpty() {
    return size == 0;
  }

  List<ShardRequest.Receive> removeAll() {
    var all = new ArrayList<ShardRequest.Receive>();
    waiting.values().forEach(all::addAll);
    waiting.clear();
    size = 0;
    return all;
  }

  private void forgetGone() {
    waiting
        .values()
        .removeIf(
            queue -> {
              queue.removeIf(poll -> poll.reply().claimed());
              return queue.isEmpty();
            });
    size = waiting.values().stream().mapToInt(ArrayDeque::size).sum();
  }
}
