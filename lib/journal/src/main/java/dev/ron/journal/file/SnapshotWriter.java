package dev.ron.journal.file;

import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.disk.DiskFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Writes a snapshot in chunks, each a {@link Frame} numbered from 0; a mark ends it.
 *
 * <p>Threading: owned by one thread.
 */
final class SnapshotWriter extends OutputStream {
  static final int CHUNK_BYTES = 64 << 10;

  private final DiskFile file;
  private final SegmentHeader header;
  private final ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
  private final ByteBuffer frame = ByteBuffer.allocate(Frame.bytes(CHUNK_BYTES));
  private long offset = SegmentHeader.BYTES;
  private long chunks;

  SnapshotWriter(Disk disk, Path path, SegmentHeader header) throws IOException {
    this.file = disk.open(path);
    this.header = header;
    file.truncate(0);
    file.write(header.encode(SegmentHeader.SNAPSHOT), 0);
  }

  /** A chunk of one snapshot is none of another: its position is part of the checksum. */
  static long chunkId(SegmentHeader header) {
    return header.id() ^ Long.rotateLeft(~header.first(), 32);
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] from, int start, int length) throws IOException {
    int at = start;
    int left = length;
    while (left > 0) {
      int count = Math.min(left, chunk.remaining());
      chunk.put(from, at, count);
      at += count;
      left -= count;
      if (!chunk.hasRemaining()) {
        writeChunk();
      }
    }
  }

  /** The last bytes, the mark that there are no more, and a flush. */
  void finish() throws IOException {
    if (chunk.position() > 0) {
      writeChunk();
    }
    frame.clear();
    Frame.putMark(frame, chunkId(header), chunks);
    file.write(frame.flip(), offset);
    file.flush();
  }

  private void writeChunk() throws IOException {
    frame.clear();
    Frame.put(frame, chunkId(header), chunks, chunks, chunk.flip());
    file.write(frame.flip(), offset);
    offset += frame.limit();
    chunks++;
    chunk.clear();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
