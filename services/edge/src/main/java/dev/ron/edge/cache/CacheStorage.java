package dev.ron.edge.cache;

import dev.ron.content.AmnesiaStore;
import dev.ron.content.ContentStore;
import dev.ron.content.store.SegmentStore;
import dev.ron.edge.EdgeConfig;
import dev.ron.edge.fill.FillWriter;
import dev.ron.kernel.Scope;
import dev.ron.kernel.supervise.Restart;
import dev.ron.kernel.supervise.Supervisor;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The live cache with what it stands on: segments and a journal on disk, or memory under amnesia.
 *
 * <p>Threading: opened and closed by the tree; its parts are thread-safe.
 */
public final class CacheStorage implements AutoCloseable {
  private final LiveCache cache;
  private final FillWriter stowing;
  private final @Nullable SegmentStore segments;
  private final @Nullable HeadJournal journal;

  private CacheStorage(
      LiveCache cache,
      FillWriter stowing,
      @Nullable SegmentStore segments,
      @Nullable HeadJournal journal) {
    this.cache = cache;
    this.stowing = stowing;
    this.segments = segments;
    this.journal = journal;
  }

  /** Reads what is there, before there is a door, so that no request meets half a cache. */
  public static CacheStorage open(EdgeConfig config, Scope scope) throws IOException {
    return config.amnesia() ? inMemory(config, scope) : onDisk(config, scope);
  }

  private static CacheStorage inMemory(EdgeConfig config, Scope scope) {
    EdgeConfig.Cache bounds = config.cache();
    int objectBytes = (int) Math.min(Integer.MAX_VALUE - 8, bounds.object().bytes());
    // Evicted objects are deleted a moment later: until then they take room, too.
    long slack = bounds.bytes().bytes() / 4 + objectBytes;
    var store = new AmnesiaStore(bounds.bytes().bytes() + slack, 2 * bounds.entries(), objectBytes);
    return new CacheStorage(
        cache(config, scope, store, null),
        new FillWriter(scope, store, null, objectBytes),
        null,
        null);
  }

  private static CacheStorage onDisk(EdgeConfig config, Scope scope) throws IOException {
    EdgeConfig.Cache bounds = config.cache();
    var folder = new CacheFolder(config.data());
    folder.prepare(scope.disk());
    HeadJournal journal = HeadJournal.open(scope, folder.heads());
    SegmentStore segments =
        SegmentStore.open(scope, folder.content(bounds.bytes().bytes(), bounds.object().bytes()));
    LiveCache cache = cache(config, scope, segments, journal);
    cache.recover();
    var stowing = new FillWriter(scope, segments, folder.spool(), bounds.object().bytes());
    return new CacheStorage(cache, stowing, segments, journal);
  }

  private static LiveCache cache(
      EdgeConfig config, Scope scope, ContentStore store, @Nullable HeadJournal journal) {
    return new LiveCache(
        scope, store, journal, config.cache().bytes().bytes(), config.cache().entries());
  }

  /** The tasks without which nothing becomes durable and nothing goes. */
  public Supervisor into(Supervisor tree) {
    Supervisor wider = tree;
    SegmentStore store = segments;
    HeadJournal heads = journal;
    if (store != null && heads != null) {
      wider =
          wider
              .child("content-commit", Restart.ALWAYS, store::groupCommit)
              .child("content-housekeeping", Restart.ALWAYS, store::housekeeping)
              .child("flush", Restart.ALWAYS, heads::flushTask)
              .child("head-snapshot", Restart.ALWAYS, () -> new HeadSnapshot(cache, heads));
    }
    return wider.child("evictor", Restart.ALWAYS, () -> new Evictor(cache));
  }

  public LiveCache cache() {
    return cache;
  }

  public FillWriter stowing() {
    return stowing;
  }

  @Override
  public void close() throws IOException {
    if (segments != null) {
      segments.close();
    }
  }
}
