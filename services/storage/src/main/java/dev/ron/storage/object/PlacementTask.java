package dev.ron.storage.object;

import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.storage.StorageEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Finds out each second which homes are there and what they can be asked for.
 *
 * <p>Threading: one step at a time.
 */
public final class PlacementTask implements Task {
  /** An operator who looks at readiness sees what was true a second ago. */
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final List<DataDirectories.Opened> directories;
  private final Volumes volumes;

  public PlacementTask(List<DataDirectories.Opened> directories, Volumes volumes) {
    this.directories = directories;
    this.volumes = volumes;
  }

  @Override
  public Next run(Instant now) {
    for (DataDirectories.Opened each : directories) {
      Volume volume = each.volume();
      Volume.Condition before = volume.condition();
      if (before.state() != Volume.State.GONE) {
        volume.condition(each.directory().probe());
      }
      Volume.Condition after = volume.condition();
      if (before.service() != after.service()) {
        volumes
            .damage()
            .events()
            .publish(
                new StorageEvent.HomeChanged(
                    volume.id(), volume.label(), after.service().name(), after.why()));
      }
    }
    return Next.at(now.plus(PERIOD));
  }
}
