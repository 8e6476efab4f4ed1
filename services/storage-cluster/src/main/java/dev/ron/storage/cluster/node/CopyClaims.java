package dev.ron.storage.cluster.node;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.ron.blake3.Address;
import dev.ron.content.DeleteResult;
import dev.ron.kernel.time.Time;
import dev.ron.storage.cluster.core.CopyPromises;
import dev.ron.storage.cluster.core.WriteLedger;
import dev.ron.storage.object.Volume;
import dev.ron.storage.object.Volumes;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What counts on the copies of this node: writes that may yet be taken back, and nodes that were
 * promised one.
 *
 * <p>Threading: thread-safe; {@code lock} guards the ledger and the promises, and is held while a
 * copy that they decide about is removed, so that no node is told of it meanwhile.
 */
public final class CopyClaims {
  private static final int LEDGER_MAX = 1 << 16;
  private static final int PROMISES_MAX = 1 << 16;

  private final Time time;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock") private final WriteLedger ledger = new WriteLedger(LEDGER_MAX);

  @GuardedBy("lock") private final CopyPromises promises = new CopyPromises(PROMISES_MAX);

  CopyClaims(Time time) {
    this.time = time;
  }

  static boolean remove(Volumes from, Address address) throws InterruptedException {
    boolean found = false;
    for (Volume shelf : from.all()) {
      found |= shelf.store().delete(address) instanceof DeleteResult.Deleted;
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
    lock.lock();
    try {
      if (!ledger.stored(address, write, fresh)) {
        remove(in, address);
        return false;
      }
      return fresh || in.stat(address).isPresent();
    } finally {
      lock.unlock();
    }
  }

  /** True if the copy went: nothing else relied on it. */
  boolean takeBack(Volumes from, Address address, String write) throws InterruptedException {
    lock.lock();
    try {
      boolean last = ledger.takeBack(address, write);
      if (last) {
        remove(from, address);
      }
      return last;
    } finally {
      lock.unlock();
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
      return promises.promise(address, time.now());
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
