package dev.ron.mailbox.disk;

import dev.ron.mailbox.core.Fact;
import dev.ron.mailbox.wire.FactReader;
import dev.ron.mailbox.wire.FactWriter;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A snapshot of all shards: each with the position up to which it knows the journal, then its
 * facts.
 *
 * <p>The shards are captured one after the other while they go on working, so their positions
 * differ. That is why each has its own: what it knows already is passed over when the journal is
 * replayed.
 *
 * <p>Threading: immutable.
 */
final class SnapshotForm {
  private static final int MAGIC = 0x524d4258;
  private static final int VERSION = 1;
  private static final int FACT_BYTES_MAX = 64 << 20;

  private SnapshotForm() {}

  /** Gets what a snapshot says, shard by shard. */
  interface Reader {
    /** False passes over the facts of this shard. */
    boolean shard(int number, long position) throws IOException;

    void fact(int shard, Fact fact) throws IOException;
  }

  static void write(List<Captured> shards, OutputStream to) throws IOException {
    var out = new DataOutputStream(new BufferedOutputStream(to, 64 << 10));
    out.writeInt(MAGIC);
    out.writeInt(VERSION);
    out.writeInt(shards.size());
    for (Captured shard : shards) {
      out.writeInt(shard.shard());
      out.writeLong(shard.position());
      out.writeInt(shard.facts().size());
      for (Fact fact : shard.facts()) {
        ByteBuffer bytes = FactWriter.encode(fact);
        out.writeInt(bytes.remaining());
        out.write(bytes.array(), bytes.arrayOffset(), bytes.remaining());
      }
    }
    out.flush();
  }

  static void read(InputStream from, Reader reader) throws IOException {
    var in = new DataInputStream(new BufferedInputStream(from, 64 << 10));
    if (in.readInt() != MAGIC || in.readInt() != VERSION) {
      throw new IOException("not a snapshot of this version of the mailbox");
    }
    int shards = in.readInt();
    for (int i = 0; i < shards; i++) {
      int number = in.readInt();
      boolean wanted = reader.shard(number, in.readLong());
      int facts = in.readInt();
      for (int f = 0; f < facts; f++) {
        int length = in.readInt();
        if (length < 0 || length > FACT_BYTES_MAX) {
          throw new IOException("a fact of " + length + " bytes");
        }
        if (wanted) {
          reader.fact(number, FactReader.decode(ByteBuffer.wrap(in.readNBytes(length))));
        } else {
          in.skipNBytes(length);
        }
      }
    }
    if (in.read() >= 0) {
      throw new IOException("bytes behind the last shard");
    }
  }
}
