package dev.ron.storage.object;

import dev.ron.kernel.Scope;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Looks each second which disks keep an operation longer than {@code disk_timeout}, and tells the
 * requests that wait for it. Touches no disk itself.
 *
 * <p>Threading: one step at a time.
 */
public final class DiskWatch implements Task {
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final Scope scope;
  private final List<DataDirectories.Opened> directories;

  public DiskWatch(Scope scope, List<DataDirectories.Opened> directories) {
    this.scope = scope;
    this.directories = directories;
  }

  @Override
  public Next run(Instant now) {
    for (DataDirectories.Opened each : directories) {
      int found = each.directory().disk().sweep();
      if (found > 0) {
        scope.counters().ioTimeouts().labelValues("disk").inc(found);
        scope
            .log()
            .warn("disk-stalled", "folder", each.volume(), "why", each.volume().condition().why());
      }
    }
    return Next.at(now.plus(PERIOD));
  }
}
