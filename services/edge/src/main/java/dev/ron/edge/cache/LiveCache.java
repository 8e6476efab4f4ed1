package dev.ron.edge.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import dev.ron.blake3.Address;
import dev.ron.content.ContentStore;
import dev.ron.edge.core.CacheKey;
import dev.ron.edge.core.HeadFact;
import dev.ron.edge.core.StoredResponse;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Channel;
import dev.ron.kernel.channel.Overflow;
import dev.ron.kernel.channel.SendResult;
import dev.ron.kernel.tenant.TenantLimit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The stored answers: found by key, bounded by bytes and number, kept over a restart.
 *
 * <p>An answer is visible once its bytes and its head are durable. Which answers go when there are
 * too many, Caffeine's policy decides: one that is asked for once does not displace one that is
 * asked for often, so that a scan passes through. Both bounds are one weight: an answer weighs its
 * bytes, and at least the share that each of the most answers would have. What is being read is not
 * taken away: the store keeps a deleted object's bytes until its readers have closed.
 *
 * <p>Threading: thread-safe; each key's list is immutable and replaced whole.
 */
public final class LiveCache {
  /** Of one key; a {@code Vary} on something that is always different would fill the cache. */
  private static final int VARIANTS_MAX = 32;

  /** Objects that wait to be deleted; beyond that a sweep finds them. */
  private static final int DELETIONS = 16_384;

  private final Scope scope;
  private final ContentStore store;
  private final @Nullable HeadJournal journal;
  private final ObjectReferences references;
  private final CacheShares shares;
  private final Channel<Address> deletions;
  private final AtomicBoolean sweepDue = new AtomicBoolean();
  private final AtomicLong lastId = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final Map<CacheKey, List<StoredResponse>> index = new ConcurrentHashMap<>();
  private final Cache<Long, StoredResponse> policy;

  /**
   * @param journal null to forget everything with the process
   */
  public LiveCache(
      Scope scope,
      ContentStore store,
      @Nullable HeadJournal journal,
      long bytesMax,
      long entriesMax) {
    this.scope = scope;
    this.store = store;
    this.journal = journal;
    this.references = new ObjectReferences(scope.registry());
    this.shares = new CacheShares(scope.tenants());
    scope.registry().tenantUse(TenantLimit.CACHED, shares::bytes);
    this.deletions = Channel.bounded(scope, "deletions", DELETIONS, Overflow.REJECT_NEW);
    long leastWeight = Math.ceilDiv(bytesMax, entriesMax);
    this.policy =
        Caffeine.newBuilder()
            .maximumWeight(bytesMax)
            .<Long, StoredResponse>weigher((_, one) -> weight(one, leastWeight))
            .executor(Runnable::run)
            .removalListener(this::removed)
            .build();
    scope
        .metrics()
        .sampled(
            "edge_cache_bytes",
            "Bytes of stored answers.",
            sample -> sample.call((double) bytes.get()));
    scope
        .metrics()
        .sampled(
            "edge_cache_entries",
            "Stored answers.",
            sample -> sample.call((double) policy.estimatedSize()));
  }

  private static int weight(StoredResponse one, long least) {
    return (int) Math.min(Integer.MAX_VALUE, Math.max(one.bytes(), least));
  }

  /** Reads what the journal says, and forgets what the store does not have; once, at start. */
  public void recover() throws IOException {
    if (journal == null) {
      return;
    }
    Map<Long, HeadFact.Kept> found = new HashMap<>();
    journal.replay(
        fact -> {
          switch (fact) {
            case HeadFact.Kept kept -> {
              found.put(kept.stored().id(), kept);
              lastId.accumulateAndGet(kept.stored().id(), Math::max);
            }
            case HeadFact.Cleared(List<CacheKey> keys) ->
                found.values().removeIf(kept -> keys.contains(kept.stored().key()));
            case HeadFact.Dropped(List<Long> ids) -> {
              ids.forEach(found::remove);
              ids.forEach(id -> lastId.accumulateAndGet(id, Math::max));
            }
          }
        });
    found.values().stream()
        .sorted(Comparator.comparingLong(kept -> kept.stored().id()))
        .filter(kept -> kept.stored().pieces().addresses().stream().allMatch(store::contains))
        .forEach(
            kept -> {
              references.add(kept.stored().pieces().addresses());
              enter(kept, () -> true);
            });
    sweepDue.set(true);
    scope.log().info("cache-recovered", "answers", policy.estimatedSize());
  }

