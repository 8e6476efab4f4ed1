package dev.ron.content.store;

import dev.ron.blake3.Address;
import dev.ron.content.AddressKey;
import dev.ron.content.index.AddressIndex;
import dev.ron.content.index.IndexEntry;
import dev.ron.content.index.IndexShard;
import dev.ron.content.segment.RecordHeader;
import dev.ron.content.segment.Segment;
import dev.ron.content.segment.SegmentScan;
import dev.ron.content.segment.SegmentScan.Found;
import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads every byte of a store that is not open, and says which objects are lost. Never writes.
 *
 * <p>The names of what is gone come from the snapshot of the index: it has every object of the
 * segments it covers. An object behind the snapshot, in a segment that was not ended in order, may
 * be a put that a crash cut; it counts as unfinished.
 *
 * <p>Threading: owned by one thread.
 */
public final class StoreCheck {
  private final Disk disk;
  private final Path folder;
  private final Map<AddressKey, Sight> seen = new HashMap<>();
  private final List<String> files = new ArrayList<>();

  /** The last that was said of an address, and whether a good record of it was seen. */
  private static final class Sight {
    private long sequence;
    private boolean deleted;
    private boolean whole;
    private boolean finished;
    private String wrong = "";
  }

  /**
   * What a store has.
   *
   * @param whole the addresses whose bytes are all there
   * @param lost what should be there and is not, and why
   * @param unfinished puts that were never answered, as far as can be told
   * @param files what is wrong with files, whether or not it costs an object
   */
  public record Report(
      Set<Address> whole, Map<Address, String> lost, Set<Address> unfinished, List<String> files) {}

  private StoreCheck(Disk disk, Path folder) {
    this.disk = disk;
    this.folder = folder;
  }

  public static Report run(Disk disk, Path folder) throws IOException {
    return new StoreCheck(disk, folder).run();
  }

  private Report run() throws IOException {
    var index = new AddressIndex(0);
    Optional<IndexSnapshot.Read> snapshot = Optional.empty();
    List<Path> found = disk.list(folder);
    try {
      snapshot = IndexSnapshot.read(disk, folder, index);
    } catch (IOException wrong) {
      index = new AddressIndex(0);
    }
    if (snapshot.isEmpty() && found.contains(folder.resolve(IndexSnapshot.NAME))) {
      files.add(IndexSnapshot.NAME + " is damaged; a start makes it anew from the segments");
    }
    Map<Integer, Segment> covered = new HashMap<>();
    snapshot.ifPresent(read -> read.covered().forEach(each -> covered.put(each.number(), each)));
    List<Integer> numbers = StoreRecovery.numbers(found);
    for (Segment each : covered.values()) {
      if (!numbers.contains(each.number())) {
        files.add(each.path().getFileName() + " is gone");
      }
    }
    for (int number : numbers) {
      scan(number, covered.get(number));
    }
    expect(index, covered);
    return report();
  }

  private void scan(int number, @Nullable Segment covered) {
    Path path = Segment.path(folder, number);
    try (DiskFile file = disk.openReadOnly(path)) {
      Segment head = Segment.read(folder, number, file);
      Segment segment = head != null ? head : covered;
      if (head == null) {
        files.add(path.getFileName() + " has no right head");
      }
      if (segment == null) {
        return;
      }
      long size = file.size();
      long end = covered == null ? 0 : covered.end();
      boolean sealed =
          SegmentScan.isSealed(segment, file, size)
              || (covered != null && covered.state() != Segment.State.FILLING);
      if (size < end) {
        files.add("%s has %d of %d bytes".formatted(path.getFileName(), size, end));
      }
      var scan = new SegmentScan(segment, file, Segment.HEAD_BYTES, size, false);
      for (Found found = scan.next(); found != null; found = scan.next()) {
        see(found, scan, path, sealed || found.offset() < end);
      }
    } catch (IOException unreadable) {
      files.add("%s cannot be read: %s".formatted(path.getFileName(), unreadable.getMessage()));
    }
  }

  private void see(Found found, SegmentScan scan, Path path, boolean finished) throws IOException {
    RecordHeader header = found.header();
    if (header.kind() != RecordHeader.Kind.OBJECT && header.kind() != RecordHeader.Kind.TOMBSTONE) {
      return;
    }
    Sight sight = seen.computeIfAbsent(header.key(), _ -> new Sight());
    boolean object = header.kind() == RecordHeader.Kind.OBJECT;
    if (object && scan.isWhole(found)) {
      sight.whole = true;
    } else if (object) {
      sight.finished |= finished;
      sight.wrong =
          "its bytes at %d of %s are not its own".formatted(found.offset(), path.getFileName());
    }
    if (header.sequence() >= sight.sequence) {
      sight.sequence = header.sequence();
      sight.deleted = !object;
    }
  }

  /** What the snapshot has and no segment: its record is gone, or its header is damaged. */
  private void expect(AddressIndex index, Map<Integer, Segment> covered) {
    for (int shard = 0; shard < AddressIndex.SHARDS; shard++) {
      long[] rows = index.copy(shard);
      for (int at = 0; at < rows.length; at += IndexShard.COLUMNS) {
        IndexEntry entry = IndexShard.decode(rows, at);
        Sight sight = seen.get(entry.key());
        if (entry.visible() && (sight == null || (!sight.whole && sight.wrong.isEmpty()))) {
          Segment segment = covered.get(entry.segment());
          Sight lost = seen.computeIfAbsent(entry.key(), _ -> new Sight());
          lost.finished = true;
          lost.wrong =
              "its record at %d of %s is gone"
                  .formatted(
                      entry.offset(), segment == null ? "a segment" : segment.path().getFileName());
        }
      }
    }
  }

  private Report report() {
    var whole = new HashSet<Address>();
    var unfinished = new HashSet<Address>();
    var lost = new LinkedHashMap<Address, String>();
    seen.forEach(
        (key, sight) -> {
          if (sight.deleted) {
            return;
          }
          if (sight.whole) {
            whole.add(key.address());
          } else if (sight.finished) {
            lost.put(key.address(), sight.wrong);
          } else {
            unfinished.add(key.address());
          }
        });
    return new Report(whole, lost, unfinished, List.copyOf(files));
  }
}
