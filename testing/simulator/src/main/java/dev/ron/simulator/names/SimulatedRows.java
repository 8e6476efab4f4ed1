package dev.ron.simulator.names;

import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import dev.ron.ordered.KeyRange;
import dev.ron.ordered.MemoryOrderedStore;
import dev.ron.ordered.OrderedFault;
import dev.ron.ordered.OrderedSettings;
import dev.ron.ordered.OrderedStore;
import dev.ron.ordered.OrderedUsage;
import dev.ron.ordered.RowBatch;
import dev.ron.ordered.RowCursor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Rows in the place of RocksDB: in memory, and on the simulated disk what a flush brought there.
 *
 * <p>After a crash it has what the last flush left, or more: now and then it flushes by itself.
 *
 * <p>Threading: as {@link OrderedStore} says.
 */
final class SimulatedRows implements OrderedStore {
  private static final String FILE = "rows";
  private static final String DRAFT = "rows.new";
  private static final long BYTES_MAX = 64 << 20;

  /** One change in so many is flushed unasked. */
  private static final int UNASKED = 32;

  private final Disk disk;
  private final Path folder;
  private final RandomGenerator chance;
  private final MemoryOrderedStore rows;
  private long durable;

  private SimulatedRows(Disk disk, Path folder, RandomGenerator chance, MemoryOrderedStore rows) {
    this.disk = disk;
    this.folder = folder;
    this.chance = chance;
    this.rows = rows;
    this.durable = rows.appliedIndex();
  }

  static SimulatedRows open(
      Disk disk, Path folder, OrderedSettings settings, RandomGenerator chance) throws IOException {
    var rows = MemoryOrderedStore.empty(settings, BYTES_MAX, chance);
    if (disk.exists(folder.resolve(FILE))) {
      load(disk, folder.resolve(FILE), rows);
    }
    return new SimulatedRows(disk, folder, chance, rows);
  }

  private static void load(Disk disk, Path file, MemoryOrderedStore into) throws IOException {
    byte[] bytes;
    try (DiskFile open = disk.openReadOnly(file)) {
      var all = ByteBuffer.allocate((int) open.size());
      open.read(all, 0);
      bytes = all.array();
    }
    var in = new DataInputStream(new ByteArrayInputStream(bytes));
    long index = in.readLong();
    var batch = new RowBatch();
    for (int left = in.readInt(); left > 0; left--) {
      byte[] key = in.readNBytes(in.readInt());
      batch.put(key, in.readNBytes(in.readInt()));
    }
    if (index != NOTHING_APPLIED) {
      into.apply(batch, index);
    }
  }

  private byte[] image() throws IOException {
    var bytes = new ByteArrayOutputStream();
    var out = new DataOutputStream(bytes);
    int count = 0;
    try (RowCursor cursor = rows.scan(KeyRange.all())) {
      while (cursor.next()) {
        out.writeInt(cursor.key().length);
        out.write(cursor.key());
        out.writeInt(cursor.value().length);
        out.write(cursor.value());
        count++;
      }
    }
    var whole = new ByteArrayOutputStream();
    var head = new DataOutputStream(whole);
    head.writeLong(rows.appliedIndex());
    head.writeInt(count);
    head.write(bytes.toByteArray());
    return whole.toByteArray();
  }

  private void write(Path to, byte[] image) throws IOException {
    try (DiskFile file = disk.open(to)) {
      file.truncate(0);
      file.write(ByteBuffer.wrap(image), 0);
      file.flush();
    }
  }

  /** The first row that others have otherwise, and how far in the log both are; empty if none. */
  Optional<String> difference(SimulatedRows other) throws IOException {
    try (RowCursor mine = rows.scan(KeyRange.all());
        RowCursor theirs = other.rows.scan(KeyRange.all())) {
      while (true) {
        boolean here = mine.next();
        boolean there = theirs.next();
        if (!here && !there) {
          return Optional.empty();
        }
        int order = !here ? 1 : !there ? -1 : Arrays.compareUnsigned(mine.key(), theirs.key());
        if (order != 0 || !Arrays.equals(mine.value(), theirs.value())) {
          return Optional.of(
              "row %s is %s at %s and %s at %s"
                  .formatted(
                      text(order <= 0 ? mine.key() : theirs.key()),
                      order <= 0 ? text(mine.value()) : "absent",
                      position(),
                      order >= 0 ? text(theirs.value()) : "absent",
                      other.position()));
        }
      }
    }
  }

  private String position() {
    return "position %x".formatted(rows.appliedIndex());
  }

  /** The table's letter, which a key begins with, and all else that prints as it is. */
  private static String text(byte[] bytes) {
    var text = new StringBuilder();
    for (byte each : bytes) {
      boolean prints = each > ' ' && each < 0x7f && each != '\\';
      text.append(prints ? String.valueOf((char) each) : "\\%02x".formatted(each));
    }
    return text.toString();
  }

  @Override
  public Optional<byte[]> row(byte[] key) {
    return rows.row(key);
  }

  @Override
  public RowCursor scan(KeyRange range) throws IOException {
    return rows.scan(range);
  }

  @Override
  public void apply(RowBatch batch, long index) throws IOException {
    rows.apply(batch, index);
    if (chance.nextInt(UNASKED) == 0) {
      flush();
    }
  }

  @Override
  public long appliedIndex() {
    return rows.appliedIndex();
  }

  @Override
  public long flush() throws IOException {
    long index = rows.appliedIndex();
    write(folder.resolve(DRAFT), image());
    disk.rename(folder.resolve(DRAFT), folder.resolve(FILE));
    disk.flushDirectory(folder);
    durable = Math.max(durable, index);
    return index;
  }

  @Override
  public long durableIndex() {
    return durable;
  }

  @Override
  public long checkpoint(Path to) throws IOException {
    disk.createFolders(to);
    write(to.resolve(FILE), image());
    disk.flushDirectory(to);
    return rows.appliedIndex();
  }

  @Override
  public OrderedUsage usage() {
    return rows.usage();
  }

  @Override
  public Optional<OrderedFault> refusal() {
    return rows.refusal();
  }

  @Override
  public void close() throws IOException {
    flush();
    rows.close();
  }
}
