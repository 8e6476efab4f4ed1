package dev.ron.storage.object;

import dev.ron.blake3.Address;
import dev.ron.content.ContentFault;
import dev.ron.content.ContentStat;
import dev.ron.content.DeleteResult;
import dev.ron.content.PutResult;
import dev.ron.storage.StorageFault;
import dev.ron.storage.core.Placement;
import dev.ron.storage.core.VolumeState;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All homes as one: where a copy goes, where it is read from, what is known to be bad.
 *
 * <p>Threading: thread-safe.
 */
public final class Volumes implements ObjectStore {
  private static final int DELETE_PASSES_MAX = 4;

  private final List<Volume> all;
  private final Map<String, Volume> byId;
  private final int replication;
  private final int quorum;
  private final DamageTracker damage;
  private final @Nullable VerifiedMemory memory;

  public Volumes(List<Volume> all, int replication, int quorum, DamageTracker damage) {
    this(all, replication, quorum, damage, null);
  }

  /**
   * @param memory null to read everything from disks
   */
  public Volumes(
      List<Volume> all,
      int replication,
      int quorum,
      DamageTracker damage,
      @Nullable VerifiedMemory memory) {
    this.all = List.copyOf(all);
    this.byId = all.stream().collect(Collectors.toMap(Volume::id, volume -> volume));
    this.replication = replication;
    this.quorum = quorum;
    this.damage = damage;
    this.memory = memory;
  }

  public List<Volume> all() {
    return all;
  }

  public int replication() {
    return replication;
  }

  public DamageTracker damage() {
    return damage;
  }

  public @Nullable Volume find(String id) {
    return byId.get(id);
  }

  @Override
  public int overdue() {
    return all.stream().mapToInt(Volume::overdue).sum();
  }

  public List<VolumeState> homes() {
    return all.stream().map(Volume::home).toList();
  }

  /** Homes whose copy is known to be bad. */
  public Set<String> badHomes(Address address) {
    var bad = new HashSet<>(damage.homesOf(address));
    for (Volume volume : all) {
      if (volume.home().takesReads()
          && !volume.store().sound(address)
          && volume.store().contains(address)) {
        bad.add(volume.id());
      }
    }
    return bad;
  }

  /** Copies that are known to be bad. */
  public long badCopies() {
    long marked = all.stream().mapToLong(volume -> volume.store().damaged()).sum();
    return Math.max(marked, damage.objects());
  }

  /** The volumes to read from, the preferred first; those known to be bad last. */
  public List<Volume> readOrder(Address address) {
    if (all.size() == 1) {
      return all.getFirst().home().takesReads() ? all : List.of();
    }
    Set<String> bad = badHomes(address);
    var order = new ArrayList<Volume>();
    var last = new ArrayList<Volume>();
    for (VolumeState home : Placement.order(address, homes())) {
      Volume volume = byId.get(home.id());
      if (volume != null && home.takesReads() && volume.store().contains(address)) {
        (bad.contains(home.id()) ? last : order).add(volume);
      }
    }
    order.addAll(last);
    return order;
  }

  /** Where the parts of an upload wait: on the volume that its name prefers. */
  public Optional<Volume> shelfFor(Address name) {
    return Placement.targets(name, homes(), 1).stream()
        .map(home -> byId.get(home.id()))
        .findFirst();
  }

