package dev.ron.journal.file;

import dev.ron.journal.JournalException;
import dev.ron.journal.JournalFault;
import dev.ron.journal.JournalSettings;
import dev.ron.journal.RecoveryReport.TornTail;
import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.random.RandomGenerator;

/**
 * Reads what a crash left, cuts a torn tail, refuses anything else that is wrong.
 *
 * <p>Only the last segment can be torn, and only in its last batch, because a batch is written when
 * the one before it has been flushed. What is wrong elsewhere was right once.
 *
 * <p>One thing cannot be told apart: a crash that cut the last batch, and damage to the last batch
 * after it was flushed, if the journal was not closed in order since. Both are cut and reported. A
 * clean close leaves a mark, and then damage to any record is noticed.
 *
 * <p>Threading: owned by the thread that opens.
 */
final class JournalRecovery {
  private final Disk disk;
  private final JournalSettings settings;
  private final NavigableMap<Long, Path> segments = new ConcurrentSkipListMap<>();
  private SegmentHeader last;
  private SegmentWalk end;
  private Optional<TornTail> tornTail = Optional.empty();

  private JournalRecovery(Disk disk, JournalSettings settings, RandomGenerator random)
      throws IOException {
    this.disk = disk;
    this.settings = settings;
    boolean snapshots = list();
    if (segments.isEmpty()) {
      if (snapshots) {
        throw corrupt(settings.folder(), 0, "snapshots and no segment");
      }
      begin(random);
    }
    last = lastHeader(random, snapshots);
    checkOthers();
    end = cutTail();
  }

  static JournalRecovery run(Disk disk, JournalSettings settings, RandomGenerator random)
      throws IOException {
    return new JournalRecovery(disk, settings, random);
  }

  long id() {
    return last.id();
  }

  long next() {
    return end.next();
  }

  /** Behind the last record of the last segment. */
  long offset() {
    return end.offset();
  }

  NavigableMap<Long, Path> segments() {
    return segments;
  }

  Optional<TornTail> tornTail() {
    return tornTail;
  }

  static JournalException corrupt(Path file, long offset, String why) {
    return new JournalException(new JournalFault.Corrupt(file, offset, why));
  }

  /** Fills the segments and answers whether there are snapshots. */
  private boolean list() throws IOException {
    disk.createFolders(settings.folder());
    disk.flushDirectory(SegmentWriter.folder(settings.folder().toAbsolutePath()));
    boolean snapshots = false;
    for (Path path : disk.list(settings.folder())) {
      refuseOther(path);
    }
    for (Path path : disk.list(settings.folder())) {
      OptionalLong first = SegmentNames.position(path, SegmentNames.LOG);
      if (first.isPresent()) {
        segments.put(first.getAsLong(), path);
      } else if (String.valueOf(path.getFileName()).endsWith(SegmentNames.TEMPORARY)) {
        disk.delete(path);
      }
      snapshots |= SegmentNames.position(path, SegmentNames.SNAPSHOT).isPresent();
    }
    return snapshots;
  }

  /** Before anything is changed: a build that came later may have written it. */
  private void refuseOther(Path path) throws IOException {
    boolean log = SegmentNames.position(path, SegmentNames.LOG).isPresent();
    if (!log && SegmentNames.position(path, SegmentNames.SNAPSHOT).isEmpty()) {
      return;
    }
    long magic = log ? SegmentHeader.LOG : SegmentHeader.SNAPSHOT;
    try (var reader = new SegmentWindow(disk, path)) {
      OptionalInt other = SegmentHeader.otherVersion(reader.at(0, SegmentHeader.BYTES), magic);
      if (other.isPresent()) {
        throw new JournalException(
            new JournalFault.OtherVersion(path, other.getAsInt(), SegmentHeader.VERSION));
      }
    }
  }

  private void begin(RandomGenerator random) throws IOException {
    Path path = SegmentNames.of(settings.folder(), 0, SegmentNames.LOG);
    SegmentWriter.create(disk, path, new SegmentHeader(random.nextLong(), 0));
    segments.put(0L, path);
  }

