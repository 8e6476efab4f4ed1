package dev.ron.storage.cluster.object;

import dev.ron.blake3.bao.Outboard;
import dev.ron.content.ContentStat;
import dev.ron.content.FileRegion;
import dev.ron.storage.object.ObjectReader;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A reading that finds out where the object is when the first byte is asked for.
 *
 * <p>Half a write, or half a delete, leaves shards that are too few, or copies that are gone. So
 * where one of the two gives out, the other is looked for.
 *
 * <p>Threading: owned by one thread at a time.
 */
final class LazyClusterReader implements ObjectReader {
  private final ClusterStore cluster;
  private final ContentStat stat;
  private final long end;
  private long at;
  private boolean second;
  private @Nullable ObjectReader found;

  LazyClusterReader(ClusterStore cluster, ContentStat stat, long offset, long end) {
    this.cluster = cluster;
    this.stat = stat;
    this.at = offset;
    this.end = end;
  }

  private ObjectReader found() throws InterruptedException {
    ObjectReader open = found;
    if (open == null) {
      open = cluster.found(stat, at, end);
      found = open;
    }
    return open;
  }

  @Override
  public Step next() throws InterruptedException {
    ObjectReader first = found();
    Step step = first.next();
    if (step instanceof Step.Lost && !second) {
      second = true;
      step = instead(first, step);
    }
    if (step instanceof Step.Bytes(ByteBuffer bytes)) {
      at += bytes.remaining();
    }
    return step;
  }

  private Step instead(ObjectReader first, Step lost) throws InterruptedException {
    Optional<ObjectReader> other = cluster.instead(first, stat, at, end);
    if (other.isEmpty() || !(other.get().next() instanceof Step.Bytes bytes)) {
      return lost;
    }
    first.close();
    found = other.get();
    return bytes;
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
