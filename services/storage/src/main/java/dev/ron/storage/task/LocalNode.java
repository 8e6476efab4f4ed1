package dev.ron.storage.task;

import dev.ron.blake3.Address;
import dev.ron.blake3.Outboard;
import dev.ron.content.ContentStat;
import dev.ron.content.DeleteResult;
import dev.ron.kernel.time.Time;
import dev.ron.storage.StorageFault;
import dev.ron.storage.StorageMetrics;
import dev.ron.storage.core.CodedObject;
import dev.ron.storage.core.Inventory;
import dev.ron.storage.core.InventoryDiff;
import dev.ron.storage.core.Promises;
import dev.ron.storage.core.RangeDigests;
import dev.ron.storage.core.RepairPlan;
import dev.ron.storage.core.WriteLedger;
import dev.ron.storage.disk.Shelf;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * This node as the others see it: what lies on its own disks, and nothing of theirs.
 *
 * <p>Threading: thread-safe; {@code lock} guards the ledger and the promises, and is held while a
 * copy that they decide about is removed, so that nobody is told of it meanwhile.
 */
public final class LocalNode implements ClusterNode {
  private static final int LEDGER_MAX = 1 << 16;
  private static final int PROMISES_MAX = 1 << 16;

  private final String name;
  private final Shelves whole;
  private final Shelves shards;
  private final CodedIndex index;
  private final LocalInventory inventory;
  private final RepairQueue queue;
  private final Pace pace;
  private final Time time;
  private final StorageMetrics metrics;
  private final ReentrantLock lock = new ReentrantLock();
  private final WriteLedger ledger = new WriteLedger(LEDGER_MAX);
  private final Promises promises = new Promises(PROMISES_MAX);

