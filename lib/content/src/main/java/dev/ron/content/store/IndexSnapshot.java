package dev.ron.content.store;

import dev.ron.content.index.AddressIndex;
import dev.ron.content.index.IndexShard;
import dev.ron.content.segment.Segment;
import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The index in a file, so that a start need not read the segments.
 *
 * <p>Only an optimisation: it is replaced whole, and one that is missing or damaged costs time. For
 * each segment it says up to where its records are in it; entries may be newer than that, because
 * the store goes on while it is written, and a start applies a record only where it is news.
 *
 * <p>Threading: stateless.
 */
final class IndexSnapshot {
  static final String NAME = "index.snapshot";
  static final String PART = "index.snapshot.part";

  private static final long MAGIC = 0x526f6e496e647831L; // RonIndx1
  private static final int SEGMENT_BYTES = 8 + 8 + 8 + 8 + 32;
  private static final int SUM_BYTES = 8;
  private static final int STEP_BYTES = 1 << 20;

  private IndexSnapshot() {}

  /**
   * What was read back.
   *
   * @param covered the segments as they were; their {@code end} is how far the entries reach
   */
  record Read(List<Segment> covered, long lastSequence, int nextSegment) {}

  /**
   * Writes and puts in place; what it says of the segments was true when it began. Without a word
   * if the segments alone know what is true: the one before stays, and a start reads on from there.
   */
  static void write(Disk disk, Path folder, ContentCatalogue catalogue) throws IOException {
    if (!catalogue.isSettled()) {
      return;
    }
    List<Segment> segments = catalogue.segments().all();
    // The state before the end: one that takes no more has its last end. The other way round, a
    // segment that was filled and sealed in between would be called whole at its earlier end.
    boolean[] closed = new boolean[segments.size()];
    for (int i = 0; i < closed.length; i++) {
      closed[i] = segments.get(i).state() != Segment.State.FILLING;
    }
    long[] ends = segments.stream().mapToLong(Segment::end).toArray();
    try (DiskFile file = disk.open(folder.resolve(PART))) {
      file.truncate(0);
      var out = new Out(file);
      out.room(40).putLong(MAGIC).putLong(segments.size());
      out.buffer.putInt(catalogue.segments().nextNumber()).putInt(AddressIndex.SHARDS);
      for (int i = 0; i < ends.length; i++) {
        Segment segment = segments.get(i);
        out.room(SEGMENT_BYTES).putLong(segment.number()).putLong(ends[i]);
        out.buffer.putLong(closed[i] ? 1 : 0);
        out.buffer.putLong(segment.tombstones());
        out.buffer.put(segment.secret());
      }
      for (int shard = 0; shard < AddressIndex.SHARDS; shard++) {
        long[] rows = catalogue.index().copy(shard);
        out.room(8).putLong(rows.length / IndexShard.COLUMNS);
        for (int at = 0; at < rows.length; at += IndexShard.COLUMNS) {
          ByteBuffer room = out.room(8 * IndexShard.COLUMNS);
          room.asLongBuffer().put(rows, at, IndexShard.COLUMNS);
          room.position(room.position() + 8 * IndexShard.COLUMNS);
        }
      }
      // Last, so that it is not below any entry's.
      out.room(8).putLong(catalogue.lastSequence());
      out.finish();
      file.flush();
    }
    if (catalogue.isSettled()) { // still: a delete may have failed meanwhile
      disk.rename(folder.resolve(PART), folder.resolve(NAME));
      disk.flushDirectory(folder);
    }
  }

  /** Fills an empty index; empty, and the index still is, if there is no sound snapshot. */
  static Optional<Read> read(Disk disk, Path folder, AddressIndex index) throws IOException {
    if (!disk.exists(folder.resolve(NAME))) {
      return Optional.empty();
    }
    try (DiskFile file = disk.openReadOnly(folder.resolve(NAME))) {
      // The sum first and the entries in a second pass, so that a bad file leaves no trace.
      if (!sumIsRight(file)) {
        return Optional.empty();
      }
      return Optional.of(load(new In(file, file.size() - SUM_BYTES), folder, index));
    }
  }

