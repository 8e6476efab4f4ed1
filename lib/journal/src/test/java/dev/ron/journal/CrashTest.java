package dev.ron.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.journal.file.Rig;
import dev.ron.testkit.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The power goes out anywhere: what was said to be durable is there, in order, and nothing else
 * than what was appended, up to some point.
 */
class CrashTest {
  @Test
  void whatWasFlushedSurvivesEveryCrash() {
    Seeds.forEach(800, (seed, random) -> new Script(seed, random).play());
  }

  @Test
  @Tag("long")
  void whatWasFlushedSurvivesEveryCrashForLong() {
    Seeds.forEach(300_000, (seed, random) -> new Script(seed, random).play());
  }

  /** One random schedule with a few power cuts, beside a model that cannot lose anything. */
  private static final class Script {
    private final Rig rig;
    private final RandomGenerator random;
    private final CutDisk cut;
    private final List<String> appended = new ArrayList<>();
    private long durable;
    private long snapshotAt;
    private long number;

    Script(long seed, RandomGenerator random) {
      this.random = random;
      this.rig = new Rig(seed);
      this.cut = new CutDisk(rig.faulty, random);
      rig.disk = cut;
      int grow = random.nextBoolean() ? 0 : 1 + random.nextInt(40_000);
      rig.settings = Rig.SMALL.sized(2048, 1024, 512, grow).verifiedAtOpen(random.nextBoolean());
    }

    void play() throws IOException {
      for (int cuts = 0; cuts < 4; cuts++) {
        cut.cutAfter(random.nextInt(60));
        try {
          rig.open();
          check();
          for (int i = 0; i < 1000; i++) {
            step();
          }
        } catch (CutDisk.PowerCut _) {
          durable = rig.journal == null ? durable : Math.max(durable, rig.flushed());
        }
        rig.faulty.crash();
      }
      cut.cutAfter(Integer.MAX_VALUE);
      rig.open();
      check();
      rig.reopen();
      assertThat(rig.journal.recovered().tornTail()).isEmpty();
      check();
    }

    private void step() throws IOException {
      switch (random.nextInt(20)) {
        case 0 -> snapshot();
        case 1 -> {
          long first = rig.journal.trim(random.nextLong(durable + 1));
          assertThat(first).isLessThanOrEqualTo(snapshotAt);
        }
        case 2 -> {
          rig.close();
          durable = rig.flushed();
          assertThat(durable).isEqualTo(appended.size());
          rig.open();
          check();
        }
        case 3, 4, 5, 6, 7, 8 -> {
          rig.flush();
          durable = rig.flushed();
          assertThat(durable).isEqualTo(appended.size());
        }
        default -> append();
      }
    }

    private void append() {
      String[] records = new String[1 + random.nextInt(3)];
      for (int i = 0; i < records.length; i++) {
        records[i] = "%d:%s".formatted(number++, "x".repeat(random.nextInt(300)));
      }
      long next = appended.size();
      switch (rig.append(records)) {
        case AppendResult.Taken taken -> {
          assertThat(taken).isEqualTo(new AppendResult.Taken(next, next + records.length));
          appended.addAll(List.of(records));
        }
        case AppendResult.Refused(JournalFault fault) ->
            assertThat(fault).isInstanceOf(JournalFault.Busy.class);
      }
    }

    private void snapshot() throws IOException {
      long position = snapshotAt + random.nextLong(durable - snapshotAt + 1);
      String state = state(position);
      rig.journal.snapshot(position, out -> out.write(state.getBytes(UTF_8)));
      snapshotAt = position;
    }

    private String state(long position) {
      return position + " " + appended.subList(0, (int) position).hashCode();
    }

    /** After an open: the log is a prefix of what was appended, and long enough. */
    private void check() throws IOException {
      long first = rig.journal.first();
      List<String> replayed = rig.replayed();
      int next = (int) first + replayed.size();
      assertThat((long) next)
          .as("what was durable is there")
          .isBetween(durable, (long) appended.size());
      assertThat(replayed).isEqualTo(appended.subList((int) first, next));
      assertThat(rig.journal.recovered().snapshotsRefused()).isEmpty();
      long position = 0;
      if (rig.journal.newestSnapshot().isPresent()) {
        StoredSnapshot stored = rig.journal.newestSnapshot().get();
        position = stored.position();
        try (var in = stored.open()) {
          assertThat(new String(in.readAllBytes(), UTF_8)).isEqualTo(state(position));
        }
      }
      assertThat(position).as("a finished snapshot stays").isGreaterThanOrEqualTo(snapshotAt);
      assertThat(first).isLessThanOrEqualTo(position);
      snapshotAt = position;
      durable = next;
      while (appended.size() > next) {
        appended.removeLast();
      }
    }
  }
}
