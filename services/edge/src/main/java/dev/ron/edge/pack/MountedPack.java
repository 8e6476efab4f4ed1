package dev.ron.edge.pack;

import dev.ron.blake3.Address;
import dev.ron.tilepack.Pack;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A verified pack and those who read it.
 *
 * <p>The list of mounted packs is the first reader; it lets go when the pack is replaced or
 * removed. A request that reads at that time goes on with the old bytes, and the last one closes
 * them.
 *
 * <p>Threading: thread-safe.
 */
public final class MountedPack {
  private final String name;
  private final Address address;
  private final Pack pack;
  private final AtomicInteger readers = new AtomicInteger(1);

  public MountedPack(String name, Address address, Pack pack) {
    this.name = name;
    this.address = address;
    this.pack = pack;
  }

  public String name() {
    return name;
  }

  public Address address() {
    return address;
  }

  /** Its header and metadata may be asked at any time, its bytes only by a reader. */
  public Pack pack() {
    return pack;
  }

  /** False if it is closed already; then ask for the mounted packs again. */
  public boolean enter() {
    int before = readers.get();
    while (before > 0) {
      if (readers.compareAndSet(before, before + 1)) {
        return true;
      }
      before = readers.get();
    }
    return false;
  }

  public void leave() {
    if (readers.decrementAndGet() == 0) {
      pack.close();
    }
  }
}
