package dev.ron.content;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Where every object lies, in memory.
 *
 * <p>Shards by the first bits of the address: they grow one at a time, so that growing never needs
 * twice the memory, and address order only needs one of them to be sorted at a time.
 *
 * <p>Threading: thread-safe, see {@link IndexShard}; the counts may lag behind a change by a
 * moment.
 */
final class AddressIndex {
  private static final int SHARD_BITS = 10;
  static final int SHARDS = 1 << SHARD_BITS;

  private final IndexShard[] shards = new IndexShard[SHARDS];
  private final LongAdder objects = new LongAdder();
  private final LongAdder objectBytes = new LongAdder();
  private final LongAdder hidden = new LongAdder();
  private final LongAdder corrupt = new LongAdder();

  AddressIndex(long seed) {
    for (int i = 0; i < SHARDS; i++) {
      shards[i] = new IndexShard(seed | 1);
    }
  }

  @Nullable Entry find(AddressKey key) {
    return shard(key).find(key);
  }

  @Nullable Entry visible(AddressKey key) {
    Entry entry = find(key);
    return entry != null && entry.visible() ? entry : null;
  }

  /**
   * Replaces an entry in one step.
   *
   * @param change gets the entry or null and answers its successor or null; called under a lock
   * @return the entry before
   */
  @Nullable Entry update(AddressKey key, UnaryOperator<@Nullable Entry> change) {
    return shard(key)
        .update(
            key,
            before -> {
              Entry after = change.apply(before);
              objects.add(Entry.visibleCount(after) - Entry.visibleCount(before));
              hidden.add(Entry.hiddenCount(after) - Entry.hiddenCount(before));
              corrupt.add(Entry.corruptCount(after) - Entry.corruptCount(before));
              objectBytes.add(Entry.visibleBytes(after) - Entry.visibleBytes(before));
              return after;
            });
  }

  /** Sets a flag on an entry if it is still where it was when the flag was found to be true. */
  void flag(Entry seen, int flag) {
    flag(seen, flag, true);
  }

  void flag(Entry seen, int flag, boolean on) {
    update(
        seen.key(),
        entry ->
            entry != null && entry.visible() && entry.at(seen.segment(), seen.offset())
                ? on ? entry.with(flag) : entry.without(flag)
                : entry);
  }

  /** Up to {@code max} visible entries in address order. */
  List<Entry> after(@Nullable AddressKey after, int max) {
    var page = new ArrayList<Entry>();
    int first = after == null ? 0 : number(after);
    for (int i = first; i < SHARDS && page.size() < max; i++) {
      int room = max - page.size();
      var smallest = new PriorityQueue<Entry>(Comparator.comparing(Entry::key).reversed());
      shards[i].smallest(after, room, smallest);
      smallest.stream().sorted(Comparator.comparing(Entry::key)).forEach(page::add);
    }
    return page;
  }

  /** The rows of one shard, see {@link IndexShard#copy}. */
  long[] copy(int shard) {
    return shards[shard].copy();
  }

  /** Fills an empty shard with rows as {@link #copy} gave them out. */
  void load(int shard, long[] rows) {
    for (int at = 0; at < rows.length; at += IndexShard.COLUMNS) {
      boolean visible = IndexShard.isVisible(rows, at);
      objects.add(visible ? 1 : 0);
      hidden.add(visible ? 0 : 1);
      corrupt.add(Entry.corruptCount(IndexShard.decode(rows, at)));
      objectBytes.add(visible ? IndexShard.length(rows, at) : 0);
    }
    shards[shard].load(rows);
  }

  long objects() {
    return objects.sum();
  }

  /** Deleted objects that have to be remembered as such. */
  long hidden() {
    return hidden.sum();
  }

  /** Objects that can be read only in part. */
  long corrupt() {
    return corrupt.sum();
  }

  long objectBytes() {
    return objectBytes.sum();
  }

  private IndexShard shard(AddressKey key) {
    return shards[number(key)];
  }

  private static int number(AddressKey key) {
    return (int) (key.a() >>> (Long.SIZE - SHARD_BITS));
  }
}