  /**
   * @param shards the same as {@code whole} where nothing is coded
   */
  public LocalNode(
      String name, Shelves whole, Shelves shards, CodedIndex index, Upkeep upkeep, Time time) {
    this.name = name;
    this.whole = whole;
    this.shards = shards;
    this.index = index;
    this.inventory = new LocalInventory(name, whole, index, time);
    this.queue = upkeep.queue();
    this.pace = upkeep.pace();
    this.time = time;
    this.metrics = upkeep.metrics();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean here() {
    return true;
  }

  @Override
  public boolean takesWrites() {
    return whole.homes().stream().anyMatch(home -> home.takesWrites());
  }

  public Shelves shelves(Kind kind) {
    return kind == Kind.OBJECT ? whole : shards;
  }

  CodedIndex index() {
    return index;
  }

  LocalInventory inventory() {
    return inventory;
  }

  /** How much of the repair rate is left after giving way to readers, 0 to 1. */
  public double paceShare() {
    return pace.budget().share();
  }

  /** Another node's repair was given so many bytes. */
  public void served(long bytes) {
    pace.served(bytes);
  }

  @Override
  public Stock.Written put(
      Kind kind, @Nullable Address expected, Origin origin, Stock.Source source)
      throws IOException, InterruptedException {
    Stock.Written written = store(kind, expected, origin, source);
    if (!(written instanceof Stock.Written.Stored(Address address, _, boolean fresh))) {
      return written;
    }
    lock.lock();
    try {
      if (!ledger.stored(address, origin.write(), fresh)) {
        remove(kind, address);
        return takenBack();
      }
      if (!fresh && shelves(kind).stat(address).isEmpty()) {
        // Another write's copy, which went before this one could say that it relies on it.
        return takenBack();
      }
    } finally {
      lock.unlock();
    }
    if (kind == Kind.SHARD) {
      learn(address);
    }
    return written;
  }

  private static Stock.Written takenBack() {
    return new Stock.Written.Refused(
        new StorageFault.Unavailable("the write was taken back while it was made"));
  }

  private Stock.Written store(
      Kind kind, @Nullable Address expected, Origin origin, Stock.Source source)
      throws IOException, InterruptedException {
    if (kind == Kind.OBJECT && expected != null) {
      return source.sizeBytes() > ClusterReading.WINDOW_BYTES
          ? streamed(expected, source)
          : whole.put(expected, source);
    }
    try (InputStream in = source.open()) {
      return origin.object() == null
          ? shards.putOnce(expected, in)
          : shards.putSpread(origin.object(), origin.shard(), expected, in);
    }
  }

  /** A stream from another node can be read once. */
  private Stock.Written streamed(Address expected, Stock.Source source)
      throws IOException, InterruptedException {
    try (InputStream in = source.open()) {
      return whole.putOnce(expected, in);
    }
  }

  /** Remembers a coded object if what was stored is the record of one. */
  private void learn(Address stored) {
    Optional<ContentStat> stat = shards.stat(stored);
    if (stat.isPresent() && CodedObject.isRecord(stat.get().sizeBytes())) {
      record(stat.get()).ifPresent(object -> index.add(object, stored));
    }
  }

  /** Reads all records that are on the disks; at the start, before anybody asks. */
  public void learnAll() {
    Address after = null;
    List<ContentStat> page;
    do {
      page = shards.list(after, 1000);
      for (ContentStat stat : page) {
        after = stat.address();
        if (CodedObject.isRecord(stat.sizeBytes())) {
          record(stat).ifPresent(object -> index.add(object, stat.address()));
        }
      }
    } while (!page.isEmpty());
  }

  private Optional<CodedObject> record(ContentStat stat) {
    try {
      return read(Kind.SHARD, stat, 0, Math.toIntExact(stat.sizeBytes()), Purpose.READER)
          .flatMap(CodedObject::decoded);
    } catch (IOException lost) {
      return Optional.empty();
    }
  }

  @Override
  public void takeBack(Kind kind, Address address, String write) throws InterruptedException {
    lock.lock();
    try {
      if (ledger.takeBack(address, write)) {
        remove(kind, address);
        metrics.takenBack().inc();
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean remove(Kind kind, Address address) throws InterruptedException {
    boolean found = false;
    for (Shelf shelf : shelves(kind).all()) {
      found |= shelf.store().delete(address) instanceof DeleteResult.Deleted;
    }
    return found;
  }

  @Override
  public Optional<Known> stat(Address address) {
    Optional<ContentStat> found = whole.stat(address);
    if (found.isPresent()) {
      return Optional.of(new Known(found.get(), false));
    }
    return index
        .find(address)
        .map(row -> new Known(new ContentStat(address, row.sizeBytes()), true));
  }

  @Override
  public Optional<byte[]> read(Kind kind, ContentStat stat, long from, int length, Purpose purpose)
      throws IOException {
    Shelves shelves = shelves(kind);
    if (shelves.stat(stat.address()).isEmpty()) {
      return Optional.empty();
    }
    long end = Math.min(stat.sizeBytes(), from + length);
    var bytes = new ByteArrayOutputStream((int) Math.max(0, end - from));
    try (var transfer = new Transfer(shelves, stat.address(), from, end)) {
      while (bytes.size() < end - from) {
        switch (transfer.next()) {
          case Reading.Step.Bytes(ByteBuffer group) -> {
            byte[] copy = new byte[group.remaining()];
            group.get(copy);
            bytes.write(copy);
          }
          case Reading.Step.End _ -> throw new IOException("shorter than it is said to be");
          case Reading.Step.Lost(StorageFault fault) -> throw new IOException(fault.detail());
        }
      }
    }
    return Optional.of(bytes.toByteArray());
  }

  @Override
  public Optional<Outboard> tree(ContentStat stat) {
    try (var transfer = new Transfer(whole, stat.address())) {
      return transfer.outboard();
    }
  }

  /** The same of a shard. */
  public Optional<Outboard> tree(Kind kind, Address address) {
    try (var transfer = new Transfer(shelves(kind), address)) {
      return transfer.outboard();
    }
  }

  @Override
  public Optional<CodedObject> coded(Address address) {
    return index
        .find(address)
        .flatMap(row -> shards.stat(row.record()))
        .flatMap(this::record)
        .filter(object -> object.address().equals(address));
  }

  @Override
  public boolean delete(Address address) throws IOException, InterruptedException {
    if (queue.busyWith(address)) {
      throw new IOException(address + " is being repaired on " + name);
    }
    boolean found = remove(Kind.OBJECT, address);
    Optional<CodedIndex.Row> row = index.find(address);
    if (row.isPresent()) {
      for (Address shard : row.get().shards()) {
        remove(Kind.SHARD, shard);
      }
      found |= remove(Kind.SHARD, row.get().record());
      index.remove(address);
    }
    if (whole.stat(address).isPresent()) {
      throw new IOException(address + " is being written on " + name);
    }
    whole.damage().deleted(address);
    return found;
  }

  @Override
  public List<ContentStat> list(@Nullable Address after, int max) {
    List<ContentStat> found = whole.list(after, max);
    if (index.objects() == 0) {
      return found;
    }
    var all = new ArrayList<>(found);
    index.list().stream()
        .filter(stat -> after == null || stat.address().toString().compareTo(after.toString()) > 0)
        .forEach(all::add);
    return all.stream()
        .sorted(java.util.Comparator.comparing(stat -> stat.address().toString()))
        .distinct()
        .limit(max)
        .toList();
  }

  @Override
  public List<RangeDigests.Part> parts(Shared shared, String range) {
    return inventory.shared(shared).parts(range);
  }

  @Override
  public List<Inventory.Listed> objects(Shared shared, String range) {
    return inventory.shared(shared).objects(range, InventoryDiff.NAMED_MAX);
  }

  @Override
  public Set<Address> have(Kind kind, List<Address> addresses) {
    var there = new HashSet<Address>();
    for (Address address : addresses) {
      if (inventory.good(shelves(kind), address)) {
        there.add(address);
      }
    }
    return there;
  }

  @Override
  public Set<Address> promise(Kind kind, List<Address> addresses) {
    var kept = new HashSet<Address>();
    for (Address address : addresses) {
      if (promised(address) && inventory.good(shelves(kind), address)) {
        kept.add(address);
      }
    }
    return kept;
  }

  /** Read to its end, within the budget. */
  @Override
  public boolean sound(Kind kind, ContentStat stat) throws InterruptedException {
    return sound(shelves(kind), stat.address());
  }

  private boolean promised(Address address) {
    lock.lock();
    try {
      ledger.reliedOn(address);
      return promises.promise(address, time.now());
    } finally {
      lock.unlock();
    }
  }

  private boolean sound(Shelves shelves, Address address) throws InterruptedException {
    for (Shelf shelf : shelves.readOrder(address)) {
      Scrub.Verdict verdict = Scrub.whole(shelf, address, pace);
      if (verdict instanceof Scrub.Verdict.Good) {
        return true;
      }
      if (verdict instanceof Scrub.Verdict.Bad(String reason)) {
        shelves.damage().found(address, shelf, reason);
      }
    }
    return false;
  }

  /** True if nobody counts on the copy here; then nobody is promised it until the end. */
  boolean beginGivingUp(Address address) {
    lock.lock();
    try {
      return promises.beginGivingUp(address, time.now());
    } finally {
      lock.unlock();
    }
  }

  void endGivingUp(Address address) {
    lock.lock();
    try {
      promises.endGivingUp(address);
    } finally {
      lock.unlock();
    }
  }

  /** Removes what others have promised to keep. */
  boolean giveUp(Kind kind, Address address) throws InterruptedException {
    return remove(kind, address);
  }

  /** What repair stored belongs to no write. */
  void reliedOn(Address address) {
    lock.lock();
    try {
      ledger.reliedOn(address);
    } finally {
      lock.unlock();
    }
  }

  /** A repair stored the record of a coded object. */
  void learned(CodedObject object, Address record) {
    index.add(object, record);
  }

  @Override
  public void offer(Address address, long sizeBytes, boolean urgent) {
    if (!inventory.good(whole, address)) {
      RepairQueue.Offer outcome =
          queue.offer(new RepairPlan.Fetch(address, sizeBytes, name, urgent));
      if (outcome == RepairQueue.Offer.FULL) {
        // Whoever offers has the copy and asks again in its next round.
        metrics.repairSkipped().labelValues("full").inc();
      }
    }
  }
}
