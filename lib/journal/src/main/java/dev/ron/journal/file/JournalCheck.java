package dev.ron.journal.file;

import dev.ron.journal.Journal.RecordConsumer;
import dev.ron.journal.JournalException;
import dev.ron.kernel.disk.Disk;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads every byte of a journal that is not open, and says what of it is lost. Never writes.
 *
 * <p>It goes by the rule of {@link JournalRecovery}: what no later frame proves to have been
 * flushed may be a write that a crash cut. Such an end counts as {@link Report#unfinished} as long
 * as zeros written ahead stand behind it; a file that ends in the middle of a frame was cut.
 *
 * <p>Threading: owned by one thread.
 */
public final class JournalCheck {
  private final Disk disk;
  private final RecordConsumer consumer;
  private final List<Damage> damage = new ArrayList<>();
  private Optional<String> unfinished = Optional.empty();
  private long id;
  private long next;
  private long records;

  private JournalCheck(Disk disk, RecordConsumer consumer) {
    this.disk = disk;
    this.consumer = consumer;
  }

  /**
   * Something that is wrong with a file.
   *
   * @param from the first position that is lost with it
   * @param to the position behind the last; {@code from} if no record is
   * @param remains the bytes where the first lost record should be, to guess its name from; empty
   *     if there are none
   */
  public record Damage(Path file, long offset, long from, long to, String why, ByteBuffer remains) {
    @Override
    public String toString() {
      String lost =
          to > from + 1
              ? ", records %d to %d are lost".formatted(from, to - 1)
              : to > from ? ", record %d is lost".formatted(from) : "";
      return "%s at byte %d: %s%s".formatted(file.getFileName(), offset, why, lost);
    }
  }

  /**
   * What a journal is.
   *
   * @param next the position behind the last record that could be read
   * @param unfinished what a crash left at the end; no appender was told it was durable
   */
  public record Report(
      long records,
      long first,
      long next,
      OptionalLong snapshot,
      List<Damage> damage,
      Optional<String> unfinished) {}

  /**
   * @param consumer gets every record that can be read, in order
   */
  public static Report run(Disk disk, Path folder, RecordConsumer consumer) throws IOException {
    var check = new JournalCheck(disk, consumer);
    NavigableMap<Long, Path> segments = Salvage.files(disk, folder, SegmentNames.LOG);
    NavigableMap<Long, Path> snapshots = Salvage.files(disk, folder, SegmentNames.SNAPSHOT);
    if (segments.isEmpty()) {
      check.damage.add(
          new Damage(folder, 0, 0, 0, "no segment of the journal is here", ByteBuffer.allocate(0)));
      return new Report(0, 0, 0, OptionalLong.empty(), check.damage, Optional.empty());
    }
    try {
      check.id = Salvage.id(disk, segments, snapshots);
    } catch (IOException _) {
      check.lose(segments.firstEntry().getValue(), 0, 0, "no file has a readable header", none());
      return new Report(0, 0, 0, OptionalLong.empty(), check.damage, Optional.empty());
    }
    check.next = segments.firstKey();
    for (var segment : segments.entrySet()) {
      Long after = segments.higherKey(segment.getKey());
      check.segment(segment.getKey(), segment.getValue(), after == null);
      if (after != null && check.next < after) {
        check.lose(segment.getValue(), 0, after, "records are missing behind this file", none());
      }
    }
    OptionalLong newest = check.snapshots(snapshots);
    if (newest.isPresent() && newest.getAsLong() < segments.firstKey()) {
      check.damage.add(
          new Damage(
              folder,
              0,
              newest.getAsLong(),
              segments.firstKey(),
              "segments are missing behind the newest snapshot",
              none()));
    }
    return new Report(
        check.records, segments.firstKey(), check.next, newest, check.damage, check.unfinished);
  }

  private void segment(long first, Path path, boolean last) throws IOException {
    try (var reader = new SegmentWindow(disk, path)) {
      Optional<SegmentHeader> header = reader.header();
      if (header.isEmpty() && last && SegmentWalk.proofOfFlush(reader, id, 0, first).isEmpty()) {
        unfinished = Optional.of(path.getFileName() + " was being made");
        return;
      }
      if (!header.equals(Optional.of(new SegmentHeader(id, first)))) {
        lose(path, 0, first, "no right header", none());
      }
      if (next < first) {
        lose(path, 0, first, "records are missing before this file", none());
      }
      walk(reader, last);
    }
  }

  private void walk(SegmentWindow reader, boolean last) throws IOException {
    long offset = SegmentHeader.BYTES;
    while (offset < reader.size() && !reader.zerosFrom(offset)) {
      Frame frame = usable(reader, offset);
      if (frame != null && frame.position() == next) {
        offset += frame.bytes(); // before the payload is read
        take(frame);
        continue;
      }
      long found = offset + 1;
      while (found < reader.size() && usable(reader, found) == null) {
        found++;
      }
      if (found >= reader.size() && last && isPadded(reader, offset)) {
        unfinished =
            Optional.of(
                "bytes of an unfinished write at " + offset + " of " + reader.path().getFileName());
        return;
      }
      Frame behind = found < reader.size() ? usable(reader, found) : null;
      long to = behind == null ? next + 1 : behind.position();
      lose(reader.path(), offset, to, "no record with a right checksum", remains(reader, offset));
      offset = found;
    }
  }

  /** A walk that a crash ended has zeros behind it, up to where the file had grown. */
  private static boolean isPadded(SegmentWindow reader, long offset) throws IOException {
    long end = Math.max(offset, reader.size() - Frame.HEADER_BYTES);
    return reader.zerosAt(end, Frame.HEADER_BYTES);
  }

  private @Nullable Frame usable(SegmentWindow reader, long offset) throws IOException {
    if (offset + Frame.HEADER_BYTES > reader.size()
        || !SegmentWalk.plausible(reader, offset, next)) {
      return null;
    }
    return SegmentWalk.frame(reader, id, offset);
  }

  /** The payload as the frame's header has it, if that can be. */
  private static ByteBuffer remains(SegmentWindow reader, long offset) throws IOException {
    ByteBuffer header = reader.at(offset, Frame.HEADER_BYTES);
    if (header.remaining() < Frame.HEADER_BYTES) {
      return none();
    }
    int bytes = Frame.payloadBytes(header);
    if (bytes <= 0 || offset + Frame.bytes(bytes) > reader.size()) {
      return none();
    }
    ByteBuffer copy = ByteBuffer.allocate(bytes);
    return copy.put(reader.at(offset + Frame.HEADER_BYTES, bytes)).flip();
  }

  private static ByteBuffer none() {
    return ByteBuffer.allocate(0);
  }

  private void take(Frame frame) throws IOException {
    switch (frame.kind()) {
      case MARK -> {}
      case LOST -> next++; // A salvage said so when it happened.
      case RECORD -> {
        consumer.accept(next, frame.payload());
        next++;
        records++;
      }
    }
  }

  private void lose(Path file, long offset, long to, String why, ByteBuffer remains) {
    damage.add(new Damage(file, offset, next, Math.max(next, to), why, remains));
    next = Math.max(next, to);
  }

  private OptionalLong snapshots(NavigableMap<Long, Path> snapshots) throws IOException {
    OptionalLong newest = OptionalLong.empty();
    for (var snapshot : snapshots.entrySet()) {
      long at = snapshot.getKey();
      try (var in = new SnapshotReader(disk, snapshot.getValue(), new SegmentHeader(id, at))) {
        in.transferTo(OutputStream.nullOutputStream());
        newest = OptionalLong.of(at);
        if (at > next) {
          String why = "a snapshot at %d, and the records end at %d".formatted(at, next);
          damage.add(new Damage(snapshot.getValue(), 0, next, at, why, none()));
        }
      } catch (JournalException wrong) {
        damage.add(
            new Damage(snapshot.getValue(), 0, at, at, "a snapshot that is not whole", none()));
      }
    }
    return newest;
  }
}
