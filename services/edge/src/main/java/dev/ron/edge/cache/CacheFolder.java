package dev.ron.edge.cache;

import dev.ron.content.store.SegmentConfig;
import dev.ron.content.store.VerifyMode;
import dev.ron.journal.JournalSettings;
import dev.ron.kernel.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The cache's folder: bytes in {@code content}, heads in {@code heads}, running fills in {@code
 * spool}.
 *
 * <p>Threading: immutable.
 */
public record CacheFolder(Path folder) {
  /** Enough that a small cache has several, so that deleted bytes are given back. */
  private static final int SEGMENTS_MIN = 8;

  private static final long SEGMENT_BYTES_MAX = 256L << 20;
  private static final long SEGMENT_BYTES_MIN = 4L << 20;

  /** Deleted bytes of a cache are never restored. */
  private static final Duration GRACE = Duration.ofSeconds(1);

  /** Bytes are hashed when they come in and once after each start; then the kernel sends them. */
  public SegmentConfig content(long bytesMax, long objectBytesMax) {
    long segment = Math.clamp(bytesMax / SEGMENTS_MIN, SEGMENT_BYTES_MIN, SEGMENT_BYTES_MAX);
    return SegmentConfig.in(folder.resolve("content"))
        .withVerify(VerifyMode.ONCE)
        .withDeleteGrace(GRACE)
        .withSizes(segment, objectBytesMax, 128L << 20);
  }

  public JournalSettings heads() {
    return JournalSettings.in(folder.resolve("heads")).named("heads");
  }

  public Path spool() {
    return folder.resolve("spool");
  }

  /** Forgets every answer; bytes that no answer has are swept. */
  public void dropHeads(Disk disk) throws IOException {
    for (Path file : disk.list(heads().folder())) {
      disk.delete(file);
    }
  }

  /** Makes what is missing, and empties the spool: no fill survives its process. */
  public void prepare(Disk disk) throws IOException {
    disk.createFolders(folder.resolve("content"));
    disk.createFolders(folder.resolve("heads"));
    disk.createFolders(spool());
    for (Path left : disk.list(spool())) {
      disk.delete(left);
    }
  }
}
