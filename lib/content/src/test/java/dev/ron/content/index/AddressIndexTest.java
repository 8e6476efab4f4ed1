package dev.ron.content.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.content.AddressKey;
import dev.ron.testkit.Seeds;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** The index beside a plain map, with addresses that collide and entries that come and go. */
final class AddressIndexTest {
  @Test
  void itDoesWhatAMapDoes() {
    Seeds.forEach(
        200,
        (seed, random) -> {
          var index = new AddressIndex(random.nextLong());
          var expected = new TreeMap<AddressKey, IndexEntry>();
          int keys = 1 + random.nextInt(400);
          for (int step = 0; step < 1500; step++) {
            AddressKey key = key(random.nextInt(keys));
            IndexEntry next = random.nextInt(3) == 0 ? null : entry(key, random);
            IndexEntry before = index.update(key, _ -> next);
            assertThat(before).isEqualTo(expected.get(key));
            Map<AddressKey, IndexEntry> map = expected;
            if (next == null) {
              map.remove(key);
            } else {
              map.put(key, next);
            }
          }
          check(index, expected);
          var copy = new AddressIndex(random.nextLong());
          for (int shard = 0; shard < AddressIndex.SHARDS; shard++) {
            copy.load(shard, index.copy(shard));
          }
          var withoutTransient = new TreeMap<AddressKey, IndexEntry>();
          expected.forEach(
              (key, entry) -> withoutTransient.put(key, entry.without(IndexEntry.TRANSIENT)));
          check(copy, withoutTransient);
        });
  }

  private static void check(AddressIndex index, NavigableMap<AddressKey, IndexEntry> expected) {
    for (int i = 0; i < 400; i++) {
      assertThat(index.find(key(i))).isEqualTo(expected.get(key(i)));
    }
    var visible = new HashMap<>(expected);
    visible.values().removeIf(entry -> !entry.visible());
    assertThat(index.objects()).isEqualTo(visible.size());
    assertThat(index.hidden()).isEqualTo(expected.size() - visible.size());
    assertThat(index.objectBytes())
        .isEqualTo(visible.values().stream().mapToLong(IndexEntry::length).sum());
    assertThat(index.after(null, 1000))
        .isEqualTo(expected.values().stream().filter(IndexEntry::visible).toList());
    if (!expected.isEmpty()) {
      AddressKey from = expected.firstKey();
      assertThat(index.after(from, 3))
          .isEqualTo(
              expected.tailMap(from, false).values().stream()
                  .filter(IndexEntry::visible)
                  .limit(3)
                  .toList());
    }
  }

  /** Few shards and few homes, so that probing and shifting back are used. */
  private static AddressKey key(int number) {
    return new AddressKey((long) (number % 3) << 62, number % 7, 0, number);
  }

  private static IndexEntry entry(AddressKey key, RandomGenerator random) {
    return new IndexEntry(
        key,
        1 + random.nextInt(1000),
        random.nextLong(1L << 40),
        random.nextLong(1L << 40),
        random.nextLong(1L << 60),
        random.nextLong(1L << 45),
        random.nextInt(60_000),
        random.nextInt(8));
  }
}
