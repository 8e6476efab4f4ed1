package dev.ron.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.journal.file.Rig;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Threads;
import dev.ron.kernel.time.VirtualTime;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

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

  @Test
  void aFullLogIsLetGoByOneSnapshot() throws Exception {
    Journal journal = journal();
    Rig.append(journal, "first");
    journal.snapshot(1, out -> {});
    assertThat(journal.trim(1)).isEqualTo(1);
    long end = fill(journal);
    journal.snapshot(end, out -> {});
    // Nothing more can be appended, so this is the last snapshot that will ever be taken.
    assertThat(journal.trim(end)).isEqualTo(end);
    assertThat(fill(journal)).isGreaterThan(end);
  }

  private static long fill(Journal journal) {
    while (Rig.append(journal, "x".repeat(400)) instanceof AppendResult.Taken) {}
    return journal.flushed().value().position();
  }
}
