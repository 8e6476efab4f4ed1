package dev.ron.gateway.admit;

import dev.ron.kernel.channel.Bell;
import dev.ron.kernel.channel.Inbox;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tells the scheduler that a place became free for a request that waits.
 *
 * <p>It carries no count: the scheduler looks at the slots themselves, and one ring for many places
 * is enough.
 *
 * <p>Threading: thread-safe; any thread rings, the scheduler waits.
 */
public final class SlotSignal implements Inbox {
  private final List<Bell> bells = new CopyOnWriteArrayList<>();
  private final AtomicBoolean rung = new AtomicBoolean();

  public void ring() {
    if (!rung.getAndSet(true)) {
      bells.forEach(Bell::ring);
    }
  }

  /** To be called before looking at the slots, so that a ring meanwhile is kept. */
  void heard() {
    rung.set(false);
  }

  /** The lines of waiting requests are what it is about. */
  @Override
  public String name() {
    return "lines";
  }

  @Override
  public boolean ready() {
    return rung.get();
  }

  @Override
  public boolean ended() {
    return false;
  }

  @Override
  public void attach(Bell bell) {
    bells.add(bell);
  }

  @Override
  public void detach(Bell bell) {
    bells.remove(bell);
  }
}
