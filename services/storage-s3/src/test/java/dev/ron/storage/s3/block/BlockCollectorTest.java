package dev.ron.storage.s3.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.content.ContentStat;
import dev.ron.journal.AmnesiaJournal;
import dev.ron.journal.JournalSettings;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import dev.ron.kernel.supervise.Tree;
import dev.ron.ordered.MemoryOrderedStore;
import dev.ron.ordered.OrderedSettings;
import dev.ron.storage.StorageFault;
import dev.ron.storage.object.ObjectReader;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.object.PermitQueue;
import dev.ron.storage.object.Permits;
import dev.ron.storage.s3.core.Acl;
import dev.ron.storage.s3.core.BucketName;
import dev.ron.storage.s3.core.EntityTag;
import dev.ron.storage.s3.core.Extent;
import dev.ron.storage.s3.core.ObjectContent;
import dev.ron.storage.s3.core.ObjectKey;
import dev.ron.storage.s3.core.ObjectVersion;
import dev.ron.storage.s3.core.Uid;
import dev.ron.storage.s3.core.WriteCondition;
import dev.ron.storage.s3.names.NameCommand;
import dev.ron.storage.s3.names.Names;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class BlockCollectorTest {
  private static final BucketName BUCKET = new BucketName("bucket");
  private static final Duration GRACE = Duration.ofSeconds(10);
  private static final Instant START = Instant.EPOCH;

  private final Scope scope = Scope.of("s3", World.real(Log.silent()));
  private final MemoryBlocks stored = new MemoryBlocks();
  private final BlockStore blocks =
      new BlockStore(stored, new BlockPins(), permits("get"), permits("put"));
  private Names names;
  private Tree tree;

  private Permits permits(String name) {
    return new Permits(scope, name, 4, new PermitQueue(scope, name + "-work", 4));
  }

  @BeforeEach
  void open() throws Exception {
    var journal = new AmnesiaJournal(scope, JournalSettings.in(Path.of("none")));
    var rows =
        MemoryOrderedStore.empty(OrderedSettings.named("rows"), 1 << 26, new SplittableRandom(1));
    names = Names.open(scope, journal, rows);
    tree =
        Supervisor.named("s3")
            .child("names", Restart.ALWAYS, () -> names.loop(journal))
            .start(scope);
    names.changed(new NameCommand.CreateBucket(BUCKET, "main", false, Acl.NONE, "", null, 1));
  }

  @AfterEach
  void close() throws Exception {
    tree.drain();
  }

  private Address stored(int number) throws Exception {
    ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES).putInt(0, number);
    var address = new Address(Blake3.hash(bytes.array()));
    blocks.put(address, bytes);
    return address;
  }

  private void named(String key, Address block) throws Exception {
    var version =
        new ObjectVersion(
            new Uid(0, 1),
            ObjectVersion.Kind.OBJECT,
            false,
            "main",
            1,
            4,
            new EntityTag("0".repeat(32), 0),
            null,
            List.of(),
            List.of(),
            Acl.NONE,
            null,
            false,
            new ObjectContent.Blocks(List.of(new Extent(block, 0, 4))),
            null);
    names.changed(
        new NameCommand.PutObject(
            1, BUCKET, ObjectKey.of(key).orElseThrow(), version, WriteCondition.NONE));
  }

  private OrphanSweep sweep() {
    return new OrphanSweep(names.view(), blocks, GRACE, Duration.ZERO);
  }

  @Test
  void pinnedGarbageKeepsNoOtherWaiting() throws Exception {
    List<Address> all = IntStream.range(0, 600).mapToObj(this::unnamed).toList();
    named("key", all.getFirst());
    // The first 300 stay pinned, as when it is not known what came of their names.
    all.subList(300, 600).forEach(blocks.pins()::unpin);
    var collector =
        new BlockCollector(
            names,
            BlockCollector.here(names, blocks),
            scope.time(),
            Duration.ZERO,
            Duration.ofDays(1));
    for (int step = 0; step < 10; step++) {
      collector.run(scope.time().now());
    }
    assertThat(stored.blocks).hasSize(300);
    assertThat(stored.blocks).containsKeys(all.subList(0, 300).toArray(Address[]::new));
  }

  /** A block that was named and is not any more. */
  private Address unnamed(int number) {
    try {
      Address block = stored(number);
      named("key", block);
      return block;
    } catch (Exception failed) {
      throw new AssertionError("block " + number, failed);
    }
  }

  @Test
  void aBlockThatNeverGotANameGoesAfterTheGrace() throws Exception {
    Address orphan = stored(1);
    Address kept = stored(2);
    named("kept", kept);
    blocks.pins().unpin(orphan);
    blocks.pins().unpin(kept);
    OrphanSweep sweep = sweep();
    sweep.run(START);
    sweep.run(START.plus(GRACE).minusMillis(1));
    assertThat(stored.blocks).containsOnlyKeys(orphan, kept);
    sweep.run(START.plus(GRACE));
    assertThat(stored.blocks).containsOnlyKeys(kept);
  }

  @Test
  void aBlockThatIsWantedAgainIsNoOrphan() throws Exception {
    Address block = stored(1);
    blocks.pins().unpin(block);
    OrphanSweep sweep = sweep();
    sweep.run(START);
    assertThat(stored(1)).isEqualTo(block);
    sweep.run(START.plus(GRACE));
    assertThat(stored.blocks).as("pinned").containsKey(block);
    blocks.pins().unpin(block);
    sweep.run(START.plus(GRACE));
    assertThat(stored.blocks).as("its grace begins anew").containsKey(block);
    sweep.run(START.plus(GRACE.multipliedBy(2)));
    assertThat(stored.blocks).isEmpty();
  }

  /** Blocks in memory. */
  private static final class MemoryBlocks implements ObjectStore {
    private static final Comparator<Address> ORDER = Comparator.comparing(Address::toString);

    private final Map<Address, Long> blocks = new ConcurrentSkipListMap<>(ORDER);

    @Override
    public Optional<ContentStat> stat(Address address) {
      return Optional.ofNullable(blocks.get(address)).map(size -> new ContentStat(address, size));
    }

    @Override
    public StorageFault missing(Address address) {
      return new StorageFault.NotFound(address);
    }

    @Override
    public ObjectReader open(ContentStat stat, long offset, long end) {
      throw new UnsupportedOperationException("no block is read here");
    }

    @Override
    public Written put(Address address, Source source) {
      boolean fresh = blocks.put(address, source.sizeBytes()) == null;
      return new Written.Stored(address, source.sizeBytes(), fresh);
    }

    @Override
    public Written putOnce(@Nullable Address expected, InputStream in) {
      throw new UnsupportedOperationException("blocks have addresses");
    }

    @Override
    public Optional<StorageFault> delete(Address address) {
      return blocks.remove(address) == null ? Optional.of(missing(address)) : Optional.empty();
    }

    @Override
    public List<ContentStat> list(@Nullable Address after, int max) {
      return blocks.keySet().stream()
          .filter(address -> after == null || ORDER.compare(address, after) > 0)
          .limit(max)
          .map(address -> new ContentStat(address, blocks.get(address)))
          .toList();
    }
  }
}
