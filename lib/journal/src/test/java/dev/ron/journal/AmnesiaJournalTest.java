package dev.ron.journal;

import dev.ron.journal.file.Rig;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Threads;
import dev.ron.kernel.time.VirtualTime;
import java.util.SplittableRandom;

/** The journal that forgets. */
class AmnesiaJournalTest extends JournalContract {
  @Override
  public Journal journal() {
    var world =
        World.seeded(
            new VirtualTime(),
            new SplittableRandom(1),
            new RealDisk(),
            Threads.virtual(),
            Log.silent());
    return new AmnesiaJournal(Scope.of("test", world), Rig.SMALL);
  }

  @Override
  public void flush() {
    // appended is all there is
  }
}
