package dev.ron.journal.file;

import dev.ron.journal.JournalException;
import dev.ron.journal.file.SalvageReport.LostBytes;
import dev.ron.journal.file.SalvageReport.LostRecords;
import dev.ron.kernel.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Copies every record that can be read from a corrupt journal to a new one, and says what is lost.
 *
 * <p>Records keep their positions, so snapshots stay right; a lost position is written down as
 * lost. The old folder is only read. A record is taken if its checksum is right and its position
 * comes after the last one taken. A payload that holds a whole frame of the same journal could be
 * taken for a record when the frame around it is damaged; the id, which is in no answer, keeps
 * strangers from making one.
 *
 * <p>Threading: owned by one thread.
 */
public final class Salvage {
  private final Disk disk;
  private final long id;
  private final NavigableMap<Long, Path> segments;
  private final SalvageWriter out;
  private final List<LostRecords> lostRecords = new ArrayList<>();
  private final List<LostBytes> lostBytes = new ArrayList<>();
  private long copied;
  private long next;

  private Salvage(Disk disk, long id, NavigableMap<Long, Path> segments, Path to)
      throws IOException {
    this.disk = disk;
    this.id = id;
    this.segments = segments;
    this.next = segments.firstKey();
    this.out = new SalvageWriter(disk, to, new SegmentHeader(id, next));
  }

  /**
   * @param to a folder that is missing or empty
   * @param knownId the journal's id if no header is left that says it
   */
  public static SalvageReport run(Disk disk, Path from, Path to, OptionalLong knownId)
      throws IOException {
    NavigableMap<Long, Path> segments = files(disk, from, SegmentNames.LOG);
    NavigableMap<Long, Path> snapshots = files(disk, from, SegmentNames.SNAPSHOT);
    if (segments.isEmpty()) {
      throw new IOException("no segment in " + from);
    }
    disk.createFolders(to);
    if (!disk.list(to).isEmpty()) {
      throw new IOException(to + " is not empty");
    }
    long id = knownId.isPresent() ? knownId.getAsLong() : id(disk, segments, snapshots);
    var salvage = new Salvage(disk, id, segments, to);
    return salvage.copy(snapshots, to);
  }

  static NavigableMap<Long, Path> files(Disk disk, Path folder, String kind) throws IOException {
    var files = new TreeMap<Long, Path>();
    for (Path path : disk.list(folder)) {
      SegmentNames.position(path, kind).ifPresent(position -> files.put(position, path));
    }
    return files;
  }

  /** The id that most headers agree on. */
  static long id(Disk disk, NavigableMap<Long, Path> segments, NavigableMap<Long, Path> snapshots)
      throws IOException {
    var votes = new TreeMap<Long, Integer>();
    for (Path path : segments.values()) {
      header(disk, path, SegmentHeader.LOG).ifPresent(h -> votes.merge(h.id(), 1, Integer::sum));
    }
    for (Path path : snapshots.values()) {
      header(disk, path, SegmentHeader.SNAPSHOT)
          .ifPresent(h -> votes.merge(h.id(), 1, Integer::sum));
    }
    return votes.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .orElseThrow(() -> new IOException("no header is left; the journal's id must be given"))
        .getKey();
  }

  private static Optional<SegmentHeader> header(Disk disk, Path path, long magic)
      throws IOException {
    try (var reader = new SegmentWindow(disk, path)) {
      return SegmentHeader.parse(reader.at(0, SegmentHeader.BYTES), magic);
    }
  }

  private SalvageReport copy(NavigableMap<Long, Path> snapshots, Path to) throws IOException {
    long first = next;
    try (out) {
      for (Map.Entry<Long, Path> segment : segments.entrySet()) {
        copySegment(segment.getKey(), segment.getValue());
      }
      out.finish(next);
    }
    OptionalLong newest = copySnapshots(snapshots, to);
    disk.flushDirectory(to);
    return new SalvageReport(copied, first, next, lostRecords, lostBytes, newest);
  }

  private void copySegment(long first, Path path) throws IOException {
    lose(first);
    try (var reader = new SegmentWindow(disk, path)) {
      if (!reader.header().equals(Optional.of(new SegmentHeader(id, first)))) {
        long bytes = Math.min(SegmentHeader.BYTES, reader.size());
        lostBytes.add(new LostBytes(path, 0, bytes, "header"));
      }
      long offset = SegmentHeader.BYTES;
      while (offset < reader.size() && !reader.zerosFrom(offset)) {
        long found = offset;
        Frame frame = usable(reader, found);
        while (frame == null && ++found < reader.size()) {
          frame = usable(reader, found);
        }
        if (found > offset) {
          lostBytes.add(new LostBytes(path, offset, found - offset, "no readable record"));
        }
        if (frame != null) {
          take(frame);
        }
        offset = found + (frame == null ? 0 : frame.bytes());
      }
    }
  }

  private @Nullable Frame usable(SegmentWindow reader, long offset) throws IOException {
    if (offset + Frame.HEADER_BYTES > reader.size()
        || !SegmentWalk.plausible(reader, offset, next)) {
      return null;
    }
    return SegmentWalk.frame(reader, id, offset);
  }

  private void take(Frame frame) throws IOException {
    lose(frame.position());
    switch (frame.kind()) {
      case MARK -> {}
      case LOST -> lose(frame.position() + 1);
      case RECORD -> {
        out.record(next, frame.payload());
        next++;
        copied++;
      }
    }
  }

  /** Writes down every position before {@code to} that nothing was found for. */
  private void lose(long to) throws IOException {
    if (next >= to) {
      return;
    }
    LostRecords last = lostRecords.isEmpty() ? null : lostRecords.getLast();
    if (last != null && last.to() == next) {
      lostRecords.set(lostRecords.size() - 1, new LostRecords(last.from(), to));
    } else {
      lostRecords.add(new LostRecords(next, to));
    }
    while (next < to) {
      out.lost(next++);
    }
  }

  private OptionalLong copySnapshots(NavigableMap<Long, Path> snapshots, Path to)
      throws IOException {
    OptionalLong newest = OptionalLong.empty();
    for (Map.Entry<Long, Path> snapshot : snapshots.entrySet()) {
      var header = new SegmentHeader(id, snapshot.getKey());
      Path path = SegmentNames.of(to, snapshot.getKey(), SegmentNames.SNAPSHOT);
      if (snapshot.getKey() > next) {
        long bytes = size(snapshot.getValue());
        String what = "a snapshot past the last record";
        lostBytes.add(new LostBytes(snapshot.getValue(), 0, bytes, what));
        continue;
      }
      try (var in = new SnapshotReader(disk, snapshot.getValue(), header);
          var copy = new SnapshotWriter(disk, path, header)) {
        in.transferTo(copy);
        copy.finish();
        newest = OptionalLong.of(snapshot.getKey());
      } catch (JournalException damaged) {
        disk.delete(path);
        long bytes = size(snapshot.getValue());
        lostBytes.add(new LostBytes(snapshot.getValue(), 0, bytes, "a snapshot that is not whole"));
      }
    }
    return newest;
  }

  private long size(Path path) throws IOException {
    try (var reader = new SegmentWindow(disk, path)) {
      return reader.size();
    }
  }
}
