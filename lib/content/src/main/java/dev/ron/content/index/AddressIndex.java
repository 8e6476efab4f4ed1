package dev.ron.content.index;

import dev.ron.content.AddressKey;
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
public final class AddressIndex {
  private static final int SHARD_BITS = 10;
  public static final int SHARDS = 1 << SHARD_BITS;

  private final IndexShard[] shards = new IndexShard[SHARDS];
  private final LongAdder objects = new LongAdder();
  private final LongAdder objectBytes = new LongAdder();
  private final LongAdder hidden = new LongAdder();
  private final LongAdder corrupt = new LongAdder();

  public AddressIndex(long seed) {
    for (int i = 0; i < SHARDS; i++) {
      shards[i] = new IndexShard(seed | 1);
    }
  }

  @Nullable public IndexEntry find(AddressKey key) {
    return shard(key).find(key);
  }

  @Nullable public IndexEntry visible(AddressKey key) {
    IndexEntry entry = find(key);
    return entry != null && entry.visible() ? entry : null;
  }

  /**
   * Replaces an entry in one step.
   *
   * @param change gets the entry or null and answers its successor or null; called under a lock
   * @return the entry before
   */
  @Nullable public IndexEntry update(AddressKey key, UnaryOperator<@Nullable IndexEntry> change) {
    return shard(key)
        .update(
            key,
            before -> {
              IndexEntry after = change.apply(before);
              objects.add(IndexEntry.visibleCount(after) - IndexEntry.visibleCount(before));
              hidden.add(IndexEntry.hiddenCount(after) - IndexEntry.hiddenCount(before));
              corrupt.add(IndexEntry.corruptCount(after) - IndexEntry.corruptCount(before));
              objectBytes.add(IndexEntry.visibleBytes(after) - IndexEntry.visibleBytes(before));
              return after;
            });
  }

  /** Sets a flag on an entry if it is still where it was when the flag was found to be true. */
  public void flag(IndexEntry seen, int flag) {
    flag(seen, flag, true);
  }

  public void flag(IndexEntry seen, int flag, boolean on) {
    update(
        seen.key(),
        entry ->
            entry != null && entry.visible() && entry.at(seen.segment(), seen.offset())
                ? on ? entry.with(flag) : entry.without(flag)
                : entry);
  }

  /** Up to {@code max} visible entries in address order. */
  public List<IndexEntry> after(@Nullable AddressKey after, int max) {
    var page = new ArrayList<IndexEntry>();
    int first = after == null ? 0 : number(after);
    for (int i = first; i < SHARDS && page.size() < max; i++) {
      int room = max - page.size();
      var smallest =
          new PriorityQueue<IndexEntry>(Comparator.comparing(IndexEntry::key).reversed());
      shards[i].smallest(after, room, smallest);
      smallest.stream().sorted(Comparator.comparing(IndexEntry::key)).forEach(page::add);
    }
    return page;
  }

  /** The rows of one shard, see {@link IndexShard#copy}. */
  public long[] copy(int shard) {
    return shards[shard].copy();
  }

  /** Fills an empty shard with rows as {@link #copy} gave them out. */
  public void load(int shard, long[] rows) {
    for (int at = 0; at < rows.length; at += IndexShard.COLUMNS) {
      boolean visible = IndexShard.isVisible(rows, at);
      objects.add(visible ? 1 : 0);
      hidden.add(visible ? 0 : 1);
      corrupt.add(IndexEntry.corruptCount(IndexShard.decode(rows, at)));
      objectBytes.add(visible ? IndexShard.length(rows, at) : 0);
    }
    shards[shard].load(rows);
  }

  public long objects() {
    return objects.sum();
  }

  /** Deleted objects that have to be remembered as such. */
  public long hidden() {
    return hidden.sum();
  }

  /** Objects that can be read only in part. */
  public long corrupt() {
    return corrupt.sum();
  }

  public long objectBytes() {
    return objectBytes.sum();
  }

  private IndexShard shard(AddressKey key) {
    return shards[number(key)];
  }

  private static int number(AddressKey key) {
    return (int) (key.a() >>> (Long.SIZE - SHARD_BITS));
  }
}
