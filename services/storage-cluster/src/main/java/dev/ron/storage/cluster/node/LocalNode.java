package dev.ron.storage.cluster.node;

import dev.ron.blake3.Address;
import dev.ron.blake3.bao.Outboard;
import dev.ron.content.ContentStat;
import dev.ron.kernel.time.Time;
import dev.ron.storage.StorageFault;
import dev.ron.storage.StorageMetrics;
import dev.ron.storage.cluster.StorageClusterMetrics;
import dev.ron.storage.cluster.core.CodedObject;
import dev.ron.storage.cluster.core.InventoryDiff;
import dev.ron.storage.cluster.core.NodeRepairPlan;
import dev.ron.storage.cluster.core.RangeDigests;
import dev.ron.storage.cluster.object.ClusterReader;
import dev.ron.storage.cluster.reference.LocalReferences;
import dev.ron.storage.core.Inventory;
import dev.ron.storage.object.FallbackReader;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.object.Volume;
import dev.ron.storage.object.Volumes;
import dev.ron.storage.repair.RepairQueue;
import dev.ron.storage.repair.RepairTasks;
import dev.ron.storage.repair.RepairThrottle;
import dev.ron.storage.repair.Scrub;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * This node as the others see it: what lies on its own disks, and nothing of theirs.
 *
 * <p>Threading: thread-safe.
 */
public final class LocalNode implements ClusterNode {
  private final String name;
  private final Volumes whole;
  private final Volumes shards;
  private final CodedRecords records;
  private final CopyClaims claims;
  private final LocalInventory inventory;
  private final RepairQueue<NodeRepairPlan> queue;
  private final RepairThrottle pace;
  private final StorageMetrics metrics;
  private final StorageClusterMetrics clusterMetrics;
  private final @Nullable LocalReferences references;

  /**
   * @param shards the same as the upkeep's where nothing is coded
   * @param references null where objects have none
   */
  public LocalNode(
      String name,
      Volumes shards,
      RepairTasks<NodeRepairPlan> upkeep,
      StorageClusterMetrics clusterMetrics,
      @Nullable LocalReferences references,
      Time time) {
    var index = new CodedIndex();
    this.name = name;
    this.whole = upkeep.volumes();
    this.shards = shards;
    this.records = new CodedRecords(shards, index);
    this.claims = new CopyClaims(time);
    this.inventory = new LocalInventory(name, whole, index, time);
    this.queue = upkeep.queue();
    this.pace = upkeep.pace();
    this.metrics = upkeep.metrics();
    this.clusterMetrics = clusterMetrics;
    this.references = references;
  }

  @Override
  public String name() {
    return name;
  }

  public boolean hasReferences() {
    return references != null;
  }

  @Override
  public LocalReferences references() {
    if (references == null) {
      throw new IllegalStateException("objects have no references here");
    }
    return references;
  }

  @Override
  public boolean here() {
    return true;
  }

  @Override
  public boolean takesWrites() {
    return whole.homes().stream().anyMatch(home -> home.takesWrites());
  }

  public Volumes volumes(Kind kind) {
    return kind == Kind.OBJECT ? whole : shards;
  }

  public CodedIndex index() {
    return records.index();
  }

  public CopyClaims claims() {
    return claims;
  }

  public LocalInventory inventory() {
    return inventory;
  }

  public RepairThrottle pace() {
    return pace;
  }

  @Override
  public ObjectStore.Written put(
      Kind kind, @Nullable Address expected, Origin origin, ObjectStore.Source source)
      throws IOException, InterruptedException {
    Address object = origin.object() == null ? expected : origin.object();
    if (references != null && object != null && !references.seals().awaitOpen(object)) {
      return new ObjectStore.Written.Refused(
          new StorageFault.Unavailable(object + " is being deleted; send it again"));
    }
    boolean before = origin.anew() && expected != null && whole.stat(expected).isPresent();
    ObjectStore.Written written = store(kind, expected, origin, source);
    if (!(written instanceof ObjectStore.Written.Stored(Address address, _, boolean wrote))) {
      return written;
    }
    boolean fresh = wrote && !before;
    if (!claims.stored(volumes(kind), address, origin.write(), fresh)) {
      return takenBack();
    }
    if (kind == Kind.SHARD) {
      records.learn(address);
    }
    return written;
  }

  private static ObjectStore.Written takenBack() {
    return new ObjectStore.Written.Refused(
        new StorageFault.Unavailable("the write was taken back while it was made"));
  }

