package dev.ron.storage.cluster.reference;

import dev.ron.content.AddressKey;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * One machine's part in deciding the owners of objects: what it promised, and what it accepted.
 *
 * <p>Each object is decided by itself, by Paxos with a value that changes (CASPaxos, Rystsov 2018).
 * A machine that promised a ballot takes none below it, and what it accepted it tells with its next
 * promise; so what a majority accepted is in everything that is proposed later.
 *
 * <p>What is accepted is durable before it is told. Promises are not: they would cost a flush each.
 * Instead a <em>ceiling</em> is durable that no promise is above, and a machine that starts again
 * takes nothing below its ceiling.
 *
 * <p>Threading: owned by LocalReferences, under its lock; the accepted records are read by any
 * thread.
 */
final class OwnerVotes {
  private final int promisesMax;
  private final NavigableMap<AddressKey, OwnerRecord> accepted = new ConcurrentSkipListMap<>();
  private final Map<AddressKey, Ballot> promised = new LinkedHashMap<>();
  private long floor;

  /**
   * @param floor the ceiling that was durable when the machine ended; promises below it may have
   *     been forgotten
   */
  OwnerVotes(int promisesMax, long floor) {
    this.promisesMax = promisesMax;
    this.floor = floor;
  }

  NavigableMap<AddressKey, OwnerRecord> accepted() {
    return accepted;
  }

  /** Promises to take nothing below; told only once the ceiling is as high as the ballot. */
  Vote prepare(AddressKey key, Ballot ballot) {
    OwnerRecord now = accepted.get(key);
    if (!isFree(key, ballot) || (now != null && !ballot.isAbove(now.ballot()))) {
      return refused(key);
    }
    Ballot before = promised.get(key);
    if (before != null && !ballot.isAbove(before)) {
      return refused(key);
    }
    promise(key, ballot);
    return new Vote(true, true, ballot.counter(), now);
  }

  /** Whether it may be accepted; then it is made durable, and told to {@link #learn}. */
  Vote accept(OwnerRecord record) {
    AddressKey key = record.key();
    OwnerRecord now = accepted.get(key);
    Ballot before = promised.get(key);
    boolean stale =
        (now != null && now.ballot().isAbove(record.ballot()))
            || (before != null && before.isAbove(record.ballot()))
            || (!record.ballot().equals(before) && !isFree(key, record.ballot()));
    return stale ? refused(key) : new Vote(true, true, record.ballot().counter(), null);
  }

  /**
   * Takes what was accepted, here or elsewhere.
   *
   * <p>What another machine accepted is taken whatever was promised: it is not counted by the
   * proposal that it is of, and a later ballot outweighs it everywhere.
   */
  void learn(OwnerRecord record) {
    merged(record).ifPresent(next -> accepted.put(next.key(), next));
    Ballot before = promised.get(record.key());
    if (before != null && !before.isAbove(record.ballot())) {
      promised.remove(record.key());
    }
  }

  /** What there would be with this record; empty if it says nothing new. */
  Optional<OwnerRecord> merged(OwnerRecord record) {
    OwnerRecord now = accepted.get(record.key());
    if (now == null) {
      return Optional.of(record);
    }
    if (now.ballot().counter() == Ballot.FOUNDING && record.ballot().counter() == Ballot.FOUNDING) {
      Owners both = now.owners().together(record.owners());
      Ballot higher = record.ballot().isAbove(now.ballot()) ? record.ballot() : now.ballot();
      var next = new OwnerRecord(record.address(), higher, both);
      return next.equals(now) ? Optional.empty() : Optional.of(next);
    }
    return record.ballot().isAbove(now.ballot()) ? Optional.of(record) : Optional.empty();
  }

  /** Nothing at or below this is taken any more. */
  void raise(long counter) {
    floor = Math.max(floor, counter);
  }

  private boolean isFree(AddressKey key, Ballot ballot) {
    return ballot.counter() > floor || promised.containsKey(key);
  }

  private void promise(AddressKey key, Ballot ballot) {
    promised.remove(key);
    promised.put(key, ballot);
    if (promised.size() > promisesMax) {
      var eldest = promised.entrySet().iterator().next();
      raise(eldest.getValue().counter());
      promised.remove(eldest.getKey());
    }
  }

  private Vote refused(AddressKey key) {
    @Nullable OwnerRecord now = accepted.get(key);
    long highest = Math.max(floor, now == null ? 0 : now.ballot().counter());
    Ballot before = promised.get(key);
    return new Vote(false, true, Math.max(highest, before == null ? 0 : before.counter()), null);
  }
}
