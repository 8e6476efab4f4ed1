package dev.ron.storage.cluster.node;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.ron.blake3.Address;
import dev.ron.content.DeleteResult;
import dev.ron.kernel.time.Time;
import dev.ron.storage.cluster.core.CopyPromises;
import dev.ron.storage.cluster.core.WriteLedger;
import dev.ron.storage.object.Volume;
import dev.ron.storage.object.Volumes;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What counts on the copies of this node: writes that may yet be taken back, and nodes that were
 * promised one.
 *
 * <p>Threading: thread-safe; {@code lock} guards the ledger, the promises and the copies on their
 * way out. It is not held while the disk removes a copy: until that is done the copy is promised to
 * no node, and writes that found it there wait for the end.
 */
public final class CopyClaims {
  private static final int LEDGER_MAX = 1 << 16;
  private static final int PROMISES_MAX = 1 << 16;

  private final Time time;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock") private final WriteLedger ledger = new WriteLedger(LEDGER_MAX);

  @GuardedBy("lock") private final CopyPromises promises = new CopyPromises(PROMISES_MAX);

  @GuardedBy("lock") private final Set<Address> leaving = new HashSet<>();

  private final Condition left = lock.newCondition();

  CopyClaims(Time time) {
    this.time = time;
  }

  static boolean remove(Volumes from, Address address) throws InterruptedException {
    boolean found = false;
    for (Volume volume : from.all()) {
      found |= volume.store().delete(address) instanceof DeleteResult.Deleted;
    }
    return found;
  }

  /**
   * A write's copy is stored.
   *
   * @param fresh false if another write's copy was there
   * @return false if the write was taken back meanwhile, or the other's copy went; then there is
   *     none of this write
   */
  boolean stored(Volumes in, Address address, String write, boolean fresh)
      throws InterruptedException {
    boolean takenBack;
    lock.lockInterruptibly();
    try {
      awaitLeft(address);
      takenBack = !ledger.stored(address, write, fresh);
      if (takenBack) {
        leaving.add(address);
      }
    } finally {
      lock.unlock();
    }
    if (takenBack) {
      removeLeaving(in, address);
      return false;
    }
    return fresh || in.stat(address).isPresent();
  }

  /** True if the copy went: nothing else relied on it. */
  boolean takeBack(Volumes from, Address address, String write) throws InterruptedException {
    boolean last;
    lock.lockInterruptibly();
    try {
      awaitLeft(address);
      last = ledger.takeBack(address, write);
      if (last) {
        leaving.add(address);
      }
    } finally {
      lock.unlock();
    }
    if (last) {
      removeLeaving(from, address);
    }
    return last;
  }

  @GuardedBy("lock") private void awaitLeft(Address address) throws InterruptedException {
    while (leaving.contains(address)) {
      left.await();
    }
  }

  private void removeLeaving(Volumes from, Address address) throws InterruptedException {
    try {
      remove(from, address);
    } finally {
      lock.lock();
      try {
        leaving.remove(address);
        left.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /** What repair stored, or a node was promised, belongs to no write. */
  public void reliedOn(Address address) {
    lock.lock();
    try {
      ledger.reliedOn(address);
    } finally {
      lock.unlock();
    }
  }

  /** True if it will be kept for a while, if it is there. */
  boolean promise(Address address) {
    lock.lock();
    try {
      ledger.reliedOn(address);
      return !leaving.contains(address) && promises.promise(address, time.now());
    } finally {
      lock.unlock();
    }
  }

  /** True if nothing counts on the copy here; then no node is promised it until the end. */
  public boolean beginGivingUp(Address address) {
    lock.lock();
    try {
      return promises.beginGivingUp(address, time.now());
    } finally {
      lock.unlock();
    }
  }

  public void endGivingUp(Address address) {
    lock.lock();
    try {
      promises.endGivingUp(address);
    } finally {
      lock.unlock();
    }
  }
}
