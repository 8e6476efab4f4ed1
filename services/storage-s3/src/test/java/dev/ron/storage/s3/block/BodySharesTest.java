package dev.ron.storage.s3.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ron.blake3.Address;
import dev.ron.content.ContentStat;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.disk.RealDisk;
import dev.ron.kernel.metric.Meter;
import dev.ron.kernel.metric.Payer;
import dev.ron.kernel.tenant.TenantTable;
import dev.ron.kernel.tenant.TenantTerms;
import dev.ron.kernel.time.Time;
import dev.ron.storage.StorageFault;
import dev.ron.storage.object.ObjectReader;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.object.PermitQueue;
import dev.ron.storage.object.Permits;
import dev.ron.testkit.SeededThreads;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tenants that never stop to upload share the disks by their weights; one that comes goes next. */
final class BodySharesTest {
  private static final int SERVED = 1400;
  private static final int BODY_BYTES = 64;

  private final Map<String, Integer> served = new HashMap<>();
  private int all;
  private int quietWaited = -1;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void sharesAreAsTheWeights(long seed) {
    var threads = new SeededThreads(seed);
    World world = threads.world(new RealDisk());
    BodyWriter writer = writer(world);
    threads.run(
        () -> {
          for (String tenant : List.of("one", "two", "four")) {
            for (int i = 0; i < 6; i++) {
              world.threads().start(tenant + i, () -> paidBy(tenant, () -> loop(writer, tenant)));
            }
          }
          world.threads().start("quiet", () -> paidBy("quiet", () -> quiet(world, writer)));
        });
    assertThat(served.get("one") * 7.0 / all).isCloseTo(1, within(0.1));
    assertThat(served.get("two") * 7.0 / all / 2).isCloseTo(1, within(0.1));
    assertThat(served.get("four") * 7.0 / all / 4).isCloseTo(1, within(0.1));
    assertThat(quietWaited).as("served before it").isBetween(0, 6);
  }

  private static BodyWriter writer(World world) {
    Scope scope =
        Scope.of("s3", world)
            .shared(
                () ->
                    new TenantTable(
                        List.of(
                            new TenantTerms("two", 2, Map.of()),
                            new TenantTerms("four", 4, Map.of()))));
    var room = new PermitQueue(scope, "s3-work", 64);
    var blocks =
        new BlockStore(
            new SlowBlocks(world.time()),
            new BlockPins(),
            new Permits(scope, "s3-get", 2, room),
            new Permits(scope, "s3-put", 2, room));
    var memory = new BlockMemory(world.time(), 1 << 26);
    return new BodyWriter(blocks, memory, world.threads(), world.time(), BODY_BYTES - 1, true);
  }

  /** What a tenant does. */
  private interface Work {
    void run() throws Exception;
  }

  private static void paidBy(String tenant, Work work) {
    var payer = new Payer(Meter.NONE);
    payer.is(tenant);
    try {
      payer.call(
          () -> {
            work.run();
            return tenant;
          });
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static void upload(BodyWriter writer) throws Exception {
    writer
        .write(new ByteArrayInputStream(new byte[BODY_BYTES]), BODY_BYTES, null, false, _ -> {})
        .unpin();
  }

  private void loop(BodyWriter writer, String tenant) throws Exception {
    while (all < SERVED) {
      upload(writer);
      served.merge(tenant, 1, Integer::sum);
      all++;
    }
  }

  private void quiet(World world, BodyWriter writer) throws Exception {
    world.time().sleepUntil(world.time().now().plusMillis(100));
    int before = all;
    upload(writer);
    quietWaited = all - before;
  }

  /** Blocks that nothing reads, on a disk that takes its time. */
  private record SlowBlocks(Time time) implements ObjectStore {
    @Override
    public Written put(Address address, Source source) throws InterruptedException {
      time.sleepUntil(time.now().plusMillis(1));
      return new Written.Stored(address, source.sizeBytes(), true);
    }

    @Override
    public Optional<ContentStat> stat(Address address) {
      return Optional.empty();
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
    public Written putOnce(@Nullable Address expected, InputStream in) {
      throw new UnsupportedOperationException("blocks have addresses");
    }

    @Override
    public Optional<StorageFault> delete(Address address) {
      return Optional.of(missing(address));
    }

    @Override
    public List<ContentStat> list(@Nullable Address after, int max) {
      return List.of();
    }
  }
}