  private ObjectStore.Written store(
      Kind kind, @Nullable Address expected, Origin origin, ObjectStore.Source source)
      throws IOException, InterruptedException {
    if (kind == Kind.OBJECT && expected != null && origin.anew()) {
      return whole.putAnew(expected, source);
    }
    if (kind == Kind.OBJECT && expected != null) {
      return source.sizeBytes() > ClusterReader.WINDOW_BYTES
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
  private ObjectStore.Written streamed(Address expected, ObjectStore.Source source)
      throws IOException, InterruptedException {
    try (InputStream in = source.open()) {
      return whole.putOnce(expected, in);
    }
  }

  /** Reads all records that are on the disks; at the start, before the first request. */
  public void learnAll() {
    records.learnAll();
  }

  @Override
  public void takeBack(Kind kind, Address address, String write) throws InterruptedException {
    if (claims.takeBack(volumes(kind), address, write)) {
      clusterMetrics.takenBack().inc();
    }
  }

  @Override
  public Optional<Known> stat(Address address) {
    Optional<ContentStat> found = whole.stat(address);
    if (found.isPresent()) {
      return Optional.of(new Known(found.get(), false));
    }
    return index()
        .find(address)
        .map(row -> new Known(new ContentStat(address, row.sizeBytes()), true));
  }

  @Override
  public Optional<byte[]> read(Kind kind, ContentStat stat, long from, int length, Purpose purpose)
      throws IOException {
    return CodedRecords.read(volumes(kind), stat, from, length);
  }

  @Override
  public Optional<Outboard> tree(ContentStat stat) {
    try (var transfer = new FallbackReader(whole, stat.address())) {
      return transfer.outboard();
    }
  }

  /** The same of a shard. */
  public Optional<Outboard> tree(Kind kind, Address address) {
    try (var transfer = new FallbackReader(volumes(kind), address)) {
      return transfer.outboard();
    }
  }

  @Override
  public Optional<CodedObject> coded(Address address) {
    return records.find(address);
  }

  @Override
  public boolean delete(Address address, @Nullable String seal)
      throws IOException, InterruptedException {
    if (seal != null && !references().seals().holds(address, seal)) {
      throw new IOException("%s is not sealed on %s".formatted(address, name));
    }
    if (queue.busyWith(address)) {
      throw new IOException(address + " is being repaired on " + name);
    }
    boolean found = CopyClaims.remove(whole, address);
    Optional<CodedIndex.Row> row = index().find(address);
    if (row.isPresent()) {
      for (Address shard : row.get().shards()) {
        CopyClaims.remove(shards, shard);
      }
      found |= CopyClaims.remove(shards, row.get().record());
      index().remove(address);
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
    if (index().objects() == 0) {
      return found;
    }
    var all = new ArrayList<>(found);
    index().list().stream()
        .filter(stat -> after == null || stat.address().toString().compareTo(after.toString()) > 0)
        .forEach(all::add);
    return all.stream()
        .sorted(java.util.Comparator.comparing(stat -> stat.address().toString()))
        .distinct()
        .limit(max)
        .toList();
  }

  @Override
  public List<RangeDigests.Part> parts(Shared shared, String range) throws InterruptedException {
    return inventory.shared(shared).parts(range);
  }

  @Override
  public List<Inventory.Listed> objects(Shared shared, String range) throws InterruptedException {
    return inventory.shared(shared).objects(range, InventoryDiff.NAMED_MAX);
  }

  @Override
  public Set<Address> have(Kind kind, List<Address> addresses) {
    var there = new HashSet<Address>();
    for (Address address : addresses) {
      if (inventory.good(volumes(kind), address)) {
        there.add(address);
      }
    }
    return there;
  }

  @Override
  public Set<Address> promise(Kind kind, List<Address> addresses) {
    var kept = new HashSet<Address>();
    for (Address address : addresses) {
      if (claims.promise(address) && inventory.good(volumes(kind), address)) {
        kept.add(address);
      }
    }
    return kept;
  }

  /** Read to its end, within the budget. */
  @Override
  public boolean sound(Kind kind, ContentStat stat) throws InterruptedException {
    return sound(volumes(kind), stat.address());
  }

  private boolean sound(Volumes volumes, Address address) throws InterruptedException {
    for (Volume volume : volumes.readOrder(address)) {
      Scrub.Verdict verdict = Scrub.whole(volume, address, pace);
      if (verdict instanceof Scrub.Verdict.Good) {
        return true;
      }
      if (verdict instanceof Scrub.Verdict.Bad(String reason)) {
        volumes.damage().found(address, volume, reason);
      }
    }
    return false;
  }

  /** Removes what others have promised to keep. */
  public boolean giveUp(Kind kind, Address address) throws InterruptedException {
    return CopyClaims.remove(volumes(kind), address);
  }

  @Override
  public void offer(Address address, long sizeBytes, boolean urgent) {
    if (!inventory.good(whole, address)) {
      RepairQueue.Offer outcome =
          queue.offer(new NodeRepairPlan.Fetch(address, sizeBytes, name, urgent));
      if (outcome == RepairQueue.Offer.FULL) {
        // The node that offers has the copy and asks again in its next round.
        metrics.repairSkipped().labelValues("full").inc();
      }
    }
  }
}
