package dev.ron.journal.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.journal.KilledMain;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.kernel.log.Log;
import dev.ron.testkit.ChildJvm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that appends is killed again and again, on the machine's own disk.
 *
 * <p>A kill leaves the operating system alive, and with it every write that was begun. So half of
 * the rounds also get a torn tail: bytes of no meaning behind the last record.
 */
class KillTest {
  private final Map<Long, String> acknowledged = new HashMap<>();
  private int tailsCut;

  @Test
  void whatWasAcknowledgedOutlivesEightKills(@TempDir Path folder) throws Exception {
    play(folder, 8, 1);
  }

  @Test
  @Tag("long")
  void whatWasAcknowledgedOutlivesTwoHundredKills(@TempDir Path folder) throws Exception {
    play(folder, 200, Long.getLong("ron.seed", 2));
  }

  private void play(Path folder, int rounds, long seed) throws Exception {
    var random = new SplittableRandom(seed);
    for (int round = 0; round < rounds; round++) {
      killAfter(1 + random.nextInt(300), folder, "round" + round);
      if (random.nextBoolean()) {
        tear(folder, random);
      }
      balance(folder, "seed %d, round %d".formatted(seed, round));
    }
    assertThat(tailsCut).as("torn tails were met, seed %d", seed).isPositive();
  }

  private void killAfter(int lines, Path folder, String word) throws Exception {
    // The first compiler only: a child lives for a moment.
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx128m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-ea",
            "-cp",
            System.getProperty("java.class.path"),
            KilledMain.class.getName(),
            folder.toString(),
            word);
    try (ChildJvm child = ChildJvm.start(command)) {
      for (int i = 0; i < lines; i++) {
        String line = child.line();
        assertThat(line).as("the child ended by itself").isNotNull();
        acknowledge(line);
      }
      child.kill9();
      // What it had said before it died counts too; the last line may be cut.
      for (String line = child.line(), next; line != null; line = next) {
        next = child.line();
        if (next != null) {
          acknowledge(line);
        }
      }
    }
  }

  private void acknowledge(String line) {
    int space = line.indexOf(' ');
    String before =
        acknowledged.put(Long.parseLong(line.substring(0, space)), line.substring(space + 1));
    assertThat(before).as("one position for two records: %s", line).isNull();
  }

  private static void tear(Path folder, RandomGenerator random) throws IOException {
    var disk = new RealDisk();
    Path last =
        disk.list(folder).stream()
            .filter(path -> SegmentNames.position(path, SegmentNames.LOG).isPresent())
            .reduce((_, later) -> later)
            .orElseThrow();
    long end;
    try (var reader = new SegmentWindow(disk, last)) {
      Optional<SegmentHeader> header = reader.header();
      if (header.isEmpty()) {
        return; // killed while it made the segment: torn enough
      }
      end = SegmentWalk.run(reader, header.get(), Long.MAX_VALUE, SegmentWalk.IGNORED).offset();
    }
    byte[] torn = new byte[1 + random.nextInt(3000)];
    random.nextBytes(torn);
    torn[0] = 1;
    try (var channel = FileChannel.open(last, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(torn), end);
    }
  }

  private void balance(Path folder, String when) throws IOException {
    Scope scope = Scope.of("balance", World.real(Log.silent()));
    FileJournal journal = FileJournal.open(scope, KilledMain.settings(folder).verifiedAtOpen(true));
    tailsCut += journal.recovered().tornTail().isPresent() ? 1 : 0;
    var found = new HashMap<Long, String>();
    journal.replay(0, (position, payload) -> found.put(position, UTF_8.decode(payload).toString()));
    assertThat(found).as(when).containsAllEntriesOf(acknowledged);
  }
}
