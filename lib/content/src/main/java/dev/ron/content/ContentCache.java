package dev.ron.content;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import dev.ron.blake3.Address;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * A store that stays within so many bytes and so many objects by deleting what is least worth
 * keeping.
 *
 * <p>Which that is, Caffeine's policy decides: an object that is asked for once does not displace
 * one that is asked for often, so that a scan passes through. Both bounds are one weight: an object
 * weighs its bytes, and at least the share that each of the most objects would have.
 *
 * <p>What is being read is not taken away: a deleted object's bytes stay until its readers have
 * closed. What is pinned is not offered for eviction at all, and does not count.
 *
 * <p>Evictions are carried out by whoever puts, after the put: the store holds what is being put
 * beyond its bounds for that moment, and a segment store the bytes of deleted objects until
 * compaction.
 *
 * <p>Threading: thread-safe; the policy works on its callers' threads.
 */
public final class ContentCache implements ContentStore {
  private static final int PAGE = 1000;

  private final ContentStore store;
  private final Cache<Address, Integer> policy;
  private final Queue<Address> evicted = new ConcurrentLinkedQueue<>();

  /** Takes over whatever the store holds; the store must not take objects of 2 GiB or more. */
  public ContentCache(ContentStore store, long bytesMax, long entriesMax) {
    if (bytesMax < 1 || entriesMax < 1) {
      throw new IllegalArgumentException(
          "bytes = %d, entries = %d: each must be at least 1".formatted(bytesMax, entriesMax));
    }
    this.store = store;
    int leastWeight = Math.toIntExact(Math.min(Math.ceilDiv(bytesMax, entriesMax), 1 << 30));
    this.policy =
        Caffeine.newBuilder()
            .maximumWeight(bytesMax)
            .<Address, Integer>weigher((_, size) -> Math.max(size, leastWeight))
            .executor(Runnable::run)
            .evictionListener(this::evicted)
            .build();
    List<ContentStat> page = store.list(null, PAGE);
    while (!page.isEmpty()) {
      page.forEach(stat -> admit(stat.address(), stat.sizeBytes()));
      page = store.list(page.getLast().address(), PAGE);
    }
  }

  @SuppressWarnings("UnusedVariable") // the shape of a listener
  private void evicted(@Nullable Address address, @Nullable Integer size, RemovalCause cause) {
    if (address != null) {
      evicted.add(address);
    }
  }

  private void admit(Address address, long sizeBytes) {
    policy.put(address, Math.toIntExact(sizeBytes));
  }

  /** Deletes what the policy gave up, unless it was put again meanwhile. */
  private void evict() throws InterruptedException {
    for (Address address = evicted.poll(); address != null; address = evicted.poll()) {
      if (policy.asMap().containsKey(address)) {
        continue;
      }
      if (store.delete(address) instanceof DeleteResult.Refused(ContentFault fault)
          && !(fault instanceof ContentFault.NotFound)
          && !(fault instanceof ContentFault.Pinned)) {
        // The disk does not take the tombstone: the object stays, and is offered again.
        store.stat(address).ifPresent(stat -> admit(stat.address(), stat.sizeBytes()));
        return;
      }
    }
  }

  private PutResult admitted(PutResult result) throws InterruptedException {
    if (result instanceof PutResult.Stored(Address address, long sizeBytes, _)) {
      admit(address, sizeBytes);
      evict();
    }
    return result;
  }

  @Override
  public PutResult put(InputStream in) throws IOException, InterruptedException {
    return admitted(store.put(in));
  }

  @Override
  public PutResult put(Address expected, InputStream in) throws IOException, InterruptedException {
    return admitted(store.put(expected, in));
  }

  @Override
  @SuppressWarnings("CheckReturnValue") // asking the policy is how it learns of the use
  public OpenResult open(Address address, long offset, long length) {
    policy.getIfPresent(address);
    return store.open(address, offset, length);
  }

  @Override
  public Optional<ContentStat> stat(Address address) {
    return store.stat(address);
  }

  @Override
  public DeleteResult delete(Address address) throws InterruptedException {
    DeleteResult result = store.delete(address);
    if (result instanceof DeleteResult.Deleted) {
      policy.invalidate(address);
    }
    return result;
  }

  @Override
  public List<ContentStat> list(@Nullable Address after, int max) {
    return store.list(after, max);
  }

  @Override
  public boolean pin(Address address) {
    boolean pinned = store.pin(address);
    if (pinned) {
      policy.invalidate(address);
    }
    return pinned;
  }

  /** Offers the object for eviction again; while others still pin it, the store refuses. */
  @Override
  public void unpin(Address address) {
    store.unpin(address);
    store.stat(address).ifPresent(stat -> admit(address, stat.sizeBytes()));
  }

  @Override
  public Space space() {
    return store.space();
  }
}
