package dev.ron.storage.cluster.core;

import dev.ron.blake3.Address;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Copies that this node has promised to keep for a while, and those it is about to give up.
 *
 * <p>A node gives a copy up only while enough others have promised to keep theirs. Two nodes that
 * see the cluster differently could each count on the other; a promise is what stops the second: a
 * node that has promised does not give up, and one that gives up does not promise.
 *
 * <p>Threading: owned by CopyClaims, under its lock.
 */
public final class CopyPromises {
  /** Long enough to ask all others and act; after half of it no node acts on one. */
  public static final Duration LENGTH = Duration.ofSeconds(20);

  private final int promisesMax;
  private final Map<Address, Instant> kept = new LinkedHashMap<>();
  private final Set<Address> givingUp = new HashSet<>();

  public CopyPromises(int promisesMax) {
    this.promisesMax = promisesMax;
  }

  /** True if the copy will be there until {@link #LENGTH} from now. */
  public boolean promise(Address address, Instant now) {
    expire(now);
    if (givingUp.contains(address) || (kept.size() >= promisesMax && !kept.containsKey(address))) {
      return false;
    }
    kept.remove(address); // so that the order stays that of their ends
    kept.put(address, now.plus(LENGTH));
    return true;
  }

  /** True if no node counts on the copy; from now on it is promised to none. */
  public boolean beginGivingUp(Address address, Instant now) {
    expire(now);
    return !kept.containsKey(address) && givingUp.add(address);
  }

  /** The copy is gone, or stays after all. */
  public void endGivingUp(Address address) {
    givingUp.remove(address);
  }

  private void expire(Instant now) {
    Iterator<Instant> ends = kept.values().iterator();
    while (ends.hasNext() && !ends.next().isAfter(now)) {
      ends.remove();
    }
  }
}
