package dev.ron.bench.store;

import dev.ron.content.store.SegmentConfig;
import dev.ron.content.store.SegmentStore;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import java.nio.file.Path;

/**
 * Opens a content store in a fresh process and says how long that took, how much heap it holds and
 * how many objects it has.
 *
 * <p>Threading: owned by the main thread.
 */
public final class ContentStartMain {
  private static final double NANOS_PER_SECOND = 1e9;

  private ContentStartMain() {}

  /**
   * Prints the seconds, the heap bytes and the objects, in one line.
   *
   * @param args the folder of the store
   */
  public static void main(String[] args) throws Exception {
    Scope scope = Scope.of("start", World.real(Log.silent()));
    SegmentConfig config = SegmentConfig.in(Path.of(args[0]));
    long before = usedBytes();
    long begin = System.nanoTime();
    SegmentStore store = SegmentStore.open(scope, config);
    double seconds = (System.nanoTime() - begin) / NANOS_PER_SECOND;
    long held = usedBytes() - before;
    System.out.println(seconds + " " + held + " " + store.space().objects());
  }

  /** The collector needs a second look to be done with what has a cleaner. */
  private static long usedBytes() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
