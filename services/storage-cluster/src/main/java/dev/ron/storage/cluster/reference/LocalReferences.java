package dev.ron.storage.cluster.reference;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.ron.blake3.Address;
import dev.ron.content.AddressKey;
import dev.ron.kernel.Scope;
import dev.ron.storage.object.ObjectStore;
import dev.ron.storage.object.Volumes;
import dev.ron.storage.reference.AddressTurns;
import dev.ron.storage.reference.StoredBytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * This machine's part of the references: all of them, as far as it has heard.
 *
 * <p>Threading: thread-safe; {@code lock} guards the votes and the order of changes. A change of
 * one object is decided and made durable in one turn, in which nothing is promised for it.
 */
public final class LocalReferences implements ReferenceNode {
  /** With one record more it fits into an answer. */
  private static final int PAGE_BYTES = 1 << 19;

  private static final int PROMISES_MAX = 1 << 16;

  /** A minute of promises for one flush, where counters follow the clock. */
  private static final long CEILING_STEP = 60_000;

  private static final AddressKey CEILING = new AddressKey(0, 0, 0, 0);

  private final String name;
  private final OwnerStore store;
  private final StoredBytes bytes;
  private final AddressSeals seals;
  private final AddressTurns turns;
  private final String run;
  private final ReentrantLock lock = new ReentrantLock();
  private final NavigableMap<AddressKey, OwnerRecord> accepted;

  @GuardedBy("lock") private final OwnerVotes votes;

  /** What changed when; of each object the last change alone. */
  private final NavigableMap<Long, AddressKey> changes = new ConcurrentSkipListMap<>();

  @GuardedBy("lock") private final Map<AddressKey, Long> positions = new ConcurrentHashMap<>();

  @GuardedBy("lock") private long position;

  private final Map<String, NavigableSet<AddressKey>> named = new ConcurrentHashMap<>();

  /** Objects with writes that have not ended, or with bytes that no reference keeps. */
  private final Set<AddressKey> unsettled = ConcurrentHashMap.newKeySet();

  private final AddressTurns ceilingTurns;
  private volatile long ceiling;
  private volatile boolean level;

  /**
   * Reads what is on the disks.
   *
   * @param references where records are stored
   * @param objects of this machine
   */
  public static LocalReferences open(
      String name, Volumes references, ObjectStore objects, StoredBytes bytes, Scope scope) {
    return new LocalReferences(name, new OwnerRecords(name, references, objects), bytes, scope);
  }

  LocalReferences(String name, OwnerStore store, StoredBytes bytes, Scope scope) {
    this.bytes = bytes;
    this.name = name;
    this.store = store;
    this.seals = new AddressSeals(scope.time());
    this.turns = new AddressTurns(scope.time());
    this.ceilingTurns = new AddressTurns(scope.time());
    this.run = "%016x".formatted(scope.secrets().nextLong());
    OwnerStore.Loaded loaded = store.load();
    this.ceiling = loaded.ceiling();
    this.level = loaded.level();
    this.votes = new OwnerVotes(PROMISES_MAX, loaded.ceiling());
    this.accepted = votes.accepted();
    loaded.records().forEach(this::learned);
  }

  @Override
  public String name() {
    return name;
  }

  public AddressSeals seals() {
    return seals;
  }

  /** Whether it has all that it ever accepted, and so may vote. */
  boolean isLevel() {
    return level;
  }

  /** Empty if nothing is recorded here. */
  Optional<OwnerRecord> find(Address address) {
    return Optional.ofNullable(accepted.get(AddressKey.of(address)));
  }

  NavigableMap<AddressKey, OwnerRecord> all() {
    return accepted;
  }

  /** Records by which something is left to be withdrawn, or to be deleted. */
  List<OwnerRecord> unsettled(int max) {
    var found = new ArrayList<OwnerRecord>();
    for (AddressKey key : unsettled) {
      OwnerRecord record = accepted.get(key);
      if (record != null && found.size() < max) {
        found.add(record);
      }
    }
    return found;
  }

  /** Sees that the disks have these records and no others. */
  void sweep() throws InterruptedException {
    store.sweep(accepted.values());
  }

  @Override
  public Vote prepare(Address address, Ballot ballot) throws IOException, InterruptedException {
    AddressKey key = AddressKey.of(address);
    try (AddressTurns.Turn _ = turn(key)) {
      if (!level) {
        return Vote.NOT_LEVEL;
      }
      lift(ballot.counter());
      lock.lock();
      try {
        return votes.prepare(key, ballot);
      } finally {
        lock.unlock();
      }
    }
  }

  /** Before a promise is made: one that is forgotten is below the ceiling. */
  private void lift(long counter) throws IOException, InterruptedException {
    if (counter <= ceiling) {
      return;
    }
    try (AddressTurns.Turn turn = ceilingTurns.take(CEILING)) {
      if (turn == null) {
        throw new IOException("the ceiling of references is being raised");
      }
      if (counter > ceiling) {
        store.ceiling(Math.addExact(counter, CEILING_STEP));
        ceiling = counter + CEILING_STEP;
      }
    }
  }

