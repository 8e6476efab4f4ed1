package dev.ron.storage.cluster.reference;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.ron.blake3.Address;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Objects whose bytes another machine is about to delete: none of them is stored here meanwhile.
 *
 * <p>A reference is decided before its bytes are stored. So bytes that came before the seal have
 * theirs, and the machine that deletes finds it when it asks once all machines have sealed; bytes
 * that come later wait until the seal is gone, and are stored anew.
 *
 * <p>Threading: thread-safe; {@code lock} guards the seals.
 */
public final class AddressSeals {
  /** A machine that ended in between leaves its seals; a delete that takes longer has none. */
  private static final Duration LIFE = Duration.ofSeconds(30);

  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int MAX = 4096;

  private final Time time;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition open = lock.newCondition();

  @GuardedBy("lock") private final Map<Address, Seal> seals = new HashMap<>();

  private record Seal(String name, Instant until) {}

  public AddressSeals(Time time) {
    this.time = time;
  }

  /** False if another seal is on it. */
  public boolean set(Address address, String name) {
    lock.lock();
    try {
      seals.values().removeIf(seal -> !time.now().isBefore(seal.until()));
      Seal now = seals.get(address);
      if ((now != null && !now.name().equals(name)) || seals.size() >= MAX) {
        return false;
      }
      seals.put(address, new Seal(name, time.now().plus(LIFE)));
      return true;
    } finally {
      lock.unlock();
    }
  }

  public void lift(Address address, String name) {
    lock.lock();
    try {
      Seal now = seals.get(address);
      if (now != null && now.name().equals(name)) {
        seals.remove(address);
        open.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  public boolean holds(Address address, String name) {
    lock.lock();
    try {
      Seal now = seals.get(address);
      return now != null && now.name().equals(name) && time.now().isBefore(now.until());
    } finally {
      lock.unlock();
    }
  }

  /** False if it is still sealed when the caller can wait no longer. */
  public boolean awaitOpen(Address address) throws InterruptedException {
    Instant until = Deadline.in(PATIENCE, time).earlier(Deadline.current()).at();
    lock.lockInterruptibly();
    try {
      Seal now = seals.get(address);
      while (now != null && time.now().isBefore(now.until())) {
        if (!time.now().isBefore(until)) {
          return false;
        }
        time.await(lock, open, now.until().isBefore(until) ? now.until() : until);
        now = seals.get(address);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }
}
