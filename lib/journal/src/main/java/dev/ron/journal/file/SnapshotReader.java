package dev.ron.journal.file;

import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.stream.BlockStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reads a snapshot and checks every chunk before a byte of it is handed over.
 *
 * <p>Threading: owned by one thread.
 */
final class SnapshotReader extends BlockStream {
  private final SegmentWindow reader;
  private final SegmentHeader header;
  private ByteBuffer chunk = ByteBuffer.allocate(0);
  private long offset = SegmentHeader.BYTES;
  private long chunks;
  private boolean ended;

  SnapshotReader(Disk disk, Path path, SegmentHeader header) throws IOException {
    this.reader = new SegmentWindow(disk, path);
    this.header = header;
    ByteBuffer bytes = reader.at(0, SegmentHeader.BYTES);
    if (!SegmentHeader.parse(bytes, SegmentHeader.SNAPSHOT).equals(Optional.of(header))) {
      reader.close();
      throw JournalRecovery.corrupt(path, 0, "not the header of this journal's snapshot");
    }
  }

  @Override
  protected int block(byte[] into, int start, int length) throws IOException {
    if (!chunk.hasRemaining() && !nextChunk()) {
      return -1;
    }
    int count = Math.min(length, chunk.remaining());
    chunk.get(into, start, count);
    return count;
  }

  private boolean nextChunk() throws IOException {
    if (ended) {
      return false;
    }
    Frame frame = SegmentWalk.frame(reader, SnapshotWriter.chunkId(header), offset);
    if (frame == null || frame.position() != chunks) {
      String why = "chunk %d has no right checksum".formatted(chunks);
      throw JournalRecovery.corrupt(reader.path(), offset, why);
    }
    offset += frame.bytes();
    chunks++;
    if (frame.kind() == Frame.Kind.MARK) {
      if (offset != reader.size()) {
        throw JournalRecovery.corrupt(reader.path(), offset, "bytes behind the end");
      }
      ended = true;
      return false;
    }
    chunk = frame.payload();
    return true;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
