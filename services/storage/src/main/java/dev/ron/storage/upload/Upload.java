package dev.ron.storage.upload;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.blake3.CheckResult;
import dev.ron.blake3.Hash;
import dev.ron.blake3.Subtree;
import dev.ron.blake3.SubtreeComposer;
import dev.ron.kernel.stream.BlockStream;
import dev.ron.storage.StorageFault;
import dev.ron.storage.core.PartLedger;
import dev.ron.storage.object.Volume;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One object on its way in, part by part.
 *
 * <p>Threading: thread-safe; {@code lock} guards the ledger and the time of the last part, and is
 * not held while a part is written.
 */
public final class Upload {
  private final String id;
  private final UploadSpool spool;
  private final Volume home;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock") private final PartLedger ledger;

  private final int partsMax;

  @GuardedBy("lock") private Instant touched;

  private Upload(
      String id, UploadSpool spool, Volume home, PartLedger ledger, int partsMax, Instant touched) {
    this.id = id;
    this.spool = spool;
    this.home = home;
    this.ledger = ledger;
    this.partsMax = partsMax;
    this.touched = touched;
  }

  /**
   * @param home where its parts wait
   */
  static Upload begun(String id, UploadSpool spool, Volume home, int partsMax, Instant now) {
    return new Upload(id, spool, home, new PartLedger(partsMax), partsMax, now);
  }

  /** One that a former process began: the slots say which parts are there. */
  static Upload resumed(String id, UploadSpool spool, Volume home, int partsMax)
      throws IOException {
    var ledger = new PartLedger(partsMax);
    long last = spool.head().begunMillis();
    int slots = Math.min(partsMax, spool.slots());
    for (int part = 0; part < slots; part++) {
      Optional<UploadSpool.Slot> slot = spool.slot(part);
      if (slot.isPresent()) {
        ledger.wrote(part, slot.get().subtree().lengthBytes());
        last = Math.max(last, slot.get().writtenMillis());
      }
    }
    return new Upload(id, spool, home, ledger, partsMax, Instant.ofEpochMilli(last));
  }

  public String id() {
    return id;
  }

  public UploadSpool spool() {
    return spool;
  }

  /** What is there now. */
  public record Status(List<PartLedger.Run> runs, long sizeBytes) {}

  public Status status() {
    lock.lock();
    try {
      return new Status(ledger.runs(), ledger.sizeBytes());
    } finally {
      lock.unlock();
    }
  }

  boolean idleSince(Instant then) {
    lock.lock();
    try {
      return !ledger.busy() && touched.isBefore(then);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Writes a part; it is durable if this answers nothing. Parts leave a disk as much room as
   * objects do: what they would take of it, deletes need.
   */
  public Optional<StorageFault> write(int part, byte[] bytes, Instant now) throws IOException {
    if (!home.home().takesWrites()) {
      Volume.Condition why = home.condition();
      return Optional.of(
          why.state() == Volume.State.FULL
              ? new StorageFault.Full(why.why())
              : new StorageFault.Unavailable(why.why()));
    }
    Optional<String> refused = begin(part);
    if (refused.isPresent()) {
      return Optional.of(new StorageFault.UploadConflict(refused.get()));
    }
    boolean done = false;
    try {
      Subtree subtree = Subtree.of(part, bytes);
      boolean there =
          spool.slot(part).map(slot -> slot.subtree().equals(subtree)).orElse(false) && has(part);
      if (!there) {
        spool.write(subtree, bytes, now.toEpochMilli());
      }
      done = true;
      return Optional.empty();
    } finally {
      end(part, done ? bytes.length : -1, now);
    }
  }

  private boolean has(int part) {
    lock.lock();
    try {
      return ledger.has(part);
    } finally {
      lock.unlock();
    }
  }

  private Optional<String> begin(int part) {
    lock.lock();
    try {
      return ledger.begin(part);
    } finally {
      lock.unlock();
    }
  }

  private void end(int part, int length, Instant now) {
    lock.lock();
    try {
      touched = now.isAfter(touched) ? now : touched;
      if (length >= 0) {
        ledger.wrote(part, length);
      } else {
        ledger.failed(part);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Takes no more parts from here on; a fault if they do not make an object. */
  Optional<StorageFault> beginComplete() {
    lock.lock();
    try {
      return ledger.complete().map(StorageFault.UploadConflict::new);
    } finally {
      lock.unlock();
    }
  }

  void resume() {
    lock.lock();
    try {
      ledger.resume();
    } finally {
      lock.unlock();
    }
  }

  /** The address of the parts together, from their chaining values alone. */
  Address compose() throws IOException {
    int count;
    long size;
    lock.lock();
    try {
      count = ledger.count();
      size = ledger.sizeBytes();
    } finally {
      lock.unlock();
    }
    if (count == 0) {
      return new Address(Blake3.hash(new byte[0]));
    }
    var composer = new SubtreeComposer(partsMax);
    for (int part = 0; part < count; part++) {
      composer.add(subtree(part));
    }
    return switch (composer.compose(size)) {
      case CheckResult.Good<Hash>(Hash root) -> new Address(root);
      case CheckResult.Bad<Hash>(var fault) ->
          throw new IOException("the parts do not fit: " + fault.code());
    };
  }

  private Subtree subtree(int part) throws IOException {
    return spool
        .slot(part)
        .map(UploadSpool.Slot::subtree)
        .orElseThrow(() -> new IOException("part %d is damaged; send it again".formatted(part)));
  }

  /** All parts one after the other. */
  InputStream stream() {
    return new Parts();
  }

  /** Finds the parts whose bytes are not what was sent, and asks for them again. */
  Optional<Integer> firstDamaged() throws IOException {
    int count = status().runs().isEmpty() ? 0 : status().runs().getLast().last() + 1;
    Optional<Integer> first = Optional.empty();
    for (int part = 0; part < count; part++) {
      Optional<UploadSpool.Slot> slot = spool.slot(part);
      boolean good =
          slot.isPresent()
              && Subtree.of(part, spool.bytes(slot.get().subtree())).equals(slot.get().subtree());
      if (!good) {
        first = first.isPresent() ? first : Optional.of(part);
        lost(part);
      }
    }
    return first;
  }

  private void lost(int part) {
    lock.lock();
    try {
      ledger.lost(part);
    } finally {
      lock.unlock();
    }
  }

  /** One part in memory at a time. */
  private final class Parts extends BlockStream {
    private InputStream part = InputStream.nullInputStream();
    private int next;

    @Override
    protected int block(byte[] into, int offset, int length) throws IOException {
      int count = part.read(into, offset, length);
      while (count < 0) {
        if (!has(next)) {
          return -1;
        }
        part = new ByteArrayInputStream(spool.bytes(subtree(next++)));
        count = part.read(into, offset, length);
      }
      return count;
    }
  }
}