  @Override
  public Optional<ContentStat> stat(Address address) {
    for (Volume volume : all) {
      if (volume.home().takesReads()) {
        Optional<ContentStat> found = volume.store().stat(address);
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  /** The fault of an object that no volume has: with a volume gone, that is not known. */
  @Override
  public StorageFault missing(Address address) {
    for (Volume volume : all) {
      if (!volume.home().takesReads()) {
        return new StorageFault.Unavailable(
            "%s is not here, but may be where nothing can be read: %s"
                .formatted(address, volume.condition().why()));
      }
    }
    return new StorageFault.NotFound(address);
  }

  @Override
  public ObjectReader open(ContentStat stat, long offset, long end) {
    Address address = stat.address();
    var disk = new FallbackReader(this, address, offset, end);
    if (memory == null) {
      return disk;
    }
    Optional<MemoryLease> held = memory.find(address, offset, end);
    if (held.isPresent()) {
      return new MemoryReader(held.get(), disk::outboard);
    }
    MemoryFill fill =
        offset == 0 && end >= stat.sizeBytes() ? memory.begin(address, stat.sizeBytes()) : null;
    return fill == null ? disk : fill.over(disk);
  }

  /**
   * A copy on a disk that serves reads says that the object is there; memory only has its bytes.
   */
  @Override
  public Optional<MemoryLease> hot(Address address, long offset, long end) {
    return memory == null || stat(address).isEmpty()
        ? Optional.empty()
        : memory.find(address, offset, end);
  }

  @Override
  public Written put(Address address, Source source) throws IOException, InterruptedException {
    return put(address, source, homes(), Volume::put);
  }

  @Override
  public Written putAnew(Address address, Source source) throws IOException, InterruptedException {
    return put(address, source, homes(), Volume::putAnew);
  }

  /**
   * Stores what a delete needs, such as a mark, also on disks that are full for all else.
   *
   * @param anew whether it is written also where it is there already
   */
  public Written putForDelete(Address address, Source source, boolean anew)
      throws IOException, InterruptedException {
    List<VolumeState> homes =
        all.stream()
            .filter(Volume::takesDeletes)
            .map(each -> new VolumeState(each.id(), VolumeState.Service.READS_AND_WRITES))
            .toList();
    return put(address, source, homes, anew ? Volume::putAnew : Volume::put);
  }

  /** How a copy is stored on a volume. */
  private interface CopyPut {
    PutResult put(Volume volume, Address address, InputStream in)
        throws IOException, InterruptedException;
  }

  private Written put(Address address, Source source, List<VolumeState> homes, CopyPut copy)
      throws IOException, InterruptedException {
    var tally = new PutTally(address, quorum);
    for (VolumeState home : Placement.targets(address, homes, replication)) {
      Volume volume = byId.get(home.id());
      if (volume == null) {
        continue;
      }
      try (InputStream in = source.open()) {
        PutResult result = copy.put(volume, address, in);
        tally.add(volume, result);
        if (result instanceof PutResult.Stored(_, _, boolean fresh) && fresh) {
          damage.healed(address, volume.id());
        } else if (result instanceof PutResult.Refused(ContentFault.Mismatch _)) {
          break;
        }
      }
    }
    return tally.outcome(all);
  }

  /** The copies beside the first are made from it. */
  @Override
  public Written putOnce(@Nullable Address expected, InputStream in)
      throws IOException, InterruptedException {
    Optional<Volume> first = expected == null ? roomiest() : shelfFor(expected);
    if (first.isEmpty()) {
      return new PutTally(expected, quorum).outcome(all);
    }
    PutResult result = expected == null ? first.get().put(in) : first.get().put(expected, in);
    if (!(result instanceof PutResult.Stored(Address address, long sizeBytes, boolean fresh))) {
      var tally = new PutTally(expected, quorum);
      tally.add(first.get(), result);
      return tally.outcome(all);
    }
    if (fresh) {
      damage.healed(address, first.get().id());
    }
    if (replication == 1) {
      return new Written.Stored(address, sizeBytes, fresh);
    }
    Written copies =
        put(
            address,
            Source.of(sizeBytes, () -> new ObjectReaderStream(new FallbackReader(this, address))));
    return copies instanceof Written.Stored(_, long size, boolean _)
        ? new Written.Stored(address, size, fresh)
        : copies;
  }

  /**
   * One of the shards of an object, on another directory than those before if there are several.
   */
  public Written putSpread(Address object, int shard, @Nullable Address expected, InputStream in)
      throws IOException, InterruptedException {
    var tally = new PutTally(expected, 1);
    Optional<Volume> chosen = spreadShelf(object, shard);
    if (chosen.isEmpty()) {
      return tally.outcome(all);
    }
    Volume volume = chosen.get();
    PutResult result = expected == null ? volume.put(in) : volume.put(expected, in);
    if (result instanceof PutResult.Stored(Address address, long size, boolean fresh)) {
      if (fresh) {
        damage.healed(address, volume.id());
      }
      return new Written.Stored(address, size, fresh);
    }
    tally.add(volume, result);
    return tally.outcome(all);
  }

  public Optional<Volume> spreadShelf(Address object, int shard) {
    List<VolumeState> order = Placement.targets(object, homes(), all.size());
    return order.isEmpty()
        ? Optional.empty()
        : Optional.ofNullable(byId.get(order.get(shard % order.size()).id()));
  }

  private Optional<Volume> roomiest() {
    Volume best = null;
    long most = -1;
    for (Volume volume : all) {
      if (volume.home().takesWrites()) {
        long free = all.size() == 1 ? 0 : volume.store().space().freeBytes();
        if (free > most) {
          most = free;
          best = volume;
        }
      }
    }
    return Optional.ofNullable(best);
  }

  @Override
  public Optional<StorageFault> delete(Address address) throws InterruptedException {
    for (Volume volume : all) {
      if (!volume.takesDeletes()) {
        return Optional.of(
            new StorageFault.Unavailable(
                "a delete would be undone by a copy that cannot be deleted now: "
                    + volume.condition().why()));
      }
    }
    boolean found = false;
    boolean left = true;
    // A repair that had begun may put a copy back behind the first pass; while it runs it is held.
    for (int pass = 0; left && pass < DELETE_PASSES_MAX; pass++) {
      for (Volume volume : all) {
        switch (volume.store().delete(address)) {
          case DeleteResult.Deleted _ -> found = true;
          case DeleteResult.Refused(ContentFault.NotFound _) -> {}
          case DeleteResult.Refused(ContentFault fault) -> {
            return Optional.of(new StorageFault.Unavailable(fault.detail()));
          }
        }
      }
      left = all.stream().anyMatch(volume -> volume.store().contains(address));
    }
    if (left) {
      return Optional.of(new StorageFault.Unavailable(address + " is being written"));
    }
    if (!found) {
      return Optional.of(new StorageFault.NotFound(address));
    }
    damage.deleted(address);
    if (memory != null) {
      memory.forget(address);
    }
    return Optional.empty();
  }

  @Override
  public List<ContentStat> list(@Nullable Address after, int max) {
    var found = new TreeMap<String, ContentStat>();
    for (Volume volume : all) {
      if (volume.home().takesReads()) {
        volume.store().list(after, max).forEach(stat -> found.put(stat.address().toString(), stat));
      }
    }
    return found.values().stream().limit(max).toList();
  }
}
