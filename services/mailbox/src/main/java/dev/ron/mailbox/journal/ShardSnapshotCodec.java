package dev.ron.mailbox.journal;

import dev.ron.mailbox.core.message.Fact;
import dev.ron.mailbox.core.message.Receipt;
import dev.ron.mailbox.core.message.Ulid;
import dev.ron.mailbox.core.state.ShardImage;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * A snapshot of all shards: each with the position up to which it knows the journal, then its
 * image.
 *
 * <p>The shards are captured one after the other while they go on working, so their positions
 * differ. That is why each has its own: what it knows already is passed over when the journal is
 * replayed.
 *
 * <p>Threading: immutable.
 */
final class ShardSnapshotCodec {
  private static final int MAGIC = 0x524d4258;

  /** 1 held facts with bodies; 2 holds images without. */
  private static final int VERSION = 2;

  /** With what is in flight behind each image; machines of a cluster write it. */
  private static final int WITH_LEASES = 3;

  /** With queues in each image, and leases that say when; what is written now. */
  private static final int WITH_QUEUES = 4;

  private static final int BUFFER_BYTES = 64 << 10;

  private ShardSnapshotCodec() {}

  /** Gets one shard of a snapshot. */
  interface Reader {
    void shard(ShardCapture captured) throws IOException;
  }

  /** Returns how many bytes it is. */
  static long write(List<ShardCapture> shards, OutputStream to) throws IOException {
    var out = new DataOutputStream(new BufferedOutputStream(to, BUFFER_BYTES));
    out.writeInt(MAGIC);
    out.writeInt(WITH_QUEUES);
    out.writeInt(shards.size());
    long images = 0;
    for (ShardCapture shard : shards) {
      out.writeInt(shard.shard());
      out.writeLong(shard.position());
      images += ShardImageWriter.write(shard.image(), out);
      write(shard.leases(), out);
    }
    out.flush();
    return images;
  }

  private static void write(List<Fact.Leased> leases, DataOutputStream out) throws IOException {
    out.writeInt(leases.size());
    for (Fact.Leased lease : leases) {
      out.writeLong(lease.id().high());
      out.writeLong(lease.id().low());
      out.writeLong(lease.receipt().bits());
      out.writeLong(lease.untilMillis());
      out.writeLong(lease.atMillis());
      out.writeBoolean(lease.durable());
    }
  }

  private static List<Fact.Leased> readLeases(DataInputStream in, int version) throws IOException {
    if (version == VERSION) {
      return List.of();
    }
    var leases = new ArrayList<Fact.Leased>();
    for (int left = in.readInt(); left > 0; left--) {
      var id = new Ulid(in.readLong(), in.readLong());
      var receipt = new Receipt(in.readLong());
      long until = in.readLong();
      leases.add(
          version == WITH_LEASES
              ? new Fact.Leased(id, receipt, until)
              : new Fact.Leased(id, receipt, until, in.readLong(), in.readBoolean()));
    }
    return leases;
  }

  /**
   * @param wanted the shards that are handed over; the others are read and let go
   */
  static void read(InputStream from, IntPredicate wanted, Reader reader) throws IOException {
    var in = new DataInputStream(new BufferedInputStream(from, BUFFER_BYTES));
    int magic = in.readInt();
    int version = in.readInt();
    if (magic != MAGIC || version < VERSION || version > WITH_QUEUES) {
      throw new IOException(
          "a snapshot of the mailbox of version %d, known are %d to %d"
              .formatted(version, VERSION, WITH_QUEUES));
    }
    int shards = in.readInt();
    for (int i = 0; i < shards; i++) {
      int number = in.readInt();
      long position = in.readLong();
      ShardImage image = ShardImageReader.read(in, version == WITH_QUEUES);
      List<Fact.Leased> leases = readLeases(in, version);
      var captured = new ShardCapture(number, position, image, leases);
      if (wanted.test(number)) {
        reader.shard(captured);
      }
    }
    if (in.read() >= 0) {
      throw new IOException("bytes behind the last shard");
    }
  }
}
