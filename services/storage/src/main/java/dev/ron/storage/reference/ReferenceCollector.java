package dev.ron.storage.reference;

import dev.ron.blake3.Address;
import dev.ron.content.AddressKey;
import dev.ron.content.ContentStat;
import dev.ron.content.ContentUnavailable;
import dev.ron.kernel.Scope;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.supervise.Next;
import dev.ron.kernel.supervise.Task;
import dev.ron.storage.StorageFault;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Deletes the bytes that the last reference left, and writes references where a directory has lost
 * them.
 *
 * <p>Threading: one step at a time.
 */
public final class ReferenceCollector implements Task {
  private static final int PAGE = 64;

  /** What could not be done now is tried again; a write that is under way has ended by then. */
  private static final Duration REST = Duration.ofSeconds(1);

  private final Scope scope;
  private final ReferencedObjects all;
  private boolean healed;
  private long bad;
  private @Nullable AddressKey measured;

  public ReferenceCollector(Scope scope, ReferencedObjects all) {
    this.scope = scope;
    this.all = all;
  }

  @Override
  public Next run(Instant now) throws InterruptedException {
    Watch.Version<AddressKey> seen = all.dropped().latest();
    heal();
    measure();
    boolean later = false;
    boolean some = false;
    for (AddressKey key : all.table().unsettled(PAGE)) {
      Optional<StorageFault> fault = collect(key.address());
      later |= fault.isPresent();
      some |= fault.isEmpty();
    }
    if (some) {
      return Next.again();
    }
    return later || !healed || measured != null
        ? Next.at(now.plus(REST))
        : Next.await(all.dropped().after(seen), now.plus(REST.multipliedBy(60)));
  }

  /** What only the bucket has has no size here, after a start: it is asked for, some at a time. */
  private void measure() throws InterruptedException {
    NavigableSet<AddressKey> left = all.table().unsized();
    if (left.isEmpty()) {
      return;
    }
    List<AddressKey> some =
        (measured == null ? left : left.tailSet(measured, false)).stream().limit(PAGE).toList();
    measured = some.size() < PAGE ? null : some.getLast();
    try {
      for (AddressKey key : some) {
        Optional<ContentStat> stat = all.objects().stat(key.address());
        stat.ifPresent(found -> all.table().sized(key, found.sizeBytes()));
      }
    } catch (ContentUnavailable _) {
      measured = null;
    }
  }

  private Optional<StorageFault> collect(Address address) throws InterruptedException {
    try {
      return all.collect(address);
    } catch (ContentUnavailable silent) {
      return Optional.of(new StorageFault.Unavailable(String.valueOf(silent.getMessage())));
    }
  }

  /** At the start, when a directory may be new, and whenever the scrubber found a bad copy. */
  private void heal() throws InterruptedException {
    long now = all.records().badCopies();
    if (healed && now <= bad) {
      bad = now;
      return;
    }
    healed = true;
    for (AddressKey key : all.table().all()) {
      Optional<StorageFault> fault = all.heal(key);
      if (fault.isPresent()) {
        scope.log().warn("references", "object", key.address(), "trouble", fault.get().detail());
        healed = false;
        break;
      }
    }
    bad = all.records().badCopies();
  }
}
