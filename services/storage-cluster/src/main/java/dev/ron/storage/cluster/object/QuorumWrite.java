package dev.ron.storage.cluster.object;

import dev.ron.blake3.Address;
import dev.ron.kernel.supervise.Threads;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.Time;
import dev.ron.storage.StorageFault;
import dev.ron.storage.cluster.node.ClusterNode;
import dev.ron.storage.cluster.node.PeerClient;
import dev.ron.storage.cluster.node.WriteRollback;
import dev.ron.storage.object.ObjectStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One write to several nodes at once: answered when enough of them have it durably, refused when
 * that can no longer happen.
 *
 * <p>A node that fails is replaced by the next in the object's order. A write that is refused is
 * taken back wherever it was or may have been made.
 *
 * <p>Threading: thread-safe; {@code lock} guards the counts. The caller waits, each node has a
 * thread that may outlive the answer.
 */
final class QuorumWrite {
  private final Address address;
  private final ObjectStore.Source source;
  private final ClusterNode.Origin origin;
  private final int copies;
  private final int quorum;
  private final Iterator<ClusterNode> candidates;
  private final Threads threads;
  private final Time time;
  private final WriteRollback takeBacks;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<ClusterNode> asked = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private int stored;
  private int underWay;
  private boolean allFresh = true;
  private boolean allFull = true;
  private boolean refused;
  private StorageFault.@Nullable Busy busy;
  private @Nullable StorageFault mismatch;

  QuorumWrite(
      Address address,
      ObjectStore.Source source,
      ClusterNode.Origin origin,
      int copies,
      int quorum,
      List<ClusterNode> candidates,
      Threads threads,
      Time time,
      WriteRollback takeBacks) {
    this.address = address;
    this.source = source;
    this.origin = origin;
    this.copies = copies;
    this.quorum = quorum;
    this.candidates = candidates.iterator();
    this.threads = threads;
    this.time = time;
    this.takeBacks = takeBacks;
  }

  /**
   * @param forAll wait for every copy, because the source ends with the answer
   */
  ObjectStore.Written run(boolean forAll) throws InterruptedException {
    boolean answered = false;
    var limit =
        Deadline.in(PeerClient.putLimit(source.sizeBytes()).multipliedBy(2), time)
            .earlier(Deadline.current());
    lock.lockInterruptibly();
    try {
      for (int i = 0; i < copies && candidates.hasNext(); i++) {
        start(candidates.next());
      }
      while (!decided(forAll) && time.awaitAlone(lock, changed, limit.at())) {
        // counted by the threads
      }
      answered = true;
      return outcome();
    } finally {
      if (!answered || stored < quorum) {
        refused = true;
      }
      List<ClusterNode> back = refused ? List.copyOf(asked) : List.of();
      lock.unlock();
      back.forEach(node -> takeBacks.add(node, ClusterNode.Kind.OBJECT, address, origin.write()));
    }
  }

  private boolean decided(boolean forAll) {
    return underWay == 0 || mismatch != null || (stored >= quorum && !forAll);
  }

  private void start(ClusterNode node) {
    underWay++;
    asked.add(node);
    threads.start("storage/write", () -> put(node));
  }

  private void put(ClusterNode node) {
    ObjectStore.Written written;
    try {
      written = node.put(ClusterNode.Kind.OBJECT, address, origin, source);
    } catch (IOException e) {
      written =
          new ObjectStore.Written.Refused(
              new StorageFault.Unavailable(String.valueOf(e.getMessage())));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      written = new ObjectStore.Written.Refused(new StorageFault.Unavailable("cancelled"));
    }
    lock.lock();
    try {
      underWay--;
      count(node, written);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void count(ClusterNode node, ObjectStore.Written written) {
    switch (written) {
      case ObjectStore.Written.Stored(_, _, boolean fresh) -> {
        stored++;
        allFresh &= fresh;
        return;
      }
      case ObjectStore.Written.Refused(StorageFault.Mismatch fault) -> mismatch = fault;
      case ObjectStore.Written.Refused(StorageFault.Busy fault) -> busy = fault;
      case ObjectStore.Written.Refused(StorageFault fault) -> {
        allFull &= fault instanceof StorageFault.Full;
        failures.add(node.name() + ": " + fault.detail());
      }
    }
    if (!refused && mismatch == null && candidates.hasNext()) {
      start(candidates.next());
    }
  }

  private ObjectStore.Written outcome() {
    if (mismatch != null) {
      refused = true;
      return new ObjectStore.Written.Refused(mismatch);
    }
    if (stored >= quorum) {
      return new ObjectStore.Written.Stored(address, source.sizeBytes(), allFresh);
    }
    if (busy != null) {
      return new ObjectStore.Written.Refused(busy);
    }
    String words =
        "%d of the %d copies a write needs could be stored in time: %s"
            .formatted(stored, quorum, String.join("; ", failures));
    boolean full = allFull && !failures.isEmpty() && underWay == 0;
    return new ObjectStore.Written.Refused(
        full ? new StorageFault.Full(words) : new StorageFault.Unavailable(words));
  }
}
