package dev.ron.edge.cache;

import dev.ron.content.AmnesiaStore;
import dev.ron.content.ContentStore;
import dev.ron.content.store.SegmentStore;
import dev.ron.edge.EdgeConfig;
import dev.ron.edge.fill.FillWriter;
import dev.ron.journal.JournalException;
import dev.ron.journal.JournalFault;
import dev.ron.kernel.Scope;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The live cache with what it stands on: segments and a journal on disk, or memory under amnesia.
 *
 * <p>Threading: opened and closed by the tree; its parts are thread-safe.
 */
public final class CacheStorage implements AutoCloseable {
  private final LiveCache cache;
  private final FillWriter writer;
  private final @Nullable Files files;

  /** What is on disk: bytes and heads. */
  public record Files(SegmentStore segments, HeadJournal heads) {}

  private CacheStorage(LiveCache cache, FillWriter writer, @Nullable Files files) {
    this.cache = cache;
    this.writer = writer;
    this.files = files;
  }

  /** Reads what is there, before there is a door, so that no request meets half a cache. */
  public static CacheStorage open(EdgeConfig config, Scope scope) throws IOException {
    return config.amnesia() ? inMemory(config, scope) : onDisk(config, scope);
  }

  private static CacheStorage inMemory(EdgeConfig config, Scope scope) {
    EdgeConfig.Cache bounds = config.cache();
    int objectBytes = (int) Math.min(Integer.MAX_VALUE - 8, bounds.objectBytes().bytes());
    // Evicted objects are deleted a moment later: until then they take room, too.
    long slack = bounds.bytes().bytes() / 4 + objectBytes;
    var store = new AmnesiaStore(bounds.bytes().bytes() + slack, 2 * bounds.entries(), objectBytes);
    return new CacheStorage(
        cache(config, scope, store, null), new FillWriter(scope, store, null, objectBytes), null);
  }

  private static CacheStorage onDisk(EdgeConfig config, Scope scope) throws IOException {
    EdgeConfig.Cache bounds = config.cache();
    var folder = new CacheFolder(config.data());
    folder.prepare(scope.disk());
    HeadJournal journal = heads(scope, folder);
    SegmentStore segments =
        SegmentStore.open(
            scope, folder.content(bounds.bytes().bytes(), bounds.objectBytes().bytes()));
    LiveCache cache = cache(config, scope, segments, journal);
    cache.recover();
    var writer = new FillWriter(scope, segments, folder.spool(), bounds.objectBytes().bytes());
    return new CacheStorage(cache, writer, new Files(segments, journal));
  }

  /** What is cached can be fetched again: an index that is damaged is no reason not to start. */
  private static HeadJournal heads(Scope scope, CacheFolder folder) throws IOException {
    try {
      return HeadJournal.open(scope, folder.heads());
    } catch (JournalException damaged) {
      if (!(damaged.fault() instanceof JournalFault.Corrupt)) {
        throw damaged;
      }
      scope.log().warn("cache-emptied", "why", damaged);
      folder.dropHeads(scope.disk());
      return HeadJournal.open(scope, folder.heads());
    }
  }

  private static LiveCache cache(
      EdgeConfig config, Scope scope, ContentStore store, @Nullable HeadJournal journal) {
    return new LiveCache(
        scope, store, journal, config.cache().bytes().bytes(), config.cache().entries());
  }

  public LiveCache cache() {
    return cache;
  }

  public FillWriter writer() {
    return writer;
  }

  /** Null under amnesia. */
  public @Nullable Files files() {
    return files;
  }

  @Override
  public void close() throws IOException {
    if (files != null) {
      files.segments().close();
    }
  }
}
