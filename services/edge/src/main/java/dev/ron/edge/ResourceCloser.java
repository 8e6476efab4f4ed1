package dev.ron.edge;

import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import java.time.Instant;

/**
 * Closes what the service has open, after every child that uses it has ended: it stands first in
 * the tree, and a tree drains from its end.
 *
 * <p>Threading: steps from one thread at a time.
 */
public final class ResourceCloser implements Task {
  private final AutoCloseable open;

  public ResourceCloser(AutoCloseable open) {
    this.open = open;
  }

  @Override
  public Next run(Instant now) {
    return Next.at(Instant.MAX);
  }

  @Override
  public void finish(Instant now) throws Exception {
    open.close();
  }
}
