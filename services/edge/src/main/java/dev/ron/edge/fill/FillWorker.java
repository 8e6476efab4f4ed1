package dev.ron.edge.fill;

import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import java.time.Instant;

/**
 * Takes fills from {@code work}, one at a time.
 *
 * <p>A step is one whole fill, which its limits bound.
 *
 * <p>Threading: steps from one thread at a time.
 */
public final class FillWorker implements Task {
  private final Channel<Fill> work;
  private final FillRunner filling;

  public FillWorker(Channel<Fill> work, FillRunner filling) {
    this.work = work;
    this.filling = filling;
  }

  @Override
  public Next run(Instant now) throws Exception {
    Fill fill = work.tryReceive();
    if (fill == null) {
      return Next.await(work);
    }
    filling.run(fill);
    return Next.again();
  }
}
