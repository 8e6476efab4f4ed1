package dev.ron.content;

import static dev.ron.content.Objects.address;
import static dev.ron.content.Objects.bytes;
import static dev.ron.content.Objects.readAll;
import static dev.ron.content.Objects.stream;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.blake3.Address;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/** The contract through a cache with room for everything, and what happens without. */
final class ContentCacheTest extends ContentStoreContract {
  private final MemoryStore store = new MemoryStore(64 << 20, 100_000, OBJECT_BYTES_MAX);
  private final ContentCache wide = new ContentCache(store, 64 << 20, 100_000);

  @Override
  ContentStore store() {
    return wide;
  }

  @Test
  void bytesStayWithinTheBound() throws Exception {
    var cache = new ContentCache(store, 100_000, 1_000_000);
    for (int i = 0; i < 500; i++) {
      cache.put(stream(bytes(i, 100 + 10 * i))).orThrow();
      assertThat(cache.space().objectBytes()).as("after put " + i).isLessThanOrEqualTo(100_000);
    }
    assertThat(cache.space().objectBytes()).as("and use it").isGreaterThan(80_000);
  }

  @Test
  void objectsStayWithinTheBound() throws Exception {
    var cache = new ContentCache(store, 1_000_000, 100);
    for (int i = 0; i < 500; i++) {
      cache.put(stream(bytes(i, 10))).orThrow();
      assertThat(cache.space().objects()).as("after put " + i).isLessThanOrEqualTo(100);
    }
    assertThat(cache.space().objects()).as("and use it").isGreaterThan(90);
  }

  @Test
  void aScanDoesNotDisplaceWhatIsUsedOften() throws Exception {
    var cache = new ContentCache(store, 1_000_000, 1000);
    var hot = new ArrayList<Address>();
    for (int i = 0; i < 500; i++) {
      hot.add(cache.put(stream(bytes(i, 100))).orThrow().address());
    }
    for (int round = 0; round < 5; round++) {
      for (Address address : hot) {
        assertThat(readAll(cache, address)).hasSize(100);
      }
    }
    for (int i = 0; i < 10_000; i++) {
      cache.put(stream(bytes(1000 + i, 100))).orThrow();
    }
    long left = hot.stream().filter(cache::contains).count();
    assertThat(left)
        .as("of 500 that were used, after a scan of 10 times the room")
        .isGreaterThan(450);
  }

  @Test
  void whatIsBeingReadIsReadToItsEndAndWhatIsPinnedStays() throws Exception {
    var cache = new ContentCache(store, 1_000_000, 10);
    byte[] read = bytes(1, 200_000);
    byte[] pinned = bytes(2, 200_000);
    cache.put(stream(read)).orThrow();
    cache.put(stream(pinned)).orThrow();
    ContentReader reader = cache.open(address(read)).orThrow();
    assertThat(cache.pin(address(pinned))).isTrue();
    for (int i = 0; i < 200; i++) {
      for (int uses = 0; uses < 4; uses++) { // more than the object that is read has
        cache.put(stream(bytes(100 + i, 90_000))).orThrow();
      }
    }
    assertThat(cache.contains(address(read))).as("evicted").isFalse();
    assertThat(readAll(reader)).isEqualTo(read);
    assertThat(readAll(cache, address(pinned))).isEqualTo(pinned);
  }

  @Test
  void whatTheStoreHeldBeforeIsBoundedToo() throws Exception {
    for (int i = 0; i < 100; i++) {
      store.put(stream(bytes(i, 1000))).orThrow();
    }
    var cache = new ContentCache(store, 50_000, 1000);
    cache.put(stream(bytes(1000, 1000))).orThrow();
    assertThat(cache.space().objectBytes()).isLessThanOrEqualTo(50_000);
  }
}
