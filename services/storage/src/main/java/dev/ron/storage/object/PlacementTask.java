package dev.ron.storage.object;

import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.storage.StorageEvent;
import dev.ron.storage.core.VolumeState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Finds out which homes are there and what they can be asked for, and tells the placement.
 *
 * <p>Threading: one step at a time.
 */
public final class PlacementTask implements Task {
  /** An operator who looks at readiness sees what was true a second ago. */
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final List<DataDirectories.Opened> directories;
  private final Volumes shelves;
  private final Watch<List<VolumeState>> placement;

  public PlacementTask(
      List<DataDirectories.Opened> directories,
      Volumes shelves,
      Watch<List<VolumeState>> placement) {
    this.directories = directories;
    this.shelves = shelves;
    this.placement = placement;
  }

  @Override
  public Next run(Instant now) {
    for (DataDirectories.Opened each : directories) {
      Volume shelf = each.shelf();
      Volume.Condition before = shelf.condition();
      if (before.state() != Volume.State.GONE) {
        shelf.condition(each.directory().probe());
      }
      Volume.Condition after = shelf.condition();
      if (before.service() != after.service()) {
        shelves
            .damage()
            .events()
            .publish(
                new StorageEvent.HomeChanged(
                    shelf.id(), shelf.label(), after.service().name(), after.why()));
      }
    }
    List<VolumeState> homes = shelves.homes();
    if (!homes.equals(placement.value())) {
      placement.set(homes);
    }
    return Next.at(now.plus(PERIOD));
  }
}
