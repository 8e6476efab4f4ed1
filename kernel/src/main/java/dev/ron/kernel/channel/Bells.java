package dev.ron.kernel.channel;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The bells attached to one inbox.
 *
 * <p>Threading: thread-safe; attaching is rare, ringing is frequent.
 */
final class Bells {
  private final List<Bell> bells = new CopyOnWriteArrayList<>();

  void attach(Bell bell) {
    bells.add(bell);
  }

  void detach(Bell bell) {
    bells.remove(bell);
  }

  /**
   * Wakes one waiting task, because one item needs one worker and waking the whole pool for it is a
   * stampede.
   *
   * <p>No item is left behind by this. A task arms its bell and then looks; the sender enqueues and
   * then looks for an armed bell. Both are volatile, so at least one of them sees the other. A task
   * disarms its bell before it takes anything; so if the bell that was rung belongs to a task that
   * had found other work, that task takes an item after this one was enqueued, sees that more is
   * there, and rings the next bell.
   */
  void ringOne() {
    for (Bell bell : bells) {
      if (bell.waiting()) {
        bell.disarm();
        bell.ring();
        return;
      }
    }
  }

  void ringAll() {
    for (Bell bell : bells) {
      bell.ring();
    }
  }
}
