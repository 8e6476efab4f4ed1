package dev.ron.storage.s3.cluster;

import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import dev.ron.storage.s3.names.RowReader;
import dev.ron.storage.s3.names.RowWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A machine's rows on their way to another: files of a checkpoint, which shares them with the rows
 * by hard links, asked for part by part.
 *
 * <p>A machine that asks for a head ends what the fourth before it copies, which begins anew then.
 *
 * <p>Threading: thread-safe.
 */
final class RowTransfer {
  private static final int HEAD = 1;
  private static final int PART = 2;
  private static final int PART_BYTES = 1 << 20;
  private static final String CHECKPOINT = "rows-checkpoint-";

  /** Machines that copy at a time; each holds old files on this one's disk. */
  private static final int COPIES_MAX = 4;

  private final Disk disk;
  private final ReplicatedRows rows;
  private final AtomicLong checkpoints = new AtomicLong();

  RowTransfer(Disk disk, ReplicatedRows rows) {
    this.disk = disk;
    this.rows = rows;
  }

  /** A file of the checkpoint. */
  private record RowFilePart(String name, long sizeBytes) {}

  /**
   * What is copied.
   *
   * @param term and {@code index} of an entry that is in it, and all before
   */
  private record Head(String checkpoint, long term, long index, List<RowFilePart> files) {
    private byte[] encode() {
      return new RowWriter()
          .text(checkpoint)
          .eight(term)
          .eight(index)
          .list(files, (to, each) -> to.text(each.name()).eight(each.sizeBytes()))
          .bytes();
    }

    private static Head decode(byte[] bytes) {
      var in = new RowReader(bytes);
      return new Head(
          in.text(),
          in.eight(),
          in.eight(),
          in.list(from -> new RowFilePart(from.text(), from.eight())));
    }
  }

  // ---- the leader's side

  /** Answers a question about rows that have everything up to this entry. */
  byte[] answer(byte[] question, NameReplica.Position applied) throws IOException {
    var in = new RowReader(question);
    return in.one() == HEAD
        ? head(applied)
        : part(rows.folder().resolve(in.text()), in.text(), in.eight());
  }

  private byte[] head(NameReplica.Position applied) throws IOException {
    long number = checkpoints.incrementAndGet();
    for (Path old : disk.list(rows.folder())) {
      String file = old.getFileName().toString();
      if (file.startsWith(CHECKPOINT)
          && (number == 1
              || Long.parseLong(file.substring(CHECKPOINT.length())) <= number - COPIES_MAX)) {
        ReplicatedRows.clear(disk, old);
      }
    }
    String name = CHECKPOINT + number;
    Path checkpoint = rows.folder().resolve(name);
    rows.checkpoint(checkpoint);
    var files = new ArrayList<RowFilePart>();
    for (Path file : disk.list(checkpoint)) {
      try (DiskFile open = disk.openReadOnly(file)) {
        files.add(new RowFilePart(file.getFileName().toString(), open.size()));
      }
    }
    return new Head(name, applied.term(), applied.index(), files).encode();
  }

  private byte[] part(Path checkpoint, String name, long from) throws IOException {
    try (DiskFile open = disk.openReadOnly(checkpoint.resolve(name))) {
      var bytes = ByteBuffer.allocate((int) Math.min(PART_BYTES, open.size() - from));
      while (bytes.hasRemaining() && open.read(bytes, from + bytes.position()) > 0) {
        // until the part is full
      }
      return Arrays.copyOf(bytes.array(), bytes.position());
    }
  }

  // ---- the side of the machine that is behind

  /** Asks the machine that leads. */
  @FunctionalInterface
  interface PeerCall {
    byte[] ask(byte[] question) throws IOException, InterruptedException;
  }

  /** Copies all rows; the next {@link ReplicatedRows#install} goes on with them. */
  NameReplica.Position copy(PeerCall leader) throws IOException, InterruptedException {
    Head head = Head.decode(leader.ask(new RowWriter().one(HEAD).bytes()));
    Path coming = rows.coming();
    for (RowFilePart file : head.files()) {
      try (DiskFile open = disk.open(coming.resolve(file.name()))) {
        for (long at = 0; at < file.sizeBytes(); ) {
          byte[] part =
              leader.ask(
                  new RowWriter()
                      .one(PART)
                      .text(head.checkpoint())
                      .text(file.name())
                      .eight(at)
                      .bytes());
          if (part.length == 0) {
            throw new IOException(file.name() + " of the leader's rows ends at " + at);
          }
          open.write(ByteBuffer.wrap(part), at);
          at += part.length;
        }
        open.flush();
      }
    }
    rows.whole();
    return new NameReplica.Position(head.term(), head.index());
  }
}
