package dev.ron.content;

import dev.ron.content.store.SegmentConfig;
import dev.ron.content.store.SegmentStore;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.disk.Disk;
import dev.ron.kernel.log.Log;
import dev.ron.kernel.supervise.Threads;
import dev.ron.kernel.supervise.Tree;
import dev.ron.kernel.time.SystemTime;
import dev.ron.kernel.time.Time;
import java.io.IOException;
import java.util.SplittableRandom;

/** A segment store with its tasks on threads; {@link #abandon} leaves it as a crash would. */
public final class RunningStore implements AutoCloseable {
  private final SegmentStore store;
  private final Tree tree;

  private RunningStore(SegmentStore store, Tree tree) {
    this.store = store;
    this.tree = tree;
  }

  public static RunningStore open(Disk disk, SegmentConfig config) throws Exception {
    return open(disk, config, new SystemTime());
  }

  public static RunningStore open(Disk disk, SegmentConfig config, Time time) throws Exception {
    var random = new SplittableRandom(1);
    var world = World.seeded(time, random, disk, Threads.virtual(), Log.silent());
    Scope scope = Scope.of("test", world);
    SegmentStore store = SegmentStore.open(scope, config);
    return new RunningStore(store, store.tasks().start(scope));
  }

  public SegmentStore store() {
    return store;
  }

  /** Ends the threads and nothing else: no seal, no snapshot. */
  public void abandon() throws InterruptedException {
    tree.drain();
  }

  @Override
  public void close() throws IOException {
    try {
      tree.drain();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while draining", e);
    }
    store.close();
  }
}
