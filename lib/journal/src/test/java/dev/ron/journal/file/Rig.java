package dev.ron.journal.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.journal.AppendResult;
import dev.ron.journal.Journal;
import dev.ron.journal.JournalSettings;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Threads;
import dev.ron.kernel.time.VirtualTime;
import dev.ron.testkit.FaultyDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * A file journal on a disk that fails, flushed by hand.
 *
 * <p>Threading: owned by the test.
 */
public final class Rig {
  static final Path FOLDER = Path.of("/journal");

  /** Small enough that a few records fill a buffer and a few buffers fill a segment. */
  public static final JournalSettings SMALL = JournalSettings.in(FOLDER).sized(2048, 1024, 512, 0);

  final VirtualTime time = new VirtualTime();
  final RandomGenerator random;
  public final FaultyDisk faulty;
  public JournalSettings settings = SMALL;
  public Disk disk;
  Scope scope;
  public FileJournal journal;

  public Rig(long seed) {
    random = new SplittableRandom(seed);
    faulty = new FaultyDisk(time, random);
    disk = faulty;
  }

  static Rig opened() throws IOException {
    var rig = new Rig(1);
    rig.open();
    return rig;
  }

  public FileJournal open() throws IOException {
    scope = Scope.of("test", World.seeded(time, random, disk, Threads.virtual(), Log.silent()));
    journal = FileJournal.open(scope, settings);
    return journal;
  }

  public void flush() {
    journal.flushTask().run(time.now());
  }

  public void close() throws IOException {
    journal.flushTask().finish(time.now());
  }

  /** Closes in order and opens again. */
  public void reopen() throws IOException {
    close();
    open();
  }

  public AppendResult append(String... records) {
    return append(journal, records);
  }

  /** Appends one after the other and flushes each by itself. */
  void flushEach(String... records) {
    for (String each : records) {
      assertThat(append(each)).isInstanceOf(AppendResult.Taken.class);
      flush();
    }
  }

  public static AppendResult append(Journal journal, String... records) {
    return journal.append(
        Arrays.stream(records).map(text -> ByteBuffer.wrap(text.getBytes(UTF_8))).toList());
  }

  public List<String> replayed() throws IOException {
    return replayed(journal, journal.first());
  }

  public static List<String> replayed(Journal journal, long from) throws IOException {
    var records = new ArrayList<String>();
    long next =
        journal.replay(
            from,
            (position, payload) -> {
              if (position != from + records.size()) {
                throw new AssertionError(
                    position + " where " + (from + records.size()) + " belongs");
              }
              records.add(UTF_8.decode(payload).toString());
            });
    assertThat(next).isEqualTo(from + records.size());
    return records;
  }

  public long flushed() {
    return journal.flushed().value().position();
  }

  /** The only log, or the last. */
  Path lastSegment() throws IOException {
    return faulty.list(FOLDER).stream()
        .filter(path -> path.toString().endsWith(SegmentNames.LOG))
        .reduce((_, later) -> later)
        .orElseThrow();
  }

  long size(Path path) throws IOException {
    try (var file = faulty.openReadOnly(path)) {
      return file.size();
    }
  }
}
