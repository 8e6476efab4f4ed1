package dev.ron.content.segment;

import dev.ron.kernel.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The right of one writer to append: the segment that is being filled, one after the other.
 *
 * <p>A record that is not committed leaves no trace: the segment's end has not moved, and the next
 * record is written over it.
 *
 * <p>Threading: owned by the writer that took it, and by the group commit between asking and
 * answer.
 */
public final class AppendLane {
  private final Segments segments;
  private final long segmentBytes;
  private @Nullable Lease lease;

  public AppendLane(Segments segments, long segmentBytes) {
    this.segments = segments;
    this.segmentBytes = segmentBytes;
  }

  /** Makes sure that there is a segment to append to. */
  public Segment ready() throws IOException {
    Lease current = lease;
    if (current != null && current.segment().end() >= segmentBytes) {
      seal();
    }
    if (current != null && current.segment().state() != Segment.State.FILLING) {
      current.close();
      lease = null;
    }
    if (lease == null) {
      lease = segments.create();
    }
    return segment();
  }

  public Segment segment() {
    return Objects.requireNonNull(lease, "ready was called").segment();
  }

  public DiskFile file() {
    return Objects.requireNonNull(lease, "ready was called").file();
  }

  public boolean isFilling() {
    return lease != null && lease.segment().state() == Segment.State.FILLING;
  }

  /** Ends the segment with a record that says so; the next {@link #ready} begins another. */
  public void seal() {
    Segment segment = segment();
    try {
      file().truncate(segment.end());
      ByteBuffer seal = ByteBuffer.allocate(RecordHeader.BYTES);
      RecordHeader.seal().write(seal, segment.secret(), segment.end());
      file().write(seal.flip(), segment.end());
    } catch (IOException _) {
      // All that is missing is a word to the next start, which then reads the segment whole.
      segment.state(Segment.State.SEALED);
      return;
    }
    try {
      file().flush();
      segment.end(segment.end() + RecordHeader.BYTES);
      segment.state(Segment.State.SEALED);
    } catch (IOException _) {
      segment.state(Segment.State.BROKEN);
    }
  }

  /** Ends the segment and lets go of it, so that it can be compacted and deleted. */
  public void retire() {
    seal();
    if (lease != null) {
      lease.close();
      lease = null;
    }
  }

  /** Takes what was written behind the end away again, or gives the segment up. */
  public void undo() {
    try {
      file().truncate(segment().end());
      file().flush();
    } catch (IOException _) {
      segment().state(Segment.State.BROKEN);
    }
  }

  /**
   * After a flush that failed: nothing is written to this segment any more, because the system may
   * have dropped the bytes and call a second flush a success. Cutting it is tried, so that a start
   * does not take what is only in memory for stored.
   */
  public void giveUp() {
    segment().state(Segment.State.BROKEN);
    try {
      file().truncate(segment().end());
    } catch (IOException _) {
      // The snapshot says where it ends.
    }
  }
}