  @Override
  public Vote accept(OwnerRecord record) throws IOException, InterruptedException {
    try (AddressTurns.Turn _ = turn(record.key())) {
      if (!level) {
        return Vote.NOT_LEVEL;
      }
      Vote vote;
      lock.lock();
      try {
        vote = votes.accept(record);
      } finally {
        lock.unlock();
      }
      if (vote.granted()) {
        store.put(record, accepted.get(record.key()));
        learned(record);
      }
      return vote;
    }
  }

  /** Takes what another machine has accepted. */
  void learn(OwnerRecord record) throws IOException, InterruptedException {
    try (AddressTurns.Turn _ = turn(record.key())) {
      Optional<OwnerRecord> next;
      lock.lock();
      try {
        next = votes.merged(record);
      } finally {
        lock.unlock();
      }
      if (next.isPresent()) {
        store.put(next.get(), accepted.get(record.key()));
        learned(next.get());
      }
    }
  }

  /** All that this machine may have accepted and lost is here again. */
  void level(long counter) throws IOException, InterruptedException {
    lift(counter);
    lock.lock();
    try {
      votes.raise(counter);
    } finally {
      lock.unlock();
    }
    store.level();
    level = true;
  }

  private AddressTurns.Turn turn(AddressKey key) throws IOException, InterruptedException {
    AddressTurns.Turn turn = turns.take(key);
    if (turn == null) {
      throw new IOException("references of %s are being changed".formatted(key.address()));
    }
    return turn;
  }

  private void learned(OwnerRecord record) {
    AddressKey key = record.key();
    lock.lock();
    try {
      OwnerRecord before = accepted.get(key);
      votes.learn(record);
      OwnerRecord now = accepted.getOrDefault(key, record);
      if (before != null) {
        for (String tenant : before.owners().tenants().keySet()) {
          NavigableSet<AddressKey> keys = named.get(tenant);
          if (keys != null && !now.owners().tenants().containsKey(tenant)) {
            keys.remove(key);
          }
        }
      }
      now.owners()
          .tenants()
          .keySet()
          .forEach(
              tenant -> named.computeIfAbsent(tenant, _ -> new ConcurrentSkipListSet<>()).add(key));
      count(before, now);
      if (now.owners().isCollectable() || !now.owners().writes().isEmpty()) {
        unsettled.add(key);
      } else {
        unsettled.remove(key);
      }
      position++;
      Long old = positions.put(key, position);
      changes.put(position, key);
      if (old != null) {
        changes.remove(old);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Every machine counts what tenants keep. The one that a record was proposed by charges for it:
   * of several machines with the same record, one.
   */
  private void count(@Nullable OwnerRecord before, OwnerRecord now) {
    if (before != null) {
      count(before, -1);
    }
    count(now, 1);
  }

  private void count(OwnerRecord record, int sign) {
    long size = sign * record.owners().sizeBytes();
    boolean mine = record.ballot().node().equals(name);
    for (String tenant : record.owners().tenants().keySet()) {
      if (record.owners().owns(tenant)) {
        bytes.count(tenant, size);
        bytes.charge(tenant, mine ? size : 0);
      }
    }
  }

  @Override
  public Page read(List<Address> addresses) {
    var found = new ArrayList<OwnerRecord>();
    addresses.forEach(address -> find(address).ifPresent(found::add));
    return new Page(level, found);
  }

  @Override
  public Names named(String tenant, @Nullable Address after, int max) {
    NavigableSet<AddressKey> all = named.getOrDefault(tenant, new ConcurrentSkipListSet<>());
    var found = new ArrayList<Address>();
    for (AddressKey key : after == null ? all : all.tailSet(AddressKey.of(after), false)) {
      if (found.size() == max) {
        break;
      }
      found.add(key.address());
    }
    return new Names(level, found);
  }

  @Override
  public Changes changes(String of, long after) {
    long from = of.equals(run) ? after : 0;
    var found = new ArrayList<OwnerRecord>();
    long next = from;
    int bytes = 0;
    boolean more = false;
    for (Map.Entry<Long, AddressKey> each : changes.tailMap(from, false).entrySet()) {
      if (bytes > PAGE_BYTES) {
        more = true;
        break;
      }
      OwnerRecord record = accepted.get(each.getValue());
      if (record != null) {
        found.add(record);
        bytes += record.text().length();
      }
      next = each.getKey();
    }
    return new Changes(run, next, more, found);
  }

  @Override
  public boolean seal(Address address, String seal) {
    return seals.set(address, seal);
  }

  @Override
  public void lift(Address address, String seal) {
    seals.lift(address, seal);
  }
}
