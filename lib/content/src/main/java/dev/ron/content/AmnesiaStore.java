package dev.ron.content;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.blake3.Hash;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A store that forgets everything with its process, for amnesia; bounded by bytes and by objects.
 *
 * <p>"Durable" means here that the object is in memory. Nothing is written anywhere, there is no
 * grace, and bytes are not hashed again when they are read: what damages memory damages the hash as
 * well.
 *
 * <p>Threading: thread-safe; {@code lock} guards the objects and their sum.
 */
public final class AmnesiaStore implements ContentStore {
  private static final int STEP_BYTES = 64 << 10;

  private final long bytesMax;
  private final int objectsMax;
  private final long objectBytesMax;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock") private final TreeMap<AddressKey, byte[]> objects = new TreeMap<>();

  @GuardedBy("lock") private final Set<AddressKey> damaged = new HashSet<>();

  private final Pins pins = new Pins();

  @GuardedBy("lock") private long bytes;

  @GuardedBy("lock") private long reserved;

  /**
   * @param objectBytesMax of one object, which is a single array: less than 2 GiB
   */
  public AmnesiaStore(long bytesMax, int objectsMax, int objectBytesMax) {
    if (bytesMax < 1 || objectsMax < 1 || objectBytesMax < 1) {
      throw new IllegalArgumentException(
          "bytes_max = %d, objects_max = %d, object_bytes_max = %d: each must be at least 1"
              .formatted(bytesMax, objectsMax, objectBytesMax));
    }
    this.bytesMax = bytesMax;
    this.objectsMax = objectsMax;
    this.objectBytesMax = Math.min(objectBytesMax, bytesMax);
  }

  @Override
  public PutResult put(InputStream in) throws IOException {
    return put(null, in);
  }

  @Override
  public PutResult put(@Nullable Address expected, InputStream in) throws IOException {
    var held = new Reservation();
    try {
      var collected = new ByteArrayOutputStream();
      while (true) {
        byte[] step = in.readNBytes((int) Math.min(STEP_BYTES, objectBytesMax + 1));
        if (step.length == 0) {
          return keep(expected, collected.toByteArray());
        }
        if (collected.size() + (long) step.length > objectBytesMax) {
          return new PutResult.Refused(new ContentFault.TooLarge(objectBytesMax));
        }
        if (!held.grow(step.length)) {
          return new PutResult.Refused(full());
        }
        collected.write(step, 0, step.length);
      }
    } finally {
      held.close();
    }
  }

  /** Room for bytes that are on their way in, so that many at once stay within the bound too. */
  private final class Reservation {
    private long mine;

    boolean grow(int by) {
      lock.lock();
      try {
        if (bytes + reserved + by > bytesMax) {
          return false;
        }
        reserved += by;
        mine += by;
        return true;
      } finally {
        lock.unlock();
      }
    }

    void close() {
      lock.lock();
      try {
        reserved -= mine;
        mine = 0;
      } finally {
        lock.unlock();
      }
    }
  }

  private PutResult keep(@Nullable Address expected, byte[] object) {
    Hash hash = Blake3.hash(object);
    var address = new Address(hash);
    if (expected != null && !expected.equals(address)) {
      return new PutResult.Refused(new ContentFault.Mismatch(expected, address));
    }
    AddressKey key = AddressKey.of(address);
    lock.lock();
    try {
      if (damaged.remove(key)) {
        objects.put(key, object);
        return new PutResult.Stored(address, object.length, true);
      }
      if (objects.containsKey(key)) {
        return new PutResult.Stored(address, object.length, false);
      }
      if (objects.size() == objectsMax) {
        return new PutResult.Refused(full());
      }
      objects.put(key, object);
      bytes += object.length;
      return new PutResult.Stored(address, object.length, true);
    } finally {
      lock.unlock();
    }
  }

  private ContentFault full() {
    return new ContentFault.Full(
        "the memory store is full at %d bytes or %d objects".formatted(bytesMax, objectsMax));
  }

  @Override
  public OpenResult open(Address address, long offset, long length) {
    if (offset < 0 || length < 0) {
      throw new IllegalArgumentException(length + " bytes from " + offset);
    }
    byte[] object = find(address);
    if (object == null) {
      return new OpenResult.Refused(new ContentFault.NotFound(address));
    }
    if (offset > object.length) {
      return new OpenResult.Refused(new ContentFault.OutOfRange(address, offset, object.length));
    }
    int count = (int) Math.min(length, object.length - offset);
    return new OpenResult.Opened(new Reader(address, object, (int) offset, count));
  }

  private byte @Nullable [] find(Address address) {
    lock.lock();
    try {
      return objects.get(AddressKey.of(address));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Optional<ContentStat> stat(Address address) {
    return Optional.ofNullable(find(address))
        .map(object -> new ContentStat(address, object.length));
  }

  @Override
  public boolean sound(Address address) {
    lock.lock();
    try {
      AddressKey key = AddressKey.of(address);
      return objects.containsKey(key) && !damaged.contains(key);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void judged(Address address, boolean sound) {
    lock.lock();
    try {
      AddressKey key = AddressKey.of(address);
      if (sound) {
        damaged.remove(key);
      } else if (objects.containsKey(key)) {
        damaged.add(key);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long damaged() {
    lock.lock();
    try {
      return damaged.size();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public DeleteResult delete(Address address) {
    lock.lock();
    try {
      if (!objects.containsKey(AddressKey.of(address))) {
        return new DeleteResult.Refused(new ContentFault.NotFound(address));
      }
      if (pins.has(address)) {
        return new DeleteResult.Refused(new ContentFault.Pinned(address));
      }
      byte[] object = objects.remove(AddressKey.of(address));
      damaged.remove(AddressKey.of(address));
      bytes -= object == null ? 0 : object.length;
      return new DeleteResult.Deleted(Instant.EPOCH);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public List<ContentStat> list(@Nullable Address after, int max) {
    lock.lock();
    try {
      var from = after == null ? objects : objects.tailMap(AddressKey.of(after), false);
      return from.entrySet().stream()
          .limit(max)
          .map(entry -> new ContentStat(entry.getKey().address(), entry.getValue().length))
          .toList();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean pin(Address address) {
    lock.lock();
    try {
      boolean there = objects.containsKey(AddressKey.of(address));
      if (there) {
        pins.add(address);
      }
      return there;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void unpin(Address address) {
    pins.remove(address);
  }

  @Override
  public Space space() {
    lock.lock();
    try {
      return new Space(objects.size(), bytes, bytes + reserved, bytesMax - bytes - reserved);
    } finally {
      lock.unlock();
    }
  }

  /** Hands the array out in groups, read-only. */
  private static final class Reader implements ContentReader {
    private final ContentStat stat;
    private final long offset;
    private final ByteBuffer left;

    Reader(Address address, byte[] object, int offset, int length) {
      this.stat = new ContentStat(address, object.length);
      this.offset = offset;
      this.left = ByteBuffer.wrap(object, offset, length).asReadOnlyBuffer();
    }

    @Override
    public ContentStat stat() {
      return stat;
    }

    @Override
    public long offset() {
      return offset;
    }

    @Override
    public long remaining() {
      return left.remaining();
    }

    @Override
    public Step next() {
      if (!left.hasRemaining()) {
        return new Step.End();
      }
      int count = Math.min(STEP_BYTES, left.remaining());
      ByteBuffer bytes = left.slice(left.position(), count);
      left.position(left.position() + count);
      return new Step.Bytes(bytes);
    }

    @Override
    public Optional<FileRegion> region() {
      return Optional.empty();
    }

    @Override
    public void close() {}
  }
}
