package dev.ron.content.segment;

import dev.ron.kernel.disk.DiskFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/**
 * What was open of a segment, taken out under the lock of {@link Segments} to be closed outside of
 * it.
 *
 * <p>Threading: owned by the thread that took them.
 */
record SegmentHandles(@Nullable DiskFile file, @Nullable FileChannel channel) {
  static final SegmentHandles NONE = new SegmentHandles(null, null);

  static SegmentHandles takenFrom(Segment segment) {
    var taken = new SegmentHandles(segment.file, segment.channel);
    segment.file = null;
    segment.channel = null;
    return taken;
  }

  void close() {
    close(file);
    close(channel);
  }

  static void close(@Nullable Closeable file) {
    try {
      if (file != null) {
        file.close();
      }
    } catch (IOException _) {
      // Nothing is lost by it: what matters was flushed before, or only read.
    }
  }
}
