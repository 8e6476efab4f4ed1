package dev.ron.tilepack;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import org.jspecify.annotations.Nullable;

/**
 * Leaf directories that were read before, of all packs together, within so many bytes.
 *
 * <p>Threading: thread-safe.
 */
public final class DirectoryCache {
  private final Cache<Place, PmtilesDirectory> directories;

  /** Its pack, as an object; what it may speak of, since it was checked for that; its place. */
  private record Place(Pack pack, long firstId, long offset) {}

  public DirectoryCache(long bytesMax) {
    directories =
        Caffeine.newBuilder()
            .maximumWeight(bytesMax)
            .<Place, PmtilesDirectory>weigher((_, directory) -> (int) directory.weightBytes())
            .executor(Runnable::run)
            .build();
  }

  @Nullable PmtilesDirectory find(Pack pack, long firstId, long offset) {
    return directories.getIfPresent(new Place(pack, firstId, offset));
  }

  void put(Pack pack, long firstId, long offset, PmtilesDirectory directory) {
    directories.put(new Place(pack, firstId, offset), directory);
  }

  /** What the directories weigh that are at hand now. */
  long bytes() {
    directories.cleanUp();
    return directories.asMap().values().stream().mapToLong(PmtilesDirectory::weightBytes).sum();
  }
}
