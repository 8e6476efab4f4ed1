package dev.ron.content.store;

import dev.ron.content.StoreMeters;
import dev.ron.content.index.AddressIndex;
import dev.ron.content.index.IndexEntry;
import dev.ron.content.index.IndexShard;
import dev.ron.content.segment.RecordHeader;
import dev.ron.content.segment.Segment;
import dev.ron.content.segment.SegmentScan;
import dev.ron.content.segment.SegmentScan.Found;
import dev.ron.content.segment.Segments;
import dev.ron.content.segment.UnknownSegmentVersion;
import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds out at the start what is stored.
 *
 * <p>From the snapshot, and from the records behind it; from all records where there is none. What
 * lies behind the snapshot and was not sealed is hashed, because a crash may have kept any part of
 * it. A segment that was found is never written again: new records go to new segments.
 *
 * <p>Threading: owned by the thread that opens the store.
 */
public final class StoreRecovery {
  private final Disk disk;
  private final Path folder;
  private final Segments segments;
  private final StoreMeters meters;
  private AddressIndex index;
  private final long seed;
  private long lastSequence;
  private int damaged;
  private int lost;
  private int headless;
  private long cutBytes;
  private boolean fromSnapshot;
  private long records;

  /**
   * What a start found.
   *
   * @param fromSnapshot there was a sound snapshot
   * @param records how many were read from segments, because the snapshot did not have them
   * @param damaged objects behind the snapshot that were not whole: torn puts that were never
   *     answered, or bit rot
   * @param lost objects whose segment is missing
   * @param headless segments that could not be read, or not to their end
   * @param cutBytes what was cut from torn ends
   */
  public record Report(
      boolean fromSnapshot, long records, int damaged, int lost, int headless, long cutBytes) {}

  StoreRecovery(Disk disk, Path folder, Segments segments, StoreMeters meters, long seed) {
    this.disk = disk;
    this.folder = folder;
    this.segments = segments;
    this.meters = meters;
    this.seed = seed;
    this.index = new AddressIndex(seed);
  }

  ContentCatalogue run() throws IOException {
    if (!disk.exists(folder)) {
      disk.createFolders(folder);
    }
    List<Path> files = disk.list(folder);
    Optional<IndexSnapshot.Read> snapshot = snapshot();
    Map<Integer, Segment> covered = new HashMap<>();
    snapshot.ifPresent(read -> read.covered().forEach(old -> covered.put(old.number(), old)));
    List<Integer> numbers = numbers(files);
    if (!numbers.containsAll(covered.keySet())) {
      // A segment went away after the snapshot was written. How often its objects are stored is
      // then only known from the segments themselves.
      covered.clear();
      index = new AddressIndex(seed);
      snapshot = Optional.empty();
    }
    fromSnapshot = snapshot.isPresent();
    snapshot.ifPresent(read -> segments.nextNumber(read.nextSegment()));
    snapshot.ifPresent(read -> lastSequence = read.lastSequence());
    var news = new ArrayList<Sighting>();
    for (int number : numbers) {
      segments.nextNumber(number + 1);
      scan(number, covered.get(number), news);
    }
    news.sort(Comparator.comparingLong(sighting -> sighting.found().header().sequence()));
    news.forEach(this::applyNews);
    takeStock();
    sweep(files);
    return new ContentCatalogue(index, segments, meters, lastSequence);
  }

  Report report() {
    return new Report(fromSnapshot, records, damaged, lost, headless, cutBytes);
  }

  /** A record behind the snapshot. */
  private record Sighting(Segment segment, Found found) {}

  private Optional<IndexSnapshot.Read> snapshot() {
    try {
      return IndexSnapshot.read(disk, folder, index);
    } catch (IOException _) {
      index = new AddressIndex(seed);
      return Optional.empty();
    }
  }

  static List<Integer> numbers(List<Path> files) {
    var numbers = new ArrayList<Integer>();
    for (Path file : files) {
      String name = file.getFileName().toString();
      if (name.endsWith(Segment.SUFFIX)) {
        String hex = name.substring(0, name.length() - Segment.SUFFIX.length());
        numbers.add(Integer.parseUnsignedInt(hex, 16));
      }
    }
    return numbers;
  }

  /** One segment that cannot be read must not keep the store from serving the others. */
  private void scan(int number, @Nullable Segment covered, List<Sighting> news)
      throws UnknownSegmentVersion {
    if (covered != null) {
      segments.add(covered);
    }
    try (DiskFile file = disk.openReadOnly(Segment.path(folder, number))) {
      Segment head = Segment.read(folder, number, file);
      Segment segment = covered != null ? covered : head;
      if (segment == null) {
        headless++;
        return;
      }
      segments.add(segment);
      if (segment.state() == Segment.State.FILLING) {
        scan(segment, file, news);
      } else if (file.size() > segment.end()) {
        // What a failed flush left behind the end must not outlive the tombstones.
        settle(segment, file.size());
      }
    } catch (UnknownSegmentVersion later) {
      throw later;
    } catch (IOException _) {
      headless++;
    }
  }

