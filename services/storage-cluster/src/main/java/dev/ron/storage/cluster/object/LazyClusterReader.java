package dev.ron.storage.cluster.object;

import dev.ron.blake3.bao.Outboard;
import dev.ron.content.ContentStat;
import dev.ron.content.FileRegion;
import dev.ron.storage.object.ObjectReader;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A reading that finds out where the object is when the first byte is asked for.
 *
 * <p>Threading: owned by one thread at a time.
 */
final class LazyClusterReader implements ObjectReader {
  private final ClusterStore cluster;
  private final ContentStat stat;
  private final long offset;
  private final long end;
  private @Nullable ObjectReader found;

  LazyClusterReader(ClusterStore cluster, ContentStat stat, long offset, long end) {
    this.cluster = cluster;
    this.stat = stat;
    this.offset = offset;
    this.end = end;
  }

  private ObjectReader found() throws InterruptedException {
    ObjectReader open = found;
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
