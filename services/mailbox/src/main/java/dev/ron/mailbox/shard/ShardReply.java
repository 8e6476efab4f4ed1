package dev.ron.mailbox.shard;

import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Gate;
import dev.ron.kernel.time.Time;
import dev.ron.mailbox.MailboxFault;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Where a request waits for its shard.
 *
 * <p>Whoever claims it first decides: a shard that is about to work for it, or the request itself
 * that gives up. So no shard works for somebody who is gone, and of several shards that a long poll
 * waits at, one answers.
 *
 * <p>Threading: thread-safe; answered once, by the shard that claimed it.
 */
public final class ShardReply<T> {
  private final Gate answered;
  private final AtomicBoolean claimed = new AtomicBoolean();
  private volatile @Nullable T value;

  public ShardReply(Time time) {
    this.answered = new Gate(time);
  }

  /** True for the first who asks. */
  public boolean claim() {
    return claimed.compareAndSet(false, true);
  }

  public boolean claimed() {
    return claimed.get();
  }

  public void answer(T answer) {
    value = answer;
    answered.open();
  }

  /** Why there is no answer in time; the claim tells whether the shard had begun. */
  MailboxFault late() {
    return new MailboxFault.Unavailable(
        claim()
            ? "the shard did not come to it in time; nothing was done"
            : "the answer did not come in time; whether it was done is not known");
  }

  /**
   * The answer, or null if the deadline passed first; the claim says whether one may still come.
   *
   * <p>Whoever is interrupted here, because its peer is gone, gives up: a message leased to it
   * would be lost to everybody until the lease ends.
   */
  public @Nullable T await(Deadline deadline) throws InterruptedException {
    try {
      return answered.await(deadline) ? value : null;
    } catch (InterruptedException gone) {
      claimed.set(true);
      throw gone;
    }
  }
}