  public List<StoredResponse> find(CacheKey key) {
    return index.getOrDefault(key, List.of());
  }

  /** Tells the policy that an answer was of use. */
  @SuppressWarnings("CheckReturnValue") // asking the policy is how it learns of the use
  public void used(StoredResponse stored) {
    policy.getIfPresent(stored.id());
  }

  public ContentStore store() {
    return store;
  }

  public long nextId() {
    return lastId.incrementAndGet();
  }

  /**
   * Keeps an answer whose bytes are durable; it is visible when this returns true.
   *
   * <p>It takes the place of an older one with the same id, or for the same selecting fields.
   *
   * @param asking the tenant whose request filled it; what is over its share is not kept
   * @param wanted turns false for good if the answer is made worthless before it is visible; a
   *     clearing of its key either comes after and takes it along, or before and is seen here
   */
  public boolean keep(StoredResponse stored, String asking, BooleanSupplier wanted)
      throws InterruptedException {
    List<Address> addresses = stored.pieces().addresses();
    String tenant = shares.owner(stored, asking);
    if (!shares.fits(tenant, stored.bytes()) || !references.add(addresses)) {
      return false;
    }
    boolean there = addresses.stream().allMatch(store::contains);
    if (!there || !record(new HeadFact.Kept(stored, tenant), wanted)) {
      delete(references.drop(addresses));
      return false;
    }
    return true;
  }

  private boolean record(HeadFact.Kept kept, BooleanSupplier wanted) throws InterruptedException {
    if (journal == null) {
      return enter(kept, wanted);
    }
    Optional<HeadJournal.Token> token = journal.append(kept, wanted);
    if (token.isEmpty()) {
      return false;
    }
    try {
      return token.get().durable() && enter(kept, wanted);
    } finally {
      token.get().applied();
    }
  }

  /**
   * Makes an answer visible and lets go of those it replaces; false if it was spoiled meanwhile.
   */
  private boolean enter(HeadFact.Kept kept, BooleanSupplier wanted) {
    StoredResponse stored = kept.stored();
    List<StoredResponse> replaced = new ArrayList<>();
    List<StoredResponse> beyond = new ArrayList<>();
    var entered = new AtomicBoolean();
    index.compute(
        stored.key(),
        (_, before) -> {
          if (!wanted.getAsBoolean()) {
            return before;
          }
          entered.set(true);
          var after = new ArrayList<StoredResponse>();
          for (StoredResponse one : before == null ? List.<StoredResponse>of() : before) {
            boolean same = one.id() == stored.id() || one.selecting().equals(stored.selecting());
            (same ? replaced : after).add(one);
          }
          while (after.size() >= VARIANTS_MAX) {
            replaced.add(after.removeFirst());
          }
          after.add(stored);
          // Together with the index: whatever takes it out of there finds it in its share.
          beyond.addAll(shares.entered(kept.tenant(), stored));
          return List.copyOf(after);
        });
    if (entered.get()) {
      bytes.addAndGet(stored.bytes());
      policy.put(stored.id(), stored);
      letGo(replaced, stored.id());
      beyond.forEach(this::forget);
    }
    return entered.get();
  }

