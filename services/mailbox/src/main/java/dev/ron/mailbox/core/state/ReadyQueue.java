package dev.ron.mailbox.core.state;

import java.util.ArrayDeque;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The ready messages of a lane, the oldest first, at eight bytes each.
 *
 * <p>What comes in for the first time is newer than all before it and goes to the end of {@code
 * fresh}; what comes back goes to {@code returned}, which is a heap. A message that leaves is not
 * searched for: its entry is passed over when it gets to the front, and if the message is ready
 * again before that, the entry counts again. When most entries are such leftovers they are cleared.
 *
 * <p>Threading: owned by the shard's loop.
 */
final class ReadyQueue {
  private static final int BLOCK_MAX = 1024;
  private static final int LEFTOVERS_MIN = 64;

  private final MessageIndex index;
  private final int lane;
  private final ArrayDeque<Block> fresh = new ArrayDeque<>(2);

  /** Made when the first comes back: most groups of a queue with many have none. */
  private @Nullable PriorityQueue<Long> returned;

  private int entries;
  private int ready;

  /** A piece of the queue, filled from the left and emptied from the left. */
  private static final class Block {
    private final long[] numbers;
    private int from;
    private int to;

    Block(int size) {
      numbers = new long[size];
    }
  }

  /**
   * @param lane whose queue this is; an entry of a message that was moved elsewhere is left over
   */
  ReadyQueue(MessageIndex index, int lane) {
    this.index = index;
    this.lane = lane;
  }

  /** Puts in a message whose state is ready. */
  void put(long number) {
    ready++;
    if (index.queued(number)) {
      return;
    }
    index.queued(number, true);
    entries++;
    Block last = fresh.peekLast();
    if (last != null && last.from < last.to && number < last.numbers[last.to - 1]) {
      returned().add(number);
      return;
    }
    if (last == null || last.to == last.numbers.length) {
      last = new Block(last == null ? 4 : Math.min(BLOCK_MAX, 4 * last.numbers.length));
      fresh.add(last);
    }
    last.numbers[last.to++] = number;
  }

  private PriorityQueue<Long> returned() {
    PriorityQueue<Long> made = returned == null ? new PriorityQueue<>(1) : returned;
    returned = made;
    return made;
  }

  /** A message that was in here is not ready any more; its state says so already. */
  void left() {
    ready--;
    if (entries > 2 * ready + LEFTOVERS_MIN) {
      clear();
    }
  }

  boolean isEmpty() {
    return ready == 0;
  }

  int size() {
    return ready;
  }

  /** The oldest; there must be one. */
  long first() {
    while (true) {
      Block block = fresh.peekFirst();
      Long back = returned == null ? null : returned.peek();
      boolean isFresh = block != null && (back == null || block.numbers[block.from] < back);
      if (block == null && back == null) {
        throw new IllegalStateException("nothing is ready in this lane");
      }
      long number = isFresh ? block.numbers[block.from] : Objects.requireNonNull(back);
      if (isReady(number)) {
        return number;
      }
      pop(isFresh);
      gone(number);
    }
  }

  private boolean isReady(long number) {
    return isHere(number) && index.state(number) == IndexedMessage.State.READY;
  }

  private boolean isHere(long number) {
    return index.contains(number) && index.lane(number) == lane;
  }

  private void pop(boolean isFresh) {
    if (!isFresh) {
      returned().poll();
      return;
    }
    Block block = fresh.getFirst();
    if (++block.from == block.to) {
      fresh.removeFirst();
    }
  }

  private void gone(long number) {
    entries--;
    if (isHere(number)) {
      index.queued(number, false);
    }
  }

  private void clear() {
    var live = new ArrayDeque<Block>(2);
    for (Block block : fresh) {
      var kept = new Block(block.to - block.from);
      for (int i = block.from; i < block.to; i++) {
        if (isReady(block.numbers[i])) {
          kept.numbers[kept.to++] = block.numbers[i];
        } else {
          gone(block.numbers[i]);
        }
      }
      if (kept.to > 0) {
        live.add(kept);
      }
    }
    fresh.clear();
    fresh.addAll(live);
    returned()
        .removeIf(
            number -> {
              boolean stale = !isReady(number);
              if (stale) {
                gone(number);
              }
              return stale;
            });
  }
}
