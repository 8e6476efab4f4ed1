package dev.ron.edge.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import dev.ron.content.AmnesiaStore;
import dev.ron.content.PutResult;
import dev.ron.edge.core.CacheKey;
import dev.ron.edge.core.StoredRange;
import dev.ron.edge.core.StoredRanges;
import dev.ron.edge.core.StoredResponse;
import dev.ron.edge.core.VaryFields;
import dev.ron.http.Headers;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.tenant.TenantLimit;
import dev.ron.kernel.tenant.TenantTable;
import dev.ron.kernel.tenant.TenantTerms;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class LiveCacheTest {
  private static final int BYTES_MAX = 1 << 20;

  private final AtomicReference<TenantTable> tenants = new AtomicReference<>(TenantTable.NONE);
  private final Scope scope = Scope.of("edge", World.real(Log.silent())).shared(tenants::get);
  private final AmnesiaStore store = new AmnesiaStore(256L << 20, 4096, BYTES_MAX);
  private final LiveCache cache = new LiveCache(scope, store, null, BYTES_MAX, 1024);

  private StoredResponse answer(CacheKey key, int seed, int length)
      throws IOException, InterruptedException {
    byte[] bytes = new byte[length];
    new SplittableRandom(seed).nextBytes(bytes);
    PutResult put = store.put(new ByteArrayInputStream(bytes));
    assertThat(put).isInstanceOf(PutResult.Stored.class);
    Address address = ((PutResult.Stored) put).address();
    return StoredResponse.of(
        cache.nextId(),
        key,
        200,
        new Headers(1),
        Instant.EPOCH,
        Instant.EPOCH,
        new VaryFields(Map.of(), false),
        new StoredRanges(List.of(new StoredRange(0, length, address, 0)), length));
  }

  private long use(String tenant) {
    return scope.registry().tenantUse(tenant).get(TenantLimit.CACHED);
  }

  /** A scan of large answers: the policy lets most of them go as they come. */
  @Test
  void whatThePolicyDoesNotKeepCountsForNoTenant() throws Exception {
    for (int i = 0; i < 200; i++) {
      var key = new CacheKey("http://o", "/" + i);
      cache.keep(answer(key, i, 100_000), "acme", () -> true);
      assertThat(use("acme")).as("after %d answers", i + 1).isEqualTo(cache.bytes());
    }
    assertThat(cache.bytes()).isBetween(1L, (long) BYTES_MAX);
  }

  @Test
  void whatIsClearedWhileItComesCountsForNoTenant() throws Exception {
    var key = new CacheKey("http://o", "/hot");
    var begun = new CountDownLatch(1);
    Thread clearing =
        Thread.ofVirtual()
            .start(
                () -> {
                  begun.countDown();
                  while (!Thread.currentThread().isInterrupted()) {
                    try {
                      cache.clear(List.of(key), false);
                    } catch (InterruptedException stop) {
                      return;
                    }
                  }
                });
    begun.await();
    for (int i = 0; i < 5_000; i++) {
      cache.keep(answer(key, 1, 1000).with(StoredRanges.none()), "acme", () -> true);
    }
    clearing.interrupt();
    clearing.join();
    assertThat(use("acme")).isEqualTo(cache.bytes());
    cache.clear(List.of(key), false);
    assertThat(use("acme")).isZero();
    assertThat(cache.bytes()).isZero();
  }

  /** Its tenant fills nothing more, so no fill of its own makes the room. */
  @Test
  void aReloadThatLowersAShareFreesWhatIsOverIt() throws Exception {
    for (int i = 0; i < 4; i++) {
      assertThat(cache.keep(answer(key(i), i, 10_000), "acme", () -> true)).isTrue();
    }
    assertThat(cache.keep(answer(key(9), 9, 10_000), "other", () -> true)).isTrue();
    long each = use("other");
    assertThat(use("acme")).isEqualTo(4 * each);
    var evictor = new Evictor(cache);
    evictor.run(Instant.EPOCH);
    assertThat(use("acme")).as("no limit").isEqualTo(4 * each);
    tenants.set(
        new TenantTable(List.of(new TenantTerms("acme", 1, Map.of(TenantLimit.CACHED, 2 * each)))));
    for (int step = 0; step < 10; step++) {
      evictor.run(Instant.EPOCH);
    }
    assertThat(use("acme")).isEqualTo(2 * each);
    assertThat(store.space().objects()).isEqualTo(3);
    assertThat(cache.find(key(0))).as("the oldest").isEmpty();
    assertThat(cache.find(key(3))).isNotEmpty();
    assertThat(use("other")).isEqualTo(each);
    tenants.set(
        new TenantTable(List.of(new TenantTerms("acme", 1, Map.of(TenantLimit.CACHED, 0L)))));
    evictor.run(Instant.EPOCH);
    assertThat(use("acme")).isZero();
  }

  private static CacheKey key(int number) {
    return new CacheKey("http://o", "/" + number);
  }
}
