package dev.ron.kernel.channel;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * What the current step of a task has taken from channels.
 *
 * <p>When a step is aborted, those items were received and will not be handled; they count as
 * dropped from the channel they came from, so that nothing that was sent is uncounted.
 *
 * <p>Threading: owned by the task's thread, to which it is bound.
 */
public final class StepItems {
  private static final ScopedValue<StepItems> CURRENT = ScopedValue.newInstance();

  private final Map<Channel<?>, Integer> items = new HashMap<>(2);

  /** Runs a task's whole life with these items bound to its thread. */
  public <T> T carry(Callable<T> life) throws Exception {
    return ScopedValue.where(CURRENT, this).call(life::call);
  }

  static void took(Channel<?> from, int count) {
    if (CURRENT.isBound()) {
      CURRENT.get().items.merge(from, count, Integer::sum);
    }
  }

  /** A step begins: the items of the last step are handled. */
  public void clear() {
    if (!items.isEmpty()) {
      items.clear();
    }
  }

  /**
   * The step was aborted.
   *
   * @return how many items it had taken
   */
  public int drop() {
    int sum = 0;
    for (Map.Entry<Channel<?>, Integer> each : items.entrySet()) {
      each.getKey().lostInHand(each.getValue());
      sum += each.getValue();
    }
    items.clear();
    return sum;
  }
}
