package dev.ron.storage.task;

import dev.ron.blake3.Address;
import dev.ron.content.ContentFault;
import dev.ron.content.ContentStat;
import dev.ron.content.DeleteResult;
import dev.ron.content.PutResult;
import dev.ron.storage.StorageFault;
import dev.ron.storage.core.Home;
import dev.ron.storage.core.Placement;
import dev.ron.storage.disk.Shelf;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
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
public final class Shelves {
  private static final int DELETE_PASSES_MAX = 4;

  private final List<Shelf> all;
  private final Map<String, Shelf> byId;
  private final int replication;
  private final int quorum;
  private final DamageBook damage;

  public Shelves(List<Shelf> all, int replication, int quorum, DamageBook damage) {
    this.all = List.copyOf(all);
    this.byId = all.stream().collect(Collectors.toMap(Shelf::id, shelf -> shelf));
    this.replication = replication;
    this.quorum = quorum;
    this.damage = damage;
  }

  public List<Shelf> all() {
    return all;
  }

  public int replication() {
    return replication;
  }

  public DamageBook damage() {
    return damage;
  }

  public @Nullable Shelf find(String id) {
    return byId.get(id);
  }

  public List<Home> homes() {
    return all.stream().map(Shelf::home).toList();
  }

  /** The shelves to read from, the preferred first; those known to be bad last. */
  public List<Shelf> readOrder(Address address) {
    if (all.size() == 1) {
      return all.getFirst().home().takesReads() ? all : List.of();
    }
    Set<String> bad = damage.homesOf(address);
    var order = new ArrayList<Shelf>();
    var last = new ArrayList<Shelf>();
    for (Home home : Placement.order(address, homes())) {
      Shelf shelf = byId.get(home.id());
      if (shelf != null && home.takesReads() && shelf.store().contains(address)) {
        (bad.contains(home.id()) ? last : order).add(shelf);
      }
    }
    order.addAll(last);
    return order;
  }

  /** Where the parts of an upload wait: on the shelf that its name prefers. */
  public Optional<Shelf> shelfFor(Address name) {
    return Placement.targets(name, homes(), 1).stream()
        .map(home -> byId.get(home.id()))
        .findFirst();
  }

  public Optional<ContentStat> stat(Address address) {
    for (Shelf shelf : all) {
      if (shelf.home().takesReads()) {
        Optional<ContentStat> found = shelf.store().stat(address);
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  /** What to say of an object that nobody has: with a shelf gone, that is not known. */
  public StorageFault missing(Address address) {
    for (Shelf shelf : all) {
      if (!shelf.home().takesReads()) {
        return new StorageFault.Unavailable(
            "%s is not here, but may be where nothing can be read: %s"
                .formatted(address, shelf.condition().why()));
      }
    }
    return new StorageFault.NotFound(address);
  }

  /** Bytes that can be read from the start as often as needed. */
  public interface Source {
    InputStream open() throws IOException;

    static Source of(byte[] bytes) {
      return () -> new ByteArrayInputStream(bytes);
    }
  }

  /** What became of a write. */
  public sealed interface Written {
    record Stored(Address address, long sizeBytes, boolean fresh) implements Written {}

    record Refused(StorageFault fault) implements Written {}

    /** A bound of a store was reached; waiting helps. */
    record Busy(ContentFault.Busy fault) implements Written {}
  }

  /** Stores an object whose address is known; answers when its quorum is durable. */
  public Written put(Address address, Source source) throws IOException, InterruptedException {
    var tally = new PutTally(address, quorum);
    for (Home home : Placement.targets(address, homes(), replication)) {
      Shelf shelf = byId.get(home.id());
      if (shelf == null) {
        continue;
      }
      try (InputStream in = source.open()) {
        PutResult result = shelf.put(address, in);
        tally.add(shelf, result);
        if (result instanceof PutResult.Stored(_, _, boolean fresh) && fresh) {
          damage.healed(address, shelf.id());
        } else if (result instanceof PutResult.Refused(ContentFault.Mismatch _)) {
          break;
        }
      }
    }
    return tally.outcome(all);
  }

  /**
   * Stores a stream of which only the first reading is possible; its other copies are made from the
   * first.
   *
   * @param expected null to take whatever it hashes to
   */
  public Written putOnce(@Nullable Address expected, InputStream in)
      throws IOException, InterruptedException {
    Optional<Shelf> first = expected == null ? roomiest() : shelfFor(expected);
    if (first.isEmpty()) {
      return new PutTally(expected, quorum).outcome(all);
    }
    PutResult result = expected == null ? first.get().put(in) : first.get().put(expected, in);
    if (!(result instanceof PutResult.Stored(Address address, _, boolean fresh))) {
      var tally = new PutTally(expected, quorum);
      tally.add(first.get(), result);
      return tally.outcome(all);
    }
    if (fresh) {
      damage.healed(address, first.get().id());
    }
    if (replication == 1) {
      return new Written.Stored(address, ((PutResult.Stored) result).sizeBytes(), fresh);
    }
    Written copies = put(address, () -> new TransferStream(new Transfer(this, address)));
    return copies instanceof Written.Stored(_, long size, boolean _)
        ? new Written.Stored(address, size, fresh)
        : copies;
  }

  private Optional<Shelf> roomiest() {
    Shelf best = null;
    long most = -1;
    for (Shelf shelf : all) {
      if (shelf.home().takesWrites()) {
        long free = all.size() == 1 ? 0 : shelf.store().space().freeBytes();
        if (free > most) {
          most = free;
          best = shelf;
        }
      }
    }
    return Optional.ofNullable(best);
  }

  /** Hides an object everywhere; refused while a shelf is away that would bring it back. */
  public Optional<StorageFault> delete(Address address) throws InterruptedException {
    for (Shelf shelf : all) {
      if (!shelf.home().takesWrites()) {
        return Optional.of(
            new StorageFault.Unavailable(
                "a delete would be undone by a copy that cannot be deleted now: "
                    + shelf.condition().why()));
      }
    }
    boolean found = false;
    boolean left = true;
    // A repair that had begun may put a copy back behind the first pass; while it runs it is held.
    for (int pass = 0; left && pass < DELETE_PASSES_MAX; pass++) {
      for (Shelf shelf : all) {
        switch (shelf.store().delete(address)) {
          case DeleteResult.Deleted _ -> found = true;
          case DeleteResult.Refused(ContentFault.NotFound _) -> {}
          case DeleteResult.Refused(ContentFault fault) -> {
            return Optional.of(new StorageFault.Unavailable(fault.detail()));
          }
        }
      }
      left = all.stream().anyMatch(shelf -> shelf.store().contains(address));
    }
    if (left) {
      return Optional.of(new StorageFault.Unavailable(address + " is being written"));
    }
    if (!found) {
      return Optional.of(new StorageFault.NotFound(address));
    }
    damage.deleted(address);
    return Optional.empty();
  }

  /** Up to {@code max} objects after the one given, in the order of addresses. */
  public List<ContentStat> list(@Nullable Address after, int max) {
    var found = new TreeMap<String, ContentStat>();
    for (Shelf shelf : all) {
      if (shelf.home().takesReads()) {
        shelf.store().list(after, max).forEach(stat -> found.put(stat.address().toString(), stat));
      }
    }
    return found.values().stream().limit(max).toList();
  }
}
