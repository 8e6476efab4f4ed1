package dev.ron.storage.object;

import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.storage.StorageEvent;
import java.time.Duration;
import java.time.Instant;

/**
 * Finds out each second whether a directory is there and what it can be asked for.
 *
 * <p>Each directory has a task of its own, since the probe of a disk that hangs hangs with it.
 *
 * <p>Threading: one step at a time.
 */
public final class PlacementTask implements Task {
  /** An operator who looks at readiness sees what was true a second ago. */
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final DataDirectories.Opened directory;
  private final Volumes volumes;

  public PlacementTask(DataDirectories.Opened directory, Volumes volumes) {
    this.directory = directory;
    this.volumes = volumes;
  }

  @Override
  public Next run(Instant now) {
    Volume volume = directory.volume();
    Volume.Condition before = volume.condition();
    if (before.state() != Volume.State.GONE) {
      volume.condition(directory.directory().probe());
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
    return Next.at(now.plus(PERIOD));
  }
}