  private static Read load(In in, Path folder, AddressIndex index) throws IOException {
    ByteBuffer head = in.room(24);
    if (head.getLong() != MAGIC) {
      throw new IOException("the snapshot is of another kind");
    }
    long segments = head.getLong();
    int nextSegment = head.getInt();
    int shards = head.getInt();
    if (shards != AddressIndex.SHARDS) {
      throw new IOException("the snapshot has %d shards".formatted(shards));
    }
    var covered = new ArrayList<Segment>();
    for (long i = 0; i < segments; i++) {
      ByteBuffer row = in.room(SEGMENT_BYTES);
      int number = (int) row.getLong();
      long end = row.getLong();
      boolean closed = row.getLong() != 0;
      long tombstones = row.getLong();
      byte[] secret = new byte[32];
      row.get(secret);
      var segment = new Segment(number, folder, secret);
      segment.end(end);
      segment.tombstones(tombstones);
      segment.state(closed ? Segment.State.SEALED : Segment.State.FILLING);
      covered.add(segment);
    }
    for (int shard = 0; shard < shards; shard++) {
      long[] rows = new long[IndexShard.COLUMNS * in.count(8 * IndexShard.COLUMNS)];
      for (int at = 0; at < rows.length; at += IndexShard.COLUMNS) {
        ByteBuffer row = in.room(8 * IndexShard.COLUMNS);
        row.asLongBuffer().get(rows, at, IndexShard.COLUMNS);
        row.position(row.position() + 8 * IndexShard.COLUMNS);
      }
      index.load(shard, rows);
    }
    return new Read(covered, in.room(8).getLong(), nextSegment);
  }

  private static boolean sumIsRight(DiskFile file) throws IOException {
    long left = file.size() - SUM_BYTES;
    if (left < 0) {
      return false;
    }
    var crc = new CRC32C();
    ByteBuffer step = ByteBuffer.allocate(STEP_BYTES);
    long at = 0;
    while (at < left) {
      step.clear().limit((int) Math.min(STEP_BYTES, left - at));
      at += file.read(step, at);
      crc.update(step.flip());
    }
    ByteBuffer sum = ByteBuffer.allocate(SUM_BYTES);
    return file.read(sum, left) == SUM_BYTES && sum.getLong(0) == crc.getValue();
  }

  /** Writes in steps, and sums up. */
  private static final class Out {
    private final DiskFile file;
    private final ByteBuffer buffer = ByteBuffer.allocate(STEP_BYTES);
    private final CRC32C crc = new CRC32C();
    private long at;

    Out(DiskFile file) {
      this.file = file;
    }

    ByteBuffer room(int bytes) throws IOException {
      if (buffer.remaining() < bytes) {
        drain();
      }
      return buffer;
    }

    private void drain() throws IOException {
      buffer.flip();
      crc.update(buffer.duplicate());
      at += buffer.remaining();
      file.write(buffer, at - buffer.limit());
      buffer.clear();
    }

    void finish() throws IOException {
      drain();
      file.write(ByteBuffer.allocate(SUM_BYTES).putLong(crc.getValue()).flip(), at);
    }
  }

  /** Reads in steps what was summed up before. */
  private static final class In {
    private final DiskFile file;
    private final long limit;
    private final ByteBuffer buffer = ByteBuffer.allocate(STEP_BYTES).limit(0);
    private long at;

    In(DiskFile file, long limit) {
      this.file = file;
      this.limit = limit;
    }

    /**
     * How many pieces of so many bytes follow. A right sum does not make it a number that there is
     * room for, and what is made for them is as large as it says.
     */
    int count(int pieceBytes) throws IOException {
      long count = room(8).getLong();
      long left = limit - at + buffer.remaining();
      if (count < 0 || count > left / pieceBytes || count > Integer.MAX_VALUE / pieceBytes) {
        throw new IOException("the snapshot is shorter than it says");
      }
      return (int) count;
    }

    ByteBuffer room(int bytes) throws IOException {
      if (buffer.remaining() < bytes) {
        buffer.compact();
        buffer.limit((int) Math.min(STEP_BYTES, buffer.position() + limit - at));
        at += file.read(buffer, at);
        buffer.flip();
        if (buffer.remaining() < bytes) {
          throw new IOException("the snapshot is shorter than it says");
        }
      }
      return buffer;
    }
  }
}