  private void scan(Segment segment, DiskFile file, List<Sighting> news) throws IOException {
    long size = file.size();
    boolean sealed = SegmentScan.isSealed(segment, file, size);
    var scan = new SegmentScan(segment, file, segment.end(), size, !sealed);
    for (Found found = scan.next(); found != null; found = scan.next()) {
      lastSequence = Math.max(lastSequence, found.header().sequence());
      segment.tombstones(found.header().kind() == RecordHeader.Kind.TOMBSTONE ? 1 : 0);
      records++;
      if (fromSnapshot) {
        news.add(new Sighting(segment, found));
      } else {
        applyAny(segment, found);
      }
    }
    damaged += scan.damaged();
    cutBytes += size - scan.goodEnd();
    segment.end(scan.goodEnd());
    segment.state(Segment.State.SEALED);
    if (!sealed) {
      settle(segment, size);
    }
  }

  /**
   * Cuts the torn end and flushes what was found whole: it may so far only be in the memory of the
   * system, and from now on it is shown to callers. A disk that cannot be written keeps its tail.
   */
  private void settle(Segment segment, long size) {
    try (DiskFile file = disk.open(segment.path())) {
      if (size > segment.end()) {
        file.truncate(segment.end());
      }
      file.flush();
    } catch (IOException _) {
      segment.state(Segment.State.BROKEN);
    }
  }

  /** In the order of commits; a record that the snapshot's entry knows is passed over. */
  private void applyNews(Sighting sighting) {
    RecordHeader header = sighting.found().header();
    index.update(
        header.key(),
        entry -> {
          boolean known = entry != null && header.sequence() <= entry.sequence();
          return known ? entry : merged(entry, sighting.segment(), sighting.found());
        });
  }

  /** In any order, from nothing: every record counts, the last one decides. */
  private void applyAny(Segment segment, Found found) {
    RecordHeader header = found.header();
    index.update(
        header.key(),
        entry -> {
          if (entry == null || header.sequence() > entry.sequence()) {
            return merged(entry, segment, found);
          }
          if (header.kind() != RecordHeader.Kind.OBJECT) {
            return entry;
          }
          boolean placeless = entry.segment() == 0;
          IndexEntry counted = entry.withCopies(entry.copies() + 1);
          return placeless ? counted.placed(segment.number(), found.offset()) : counted;
        });
  }

  private static @Nullable IndexEntry merged(
      @Nullable IndexEntry entry, Segment segment, Found found) {
    RecordHeader header = found.header();
    return switch (header.kind()) {
      case OBJECT -> IndexEntry.stored(entry, header, segment.number(), found.offset());
      case TOMBSTONE -> IndexEntry.buried(entry, header);
      case SEAL, VOID -> entry;
    };
  }

  /** What each segment holds; objects that nothing holds are forgotten. */
  private void takeStock() {
    var known = new HashMap<Integer, Segment>();
    segments.all().forEach(segment -> known.put(segment.number(), segment));
    for (int shard = 0; shard < AddressIndex.SHARDS; shard++) {
      long[] rows = index.copy(shard);
      for (int at = 0; at < rows.length; at += IndexShard.COLUMNS) {
        Segment segment = known.get(IndexShard.segment(rows, at));
        if (segment != null && IndexShard.isVisible(rows, at)) {
          segment.live(RecordHeader.objectRecordBytes(IndexShard.length(rows, at)));
        } else {
          takeStock(IndexShard.decode(rows, at), segment);
        }
      }
    }
  }

  private void takeStock(IndexEntry entry, @Nullable Segment segment) {
    if (entry.visible()) {
      lost++;
      index.update(entry.key(), _ -> null);
    } else if (entry.copies() == 0 && !segments.anyBroken()) {
      index.update(entry.key(), _ -> null);
    } else if (segment != null) {
      segment.deleted(entry.moment());
    }
  }

  /** Removes what an interrupted housekeeping left; it costs nothing if that fails. */
  private void sweep(List<Path> files) {
    for (Path file : files) {
      String name = file.getFileName().toString();
      if (name.endsWith(Segments.GONE) || name.equals(IndexSnapshot.PART)) {
        try {
          disk.delete(file);
        } catch (IOException _) {
          return;
        }
      }
    }
  }
}
