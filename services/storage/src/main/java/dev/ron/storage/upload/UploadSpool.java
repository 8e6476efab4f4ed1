package dev.ron.storage.upload;

import dev.ron.blake3.Address;
import dev.ron.blake3.Blake3;
import dev.ron.blake3.ChainingValue;
import dev.ron.blake3.Hash;
import dev.ron.blake3.HashTree;
import dev.ron.blake3.Subtree;
import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The file in which the parts of one upload wait: a head, then a slot for each part at its place.
 *
 * <p>A slot is the part's length, its chaining value and its bytes, written and flushed together. A
 * crash in between may leave a slot whose bytes are not those of its chaining value; that is found
 * when the parts become an object, which hashes all of them.
 *
 * <p>Threading: thread-safe for different parts; one part is one thread's at a time.
 */
public final class UploadSpool implements Closeable {
  /** Written first; anything else is not an upload. */
  private static final long MAGIC = 0x524f4e55504c4431L; // RONUPLD1

  private static final int CHECK_BYTES = 16;
  private static final int HEAD_BYTES = 128;
  private static final int SLOT_HEAD_BYTES = 128;
  private static final long SLOT_BYTES = SLOT_HEAD_BYTES + (long) HashTree.PART_BYTES;

  private final Disk disk;
  private final Path path;
  private final DiskFile file;
  private final Head head;

  /**
   * What the upload was begun with.
   *
   * @param owner hash of the tenant
   * @param address what the whole shall be, if the request that began it said so
   */
  public record Head(long begunMillis, Hash owner, Optional<Address> address) {}

  /** A part that is there. */
  public record Slot(Subtree subtree, long writtenMillis) {}

  private UploadSpool(Disk disk, Path path, DiskFile file, Head head) {
    this.disk = disk;
    this.path = path;
    this.file = file;
    this.head = head;
  }

  /** Makes an empty one, durably. */
  public static UploadSpool create(Disk disk, Path path, Head head) throws IOException {
    DiskFile file = disk.open(path);
    try {
      file.truncate(0);
      byte[] all = new byte[HEAD_BYTES];
      var bytes = ByteBuffer.wrap(all);
      bytes.putLong(MAGIC).putLong(head.begunMillis()).put(head.owner().bytes());
      bytes.put((byte) (head.address().isPresent() ? 1 : 0));
      head.address().ifPresent(address -> bytes.put(address.hash().bytes()));
      file.write(sealed(all), 0);
      file.flush();
      disk.flushDirectory(Objects.requireNonNull(path.getParent(), "a spool lies in a folder"));
    } catch (IOException e) {
      file.close();
      throw e;
    }
    return new UploadSpool(disk, path, file, head);
  }

  /** Opens one that a former process made; empty if the file is no whole upload. */
  public static Optional<UploadSpool> open(Disk disk, Path path) throws IOException {
    DiskFile file = disk.open(path);
    ByteBuffer bytes = unsealed(file, 0, HEAD_BYTES);
    if (bytes == null || bytes.getLong() != MAGIC) {
      file.close();
      return Optional.empty();
    }
    long begun = bytes.getLong();
    Hash owner = hash(bytes);
    Optional<Address> address =
        bytes.get() == 1 ? Optional.of(new Address(hash(bytes))) : Optional.empty();
    return Optional.of(new UploadSpool(disk, path, file, new Head(begun, owner, address)));
  }

  public Head head() {
    return head;
  }

  public Path path() {
    return path;
  }

  /** How many slots there are, written or not. */
  public int slots() throws IOException {
    return Math.toIntExact(Math.ceilDiv(Math.max(0, file.size() - HEAD_BYTES), SLOT_BYTES));
  }

  /** Writes a part; it is durable when this returns. */
  public void write(Subtree part, byte[] bytes, long nowMillis) throws IOException {
    if (bytes.length != part.lengthBytes()) {
      throw new IllegalArgumentException(bytes.length + " bytes for " + part);
    }
    var whole = ByteBuffer.allocate(SLOT_HEAD_BYTES + bytes.length);
    byte[] slotHead = new byte[SLOT_HEAD_BYTES];
    var slot = ByteBuffer.wrap(slotHead);
    slot.putLong(MAGIC).putLong(part.index()).putInt(part.lengthBytes()).putLong(nowMillis);
    slot.put(part.chainingValue().bytes());
    part.alone().ifPresent(alone -> slot.put(alone.bytes()));
    whole.put(sealed(slotHead)).put(bytes);
    file.write(whole.flip(), at(part.index()));
    file.flush();
  }

  /** The part's slot, or empty if it was not written. */
  public Optional<Slot> slot(int index) throws IOException {
    ByteBuffer bytes = unsealed(file, at(index), SLOT_HEAD_BYTES);
    if (bytes == null || bytes.getLong() != MAGIC || bytes.getLong() != index) {
      return Optional.empty();
    }
    int length = bytes.getInt();
    long written = bytes.getLong();
    ChainingValue value = new ChainingValue(hash(bytes));
    Optional<Hash> alone = index == 0 ? Optional.of(hash(bytes)) : Optional.empty();
    return Optional.of(new Slot(new Subtree(index, length, value, alone), written));
  }

  /** The part's bytes as they are on disk; fewer if the file is shorter than it was. */
  public byte[] bytes(Subtree part) throws IOException {
    byte[] bytes = new byte[part.lengthBytes()];
    int read = file.read(ByteBuffer.wrap(bytes), at(part.index()) + SLOT_HEAD_BYTES);
    return read == bytes.length ? bytes : Arrays.copyOf(bytes, read);
  }

  private static long at(long index) {
    return HEAD_BYTES + index * SLOT_BYTES;
  }

  /** Ends it with a check of all before, so that no other bytes pass for it. */
  private static ByteBuffer sealed(byte[] all) {
    System.arraycopy(check(all), 0, all, all.length - CHECK_BYTES, CHECK_BYTES);
    return ByteBuffer.wrap(all);
  }

  private static @Nullable ByteBuffer unsealed(DiskFile file, long at, int length)
      throws IOException {
    byte[] all = new byte[length];
    if (file.read(ByteBuffer.wrap(all), at) < length) {
      return null;
    }
    byte[] found = Arrays.copyOfRange(all, all.length - CHECK_BYTES, all.length);
    return Arrays.equals(found, check(all)) ? ByteBuffer.wrap(all) : null;
  }

  private static byte[] check(byte[] all) {
    byte[] covered = Arrays.copyOf(all, all.length - CHECK_BYTES);
    return Arrays.copyOf(Blake3.hash(covered).bytes(), CHECK_BYTES);
  }

  private static Hash hash(ByteBuffer from) {
    byte[] bytes = new byte[Hash.BYTES];
    from.get(bytes);
    return Hash.of(bytes);
  }

  /** Gives the parts up. */
  public void delete() throws IOException {
    file.close();
    disk.delete(path);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
