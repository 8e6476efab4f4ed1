package dev.ron.edge.cache;

import dev.ron.blake3.Address;
import dev.ron.kernel.lock.RankedLock;
import dev.ron.kernel.registry.Registry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How many stored answers need each object, since equal bytes are stored once.
 *
 * <p>An object that is being deleted cannot be needed again until it is gone: a fill that comes
 * then goes without.
 *
 * <p>Threading: thread-safe; {@code lock} guards the counts.
 */
public final class ObjectReferences {
  private static final int RANK = 20;
  private static final int DELETING = -1;

  private final RankedLock lock;
  private final Map<Address, Integer> counts = new HashMap<>();

  public ObjectReferences(Registry registry) {
    this.lock = new RankedLock(registry, "references", RANK);
  }

  /** False, and nothing is counted, if one of them is being deleted. */
  public boolean add(List<Address> addresses) {
    return lock.call(
        () -> {
          for (Address address : addresses) {
            if (counts.getOrDefault(address, 0) == DELETING) {
              return false;
            }
          }
          addresses.forEach(address -> counts.merge(address, 1, Integer::sum));
          return true;
        });
  }

  /** Takes one count each back; answers those without a count. */
  public List<Address> drop(List<Address> addresses) {
    return lock.call(
        () ->
            addresses.stream()
                .filter(
                    address -> {
                      int left = counts.getOrDefault(address, 0) - 1;
                      if (left > 0) {
                        counts.put(address, left);
                      } else {
                        counts.remove(address);
                      }
                      return left <= 0;
                    })
                .toList());
  }

  /** True if no answer needs it, and then none can until {@link #deleted}. */
  public boolean claim(Address address) {
    return lock.call(() -> counts.putIfAbsent(address, DELETING) == null);
  }

  public void deleted(Address address) {
    lock.run(() -> counts.remove(address, DELETING));
  }
}
