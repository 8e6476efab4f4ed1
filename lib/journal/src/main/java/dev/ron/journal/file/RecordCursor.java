package dev.ron.journal.file;

import dev.ron.journal.Journal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Reads records by position through a window, so that one read of the disk serves neighbours.
 *
 * <p>Threading: owned by one thread.
 */
final class RecordCursor implements Journal.Cursor {
  /** Some fifty records of a kilobyte. */
  private static final int WINDOW_BYTES = 64 << 10;

  private final FileJournal journal;
  private final RecordReader records;
  private ByteBuffer window = ByteBuffer.allocateDirect(WINDOW_BYTES).limit(0);
  private long segment = -1;
  private long windowAt;

  /** Records from here on were not flushed when the window was filled: it may have zeros there. */
  private long windowLimit;

  RecordCursor(FileJournal journal, RecordReader records) {
    this.journal = journal;
    this.records = records;
  }

  @Override
  public ByteBuffer read(long position) throws IOException {
    FileJournal.Segment where = journal.segmentOf(position);
    SegmentOffsets places = records.places(where.first(), where.path(), where.limit());
    if (where.first() != segment || position >= windowLimit) {
      segment = where.first();
      window.limit(0);
    }
    long offset = places.offset(position);
    int steps = places.steps(position);
    while (true) {
      ByteBuffer header = at(where, offset, Frame.HEADER_BYTES);
      int payloadBytes = Frame.payloadBytes(header);
      if (payloadBytes < 0) {
        throw JournalRecovery.corrupt(where.path(), offset, "no length of a record");
      }
      boolean mark = Frame.isMark(header);
      int bytes = Frame.bytes(payloadBytes);
      if (steps == 0 && !mark) {
        return records.payload(at(where, offset, bytes), where.path(), offset, position);
      }
      offset += bytes;
      steps -= mark ? 0 : 1;
    }
  }

  private ByteBuffer at(FileJournal.Segment where, long offset, int bytes) throws IOException {
    if (offset < windowAt || offset + bytes > windowAt + window.limit()) {
      fill(where, offset, bytes);
    }
    return window.slice((int) (offset - windowAt), bytes);
  }

  private void fill(FileJournal.Segment where, long offset, int bytes) throws IOException {
    Path path = where.path();
    // A large record gets a window of its own for as long as it is looked at.
    if (window.capacity() < bytes || (window.capacity() > WINDOW_BYTES && bytes <= WINDOW_BYTES)) {
      window =
          bytes > WINDOW_BYTES
              ? ByteBuffer.allocate(bytes)
              : ByteBuffer.allocateDirect(WINDOW_BYTES);
    }
    records.fill(window, where.first(), path, offset);
    windowLimit = where.limit();
    windowAt = offset;
    if (window.limit() < bytes) {
      window.limit(0);
      throw JournalRecovery.corrupt(path, offset, "the segment ends within a record");
    }
  }
}
