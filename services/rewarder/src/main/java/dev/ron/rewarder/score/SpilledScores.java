package dev.ron.rewarder.score;

import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import dev.ron.rewarder.core.ScoreCursor;
import dev.ron.rewarder.core.score.ScoreParts;
import dev.ron.rewarder.core.score.ScoreTable;
import dev.ron.rewarder.core.score.SortedScores;
import dev.ron.rewarder.file.DiskInput;
import dev.ron.rewarder.file.DiskOutput;
import dev.ron.rewarder.file.FileGroup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Scores that do not fit in memory: written out in their 256 parts by a hash of the actor, then
 * added up part by part, sorted, and merged into one file in the order of actors.
 *
 * <p>Threading: {@link #spill} by any worker with a number of its own; the rest by one.
 */
public final class SpilledScores {
  private static final int PARTS = ScoreParts.PARTS;
  private static final int READ_BYTES = 64 << 10;

  private final Disk disk;
  private final Path folder;
  private final int pools;

  /** A table that was written out; part {@code i} lies from {@code offsets[i]} on. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Spill(Path file, long[] offsets) {}

  public SpilledScores(Disk disk, Path folder, int pools) {
    this.disk = disk;
    this.folder = folder;
    this.pools = pools;
  }

  /** Writes all scores out; they can be cleared then. */
  public Spill spill(ScoreParts scores, int number) throws IOException {
    scores.settle();
    scores.split();
    Path file = folder.resolve("spill-" + number);
    long[] offsets = new long[PARTS + 1];
    try (var out = new DiskOutput(disk.open(file))) {
      for (int part = 0; part < PARTS; part++) {
        offsets[part] = out.position();
        ScoreTable table = scores.table(part);
        for (int i = 0; i < table.size(); i++) {
          ScoreEntry.write(table, i, out);
        }
      }
      offsets[PARTS] = out.position();
    }
    return new Spill(file, offsets);
  }

  /**
   * All spills in one file, in order; the spills are gone then.
   *
   * @param before a sum overflowed before it was spilled
   */
  public ScoreCursor.Source merge(List<Spill> spills, boolean before) throws IOException {
    Path parts = folder.resolve("parts");
    Path merged = folder.resolve("scores");
    long[] offsets = new long[PARTS + 1];
    boolean overflowed = sortParts(spills, parts, offsets);
    long bytes;
    try (DiskFile sorted = disk.openReadOnly(parts);
        var out = new DiskOutput(disk.open(merged))) {
      bytes = mergeParts(sorted, offsets, out);
    }
    disk.delete(parts);
    return new Source(merged, bytes, before || overflowed);
  }

  private boolean sortParts(List<Spill> spills, Path parts, long[] offsets) throws IOException {
    boolean overflowed = false;
    try (var open = new FileGroup(disk);
        var out = new DiskOutput(disk.open(parts))) {
      var files = new ArrayList<DiskFile>();
      for (Spill spill : spills) {
        files.add(open.openReadOnly(spill.file()));
      }
      var entry = new ScoreEntry(pools);
      for (int part = 0; part < PARTS; part++) {
        offsets[part] = out.position();
        var table = new ScoreTable(pools);
        for (int i = 0; i < files.size(); i++) {
          long[] at = spills.get(i).offsets();
          var in = new DiskInput(files.get(i), at[part], at[part + 1], READ_BYTES);
          while (in.hasMore()) {
            entry.read(in);
            entry.addTo(table);
          }
        }
        overflowed |= table.overflowed();
        try (ScoreCursor sorted = new SortedScores(table).open()) {
          while (sorted.next()) {
            ScoreEntry.write(sorted, pools, out);
          }
        }
      }
      offsets[PARTS] = out.position();
    }
    for (Spill spill : spills) {
      disk.delete(spill.file());
    }
    return overflowed;
  }

  /** One part and its next entry. */
  private record Head(DiskInput in, ScoreEntry entry) {}

  private long mergeParts(DiskFile sorted, long[] offsets, DiskOutput out) throws IOException {
    var heads = new PriorityQueue<Head>((a, b) -> a.entry().compareTo(b.entry()));
    for (int part = 0; part < PARTS; part++) {
      var in = new DiskInput(sorted, offsets[part], offsets[part + 1], READ_BYTES);
      if (in.hasMore()) {
        var head = new Head(in, new ScoreEntry(pools));
        head.entry().read(in);
        heads.add(head);
      }
    }
    for (Head least = heads.poll(); least != null; least = heads.poll()) {
      least.entry().write(out);
      if (least.in().hasMore()) {
        least.entry().read(least.in());
        heads.add(least);
      }
    }
    return out.position();
  }

  private final class Source implements ScoreCursor.Source {
    private final Path file;
    private final long bytes;
    private final boolean overflowed;

    private Source(Path file, long bytes, boolean overflowed) {
      this.file = file;
      this.bytes = bytes;
      this.overflowed = overflowed;
    }

    @Override
    public ScoreCursor open() {
      return new ScoreFileCursor(disk, file, bytes, pools);
    }

    @Override
    public boolean overflowed() {
      return overflowed;
    }
  }
}
