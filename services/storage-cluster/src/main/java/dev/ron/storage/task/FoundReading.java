package dev.ron.storage.task;

import dev.ron.blake3.Outboard;
import dev.ron.content.ContentStat;
import dev.ron.content.FileRegion;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A reading that finds out where the object is when the first byte is asked for.
 *
 * <p>Threading: owned by one thread at a time.
 */
final class FoundReading implements Reading {
  private final Cluster cluster;
  private final ContentStat stat;
  private final long offset;
  private final long end;
  private @Nullable Reading found;

  FoundReading(Cluster cluster, ContentStat stat, long offset, long end) {
    this.cluster = cluster;
    this.stat = stat;
    this.offset = offset;
    this.end = end;
  }

  private Reading found() throws InterruptedException {
    Reading open = found;
    if (open == null) {
      open = cluster.found(stat, offset, end);
      found = open;
    }
    return open;
  }

  @Override
  public Step next() throws InterruptedException {
    return found().next();
  }

  @Override
  public Optional<FileRegion> region() {
    return Optional.empty();
  }

  @Override
  public Optional<Outboard> outboard() throws InterruptedException {
    return found().outboard();
  }

  @Override
  public void close() {
    if (found != null) {
      found.close();
    }
  }
}
