package dev.ron.content;

import dev.ron.content.store.SegmentConfig;
import dev.ron.content.store.SegmentStore;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import java.nio.file.Path;

/** Opens a store in a fresh process and says how long that took and how much heap it holds. */
final class StartChild {
  private StartChild() {}

  public static void main(String[] args) throws Exception {
    Scope scope = Scope.of("start", World.real(Log.silent()));
    SegmentConfig config = SegmentConfig.in(Path.of(args[0]));
    long before = usedBytes();
    long begin = System.nanoTime();
    SegmentStore store = SegmentStore.open(scope, config);
    long nanos = System.nanoTime() - begin;
    long held = usedBytes() - before;
    System.out.println(
        nanos / 1_000_000
            + " "
            + held
            + " "
            + store.space().objects()
            + " "
            + store.report().fromSnapshot());
  }

  private static long usedBytes() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
