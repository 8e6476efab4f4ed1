package dev.ron.storage.cluster.node;

import dev.ron.blake3.Address;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.Overflow;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;

/**
 * Tells nodes to forget copies of writes that were refused, again and again until each has heard.
 *
 * <p>Threading: {@link #add} is thread-safe; the rest is the task's, one step at a time.
 */
public final class WriteRollback implements Task {
  private static final int MAX = 4096;
  private static final Duration REST = Duration.ofMillis(500);

  private final Channel<TakeBack> asked;
  private final ArrayDeque<TakeBack> unheard = new ArrayDeque<>();
  private Instant notBefore = Instant.MIN;

  private record TakeBack(ClusterNode node, ClusterNode.Kind kind, Address address, String write) {}

  public WriteRollback(Scope scope) {
    this.asked = Channel.bounded(scope, "take-back", MAX, Overflow.DROP_OLDEST);
  }

  public void add(ClusterNode node, ClusterNode.Kind kind, Address address, String write) {
    asked.trySend(new TakeBack(node, kind, address, write));
  }

  @Override
  public Next run(Instant now) throws InterruptedException {
    for (TakeBack each : asked.receiveBatch(64)) {
      tell(each);
    }
    if (!unheard.isEmpty() && !now.isBefore(notBefore)) {
      for (int i = unheard.size(); i > 0; i--) {
        tell(unheard.remove());
      }
      notBefore = now.plus(REST);
    }
    if (asked.ready()) {
      return Next.again();
    }
    return unheard.isEmpty() ? Next.await(asked) : Next.await(asked, notBefore);
  }

  private void tell(TakeBack each) throws InterruptedException {
    try {
      each.node().takeBack(each.kind(), each.address(), each.write());
    } catch (IOException _) {
      unheard.add(each);
      if (unheard.size() > MAX) {
        unheard.remove(); // repair makes an ordinary object of it
      }
    }
  }
}
