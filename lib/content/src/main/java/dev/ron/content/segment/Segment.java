package dev.ron.content.segment;

import dev.ron.kernel.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One file of records, written from front to back and then never again.
 *
 * <p>It begins with 64 bytes: magic 8, number 8, secret 32, zero 8, CRC-32C 8.
 *
 * <p>Threading: thread-safe; {@code end} and {@code state} have one writer at a time, the owner of
 * the lane that fills the segment; the handle is guarded by {@link Segments}.
 */
public final class Segment {
  public static final int HEAD_BYTES = 64;
  public static final String SUFFIX = ".segment";

  private static final long MAGIC = 0x526f6e5365676d31L; // RonSegm1
  private static final int SUMMED_BYTES = 56;

  /** What may still write to the file. */
  public enum State {
    /** The owner of its lane. */
    FILLING,
    /** Nothing; what is in it is durable. */
    SEALED,
    /** Nothing: a flush failed, and what a later flush would say cannot be believed. */
    BROKEN
  }

  private final int number;
  private final Path path;
  private final byte[] secret;
  private final AtomicLong liveBytes = new AtomicLong();
  private final AtomicLong lastDeleted = new AtomicLong();
  private final AtomicLong tombstones = new AtomicLong();
  private volatile boolean kept;
  private volatile boolean drained;
  private volatile long end = HEAD_BYTES;
  private volatile State state = State.FILLING;

  /** Guarded by {@link Segments}: the open file, and how many use it. */
  @Nullable DiskFile file;

  /** Beside it, once a transport sends from the file without reading it. */
  @Nullable FileChannel channel;

  int users;
  long lastUse;
  boolean doomed;

  public Segment(int number, Path folder, byte[] secret) {
    this.number = number;
    this.path = path(folder, number);
    this.secret = secret;
  }

  public static Path path(Path folder, int number) {
    return folder.resolve(String.format(Locale.ROOT, "%08x", number) + SUFFIX);
  }

  static byte[] newSecret(RandomGenerator random) {
    ByteBuffer secret = ByteBuffer.allocate(32);
    while (secret.hasRemaining()) {
      secret.putLong(random.nextLong());
    }
    return secret.array();
  }

  /** The first bytes of the file. */
  ByteBuffer head() {
    ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES);
    head.putLong(MAGIC).putLong(number).put(secret).putLong(0);
    return head.putLong(sum(head)).flip();
  }

  /**
   * Refuses a segment of another version, which is none that is damaged.
   *
   * @throws UnknownSegmentVersion naming both
   */
  static void requireKnown(Path path, DiskFile from) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES);
    if (from.read(head, 0) < HEAD_BYTES || head.getLong(SUMMED_BYTES) != sum(head)) {
      return;
    }
    long magic = head.getLong(0);
    if (magic != MAGIC && magic >>> Byte.SIZE == MAGIC >>> Byte.SIZE) {
      throw new UnknownSegmentVersion(path, (char) (magic & 0xff), (char) (MAGIC & 0xff));
    }
  }

  /** Reads a segment's head, or answers null if it never became one. */
  static @Nullable public Segment read(Path folder, int number, DiskFile from) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES);
    requireKnown(path(folder, number), from);
    if (from.read(head, 0) < HEAD_BYTES
        || head.getLong(0) != MAGIC
        || head.getLong(8) != number
        || head.getLong(SUMMED_BYTES) != sum(head)) {
      return null;
    }
    byte[] secret = new byte[32];
    head.get(16, secret);
    return new Segment(number, folder, secret);
  }

  private static long sum(ByteBuffer head) {
    var crc = new CRC32C();
    crc.update(head.slice(0, SUMMED_BYTES));
    return crc.getValue();
  }

  public int number() {
    return number;
  }

  public Path path() {
    return path;
  }

  public byte[] secret() {
    return secret;
  }

  /** Where the committed records end; all before it are durable and in the index. */
  public long end() {
    return end;
  }

  public void end(long position) {
    end = position;
  }

  public State state() {
    return state;
  }

  public void state(State next) {
    state = next;
  }

  /** Bytes of records that the index points to. */
  public long liveBytes() {
    return liveBytes.get();
  }

  public void live(long bytes) {
    liveBytes.addAndGet(bytes);
  }

  /** How many tombstones are in it, needed or not. */
  public long tombstones() {
    return tombstones.get();
  }

  public void tombstones(long more) {
    tombstones.addAndGet(more);
  }

  /** Compaction could not empty it and leaves it alone until the next start. */
  public boolean isKept() {
    return kept;
  }

  public void keep() {
    kept = true;
  }

  /** What counted in it has been copied; it waits for its grace and its readers. */
  public boolean isDrained() {
    return drained;
  }

  public void drain() {
    drained = true;
  }

  /** When the last of its objects was deleted, in milliseconds of the calendar. */
  public long lastDeleted() {
    return lastDeleted.get();
  }

  public void deleted(long moment) {
    lastDeleted.accumulateAndGet(moment, Math::max);
  }
}