  /** Answers that are no longer in the index: their bytes, their heads, their place. */
  private void letGo(List<StoredResponse> gone, long exceptId) {
    var ids = new ArrayList<Long>();
    for (StoredResponse one : gone) {
      bytes.addAndGet(-one.bytes());
      delete(references.drop(one.pieces().addresses()));
      if (one.id() != exceptId) {
        ids.add(one.id());
        leave(one);
      }
    }
    if (journal != null && !ids.isEmpty()) {
      journal.append(new HeadFact.Dropped(ids)).ifPresent(HeadJournal.Token::applied);
    }
  }

  /** Not the one that has its id by now, which is in the index. */
  private void leave(StoredResponse gone) {
    shares.left(gone);
    var _ = policy.asMap().remove(gone.id(), gone);
  }

  private void delete(List<Address> unneeded) {
    for (Address address : unneeded) {
      if (!(deletions.trySend(address) instanceof SendResult.Sent)) {
        sweepDue.set(true);
      }
    }
  }

  @SuppressWarnings("UnusedVariable") // the shape of a listener
  private void removed(@Nullable Long id, @Nullable StoredResponse stored, RemovalCause cause) {
    if (stored != null && cause.wasEvicted()) {
      forget(stored);
    }
  }

  /** Drops an answer, for instance because the store lost its bytes. */
  public void forget(StoredResponse stored) {
    List<StoredResponse> gone = new ArrayList<>();
    index.computeIfPresent(
        stored.key(),
        (_, before) -> {
          var after = new ArrayList<StoredResponse>();
          before.forEach(one -> (one.id() == stored.id() ? gone : after).add(one));
          return after.isEmpty() ? null : List.copyOf(after);
        });
    letGo(gone, -1);
  }

  /**
   * Drops everything under the keys; when this returns a crash cannot bring it back.
   *
   * @param filling whether fills for them are under way, which may have been recorded already
   * @return how many answers that were
   */
  public int clear(List<CacheKey> keys, boolean filling) throws InterruptedException {
    List<StoredResponse> gone = new ArrayList<>();
    for (CacheKey key : keys) {
      List<StoredResponse> removed = index.remove(key);
      if (removed != null) {
        gone.addAll(removed);
      }
    }
    if (gone.isEmpty() && !filling) {
      return 0;
    }
    Optional<HeadJournal.Token> token = Optional.empty();
    if (journal != null) {
      token = journal.append(new HeadFact.Cleared(keys));
      token.ifPresent(HeadJournal.Token::applied);
    }
    for (StoredResponse one : gone) {
      bytes.addAndGet(-one.bytes());
      leave(one);
      delete(references.drop(one.pieces().addresses()));
    }
    if (token.isPresent() && !token.get().durable()) {
      scope.log().warn("invalidation-not-durable", "answers", gone.size());
    }
    return gone.size();
  }

  /** Everything that is stored now. */
  Collection<StoredResponse> all() {
    return index.values().stream().flatMap(List::stream).toList();
  }

  /** The same as the facts that would lead to it. */
  Collection<HeadFact.Kept> kept() {
    return all().stream().map(one -> new HeadFact.Kept(one, shares.owner(one, ""))).toList();
  }

  /** Whether an answer that is stored has room in its tenant's share to grow to so many bytes. */
  public boolean fits(StoredResponse stored, String asking, long bytes) {
    return shares.fits(shares.owner(stored, asking), bytes);
  }

  /** Lets go of what is over its tenant's share since a reload has changed that. */
  void holdShares() {
    shares.beyond().forEach(this::forget);
  }

  long bytes() {
    return bytes.get();
  }

  Channel<Address> deletions() {
    return deletions;
  }

  ObjectReferences references() {
    return references;
  }

  /** True once after each time that something may have been left behind. */
  boolean sweepDue() {
    return sweepDue.getAndSet(false);
  }

  /** Every object some answer needs. */
  Set<Address> needed() {
    var needed = new HashSet<Address>();
    all().forEach(stored -> needed.addAll(stored.pieces().addresses()));
    return needed;
  }
}
