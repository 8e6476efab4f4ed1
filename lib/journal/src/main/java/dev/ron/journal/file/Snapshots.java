package dev.ron.journal.file;

import dev.ron.journal.Journal;
import dev.ron.journal.JournalException;
import dev.ron.journal.JournalFault;
import dev.ron.journal.JournalSettings;
import dev.ron.journal.StoredSnapshot;
import dev.ron.kernel.disk.Disk;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The snapshots of a journal: the newest is used, the ones before it are for when it is damaged.
 *
 * <p>A snapshot is written beside its name, flushed, renamed, and the folder flushed; so one that
 * has its name is whole, unless the disk changed it later.
 *
 * <p>Threading: writes from one thread at a time, reads from any.
 */
public final class Snapshots {
  private final Disk disk;
  private final JournalSettings settings;
  private final long id;
  private final NavigableMap<Long, Path> kept = new ConcurrentSkipListMap<>();
  private final List<Path> damaged = new ArrayList<>();

  /**
   * The oldest record each refers to. Not known of those from before the last start: as long as one
   * of them is kept, everything is.
   */
  private final Map<Long, Long> needed = new ConcurrentHashMap<>();

  Snapshots(Disk disk, JournalSettings settings, long id) throws IOException {
    this.disk = disk;
    this.settings = settings;
    this.id = id;
    for (Path path : disk.list(settings.folder())) {
      OptionalLong position = SegmentNames.position(path, SegmentNames.SNAPSHOT);
      if (position.isPresent()) {
        kept.put(position.getAsLong(), path);
      }
    }
  }

  /**
   * Passes over damaged snapshots until one is right; those are not counted as kept from then on.
   *
   * @param next the end of the log, past which no snapshot can be
   */
  List<JournalFault.Corrupt> refused(long next) throws IOException {
    var refused = new ArrayList<JournalFault.Corrupt>();
    while (!kept.isEmpty()) {
      Map.Entry<Long, Path> newest = kept.lastEntry();
      Optional<JournalFault.Corrupt> wrong = wrong(newest.getKey(), newest.getValue());
      if (wrong.isEmpty()) {
        if (newest.getKey() > next) {
          String why = "a snapshot at %d, and the log ends at %d".formatted(newest.getKey(), next);
          throw JournalRecovery.corrupt(newest.getValue(), 0, why);
        }
        return refused;
      }
      refused.add(wrong.get());
      damaged.add(newest.getValue());
      kept.remove(newest.getKey());
    }
    return refused;
  }

  private Optional<JournalFault.Corrupt> wrong(long position, Path path) throws IOException {
    try (InputStream in = read(position, path)) {
      in.transferTo(OutputStream.nullOutputStream());
      return Optional.empty();
    } catch (JournalException e) {
      if (e.fault() instanceof JournalFault.Corrupt corrupt) {
        return Optional.of(corrupt);
      }
      throw e;
    }
  }

  Optional<StoredSnapshot> newest() {
    return Optional.ofNullable(kept.lastEntry())
        .map(
            newest ->
                new StoredSnapshot(
                    newest.getKey(), () -> read(newest.getKey(), newest.getValue())));
  }

  private InputStream read(long position, Path path) throws IOException {
    return new SnapshotReader(disk, path, new SegmentHeader(id, position));
  }

  /**
   * Records from here on are needed; 0 while there is no snapshot, or one whose needs we forgot.
   */
  long oldestNeeded() {
    return kept.keySet().stream()
        .mapToLong(position -> needed.getOrDefault(position, 0L))
        .min()
        .orElse(0);
  }

  void write(long position, long oldest, Journal.Body body) throws IOException {
    Path path = SegmentNames.of(settings.folder(), position, SegmentNames.SNAPSHOT);
    Path temporary = path.resolveSibling(path.getFileName() + SegmentNames.TEMPORARY);
    try (var out = new SnapshotWriter(disk, temporary, new SegmentHeader(id, position))) {
      body.write(out);
      out.finish();
    } catch (IOException | RuntimeException failed) {
      disk.delete(temporary);
      throw failed;
    }
    disk.rename(temporary, path);
    disk.flushDirectory(settings.folder());
    kept.put(position, path);
    needed.put(position, Math.min(position, oldest));
    while (kept.size() > settings.snapshotsKept()) {
      disk.delete(kept.firstEntry().getValue());
      needed.remove(kept.firstKey());
      kept.remove(kept.firstKey());
    }
    for (Path bad : damaged) {
      if (!bad.equals(path)) {
        disk.delete(bad);
      }
    }
    damaged.clear();
  }
}