  /** The header of the last segment, mended if a crash came while the segment was made. */
  private SegmentHeader lastHeader(RandomGenerator random, boolean snapshots) throws IOException {
    long first = segments.lastKey();
    Path path = segments.lastEntry().getValue();
    long size;
    Optional<SegmentHeader> found;
    try (var reader = new SegmentWindow(disk, path)) {
      size = reader.size();
      found = reader.header();
    }
    if (found.isPresent()) {
      return checked(path, found, first);
    }
    if (segments.size() > 1) {
      return remakeRolled(path, first, size);
    }
    // The first segment of all is flushed before a record is taken, so then there was none.
    if (first == 0 && size <= SegmentHeader.BYTES && !snapshots) {
      begin(random);
      try (var reader = new SegmentWindow(disk, path)) {
        return checked(path, reader.header(), 0);
      }
    }
    throw corrupt(path, 0, "no header with a right checksum");
  }

  private SegmentHeader remakeRolled(Path path, long first, long size) throws IOException {
    Map.Entry<Long, Path> before = segments.lowerEntry(first);
    SegmentHeader previous;
    try (var reader = new SegmentWindow(disk, before.getValue())) {
      previous = checked(before.getValue(), reader.header(), before.getKey());
      checkEnd(
          reader, SegmentWalk.run(reader, previous, Long.MAX_VALUE, SegmentWalk.IGNORED), first);
    }
    var header = new SegmentHeader(previous.id(), first);
    try (var reader = new SegmentWindow(disk, path)) {
      OptionalLong proof = SegmentWalk.proofOfFlush(reader, header.id(), 0, first);
      if (proof.isPresent()) {
        String why = "no right header, and byte %d was written later".formatted(proof.getAsLong());
        throw corrupt(path, 0, why);
      }
    }
    tornTail = Optional.of(new TornTail(path, 0, size, "the segment was being made"));
    SegmentWriter.create(disk, path, header);
    return header;
  }

  private void checkOthers() throws IOException {
    for (Map.Entry<Long, Path> segment : segments.headMap(segments.lastKey()).entrySet()) {
      try (var reader = new SegmentWindow(disk, segment.getValue())) {
        SegmentHeader header = checked(segment.getValue(), reader.header(), segment.getKey());
        if (header.id() != last.id()) {
          throw corrupt(segment.getValue(), 0, "a segment of another journal");
        }
        if (settings.verifyAtOpen()) {
          SegmentWalk walk = SegmentWalk.run(reader, header, Long.MAX_VALUE, SegmentWalk.IGNORED);
          checkEnd(reader, walk, segments.higherKey(segment.getKey()));
        }
      }
    }
  }

  /** A segment that is not the last ends where the next begins. */
  static void checkEnd(SegmentWindow reader, SegmentWalk walk, long next) throws JournalException {
    if (walk.problem().isPresent()) {
      throw corrupt(reader.path(), walk.offset(), walk.problem().get());
    }
    if (walk.next() != next) {
      String why = "ends before record %d, expected %d".formatted(walk.next(), next);
      throw corrupt(reader.path(), walk.offset(), why);
    }
  }

  static SegmentHeader checked(Path path, Optional<SegmentHeader> header, long first)
      throws JournalException {
    if (header.isEmpty()) {
      throw corrupt(path, 0, "no header with a right checksum");
    }
    if (header.get().first() != first) {
      throw corrupt(path, 0, "the header says it begins at record " + header.get().first());
    }
    return header.get();
  }

  private SegmentWalk cutTail() throws IOException {
    Path path = segments.lastEntry().getValue();
    SegmentWalk walk;
    long size;
    try (var reader = new SegmentWindow(disk, path)) {
      size = reader.size();
      walk = SegmentWalk.run(reader, last, Long.MAX_VALUE, SegmentWalk.IGNORED);
      if (walk.problem().isPresent()) {
        OptionalLong proof =
            SegmentWalk.proofOfFlush(reader, last.id(), walk.offset(), walk.next());
        if (proof.isPresent()) {
          throw corrupt(
              path,
              walk.offset(),
              "%s for record %d, and byte %d was written after it had been flushed"
                  .formatted(walk.problem().get(), walk.next(), proof.getAsLong()));
        }
        tornTail =
            Optional.of(
                new TornTail(path, walk.offset(), size - walk.offset(), walk.problem().get()));
      }
    }
    // Records of a killed process may be seen and still not be on the disk; after this they are.
    try (DiskFile file = disk.open(path)) {
      if (walk.offset() < size) {
        file.truncate(walk.offset());
      }
      file.flush();
    }
    disk.flushDirectory(settings.folder());
    return walk;
  }
}
