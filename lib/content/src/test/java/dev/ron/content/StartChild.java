package dev.ron.content;

import dev.ron.content.store.SegmentConfig;
import dev.ron.content.store.SegmentStore;
import dev.ron.kernel.Scope;
import dev.ron.kernel.World;
import dev.ron.kernel.log.Log;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Opens a store in a fresh process and says what that cost and how much heap it holds.
 *
 * <p>The cost is processor time: the wall clock would count what else the machine does.
 */
final class StartChild {
  private StartChild() {}

  public static void main(String[] args) throws Exception {
    Scope scope = Scope.of("start", World.real(Log.silent()));
    SegmentConfig config = SegmentConfig.in(Path.of(args[0]));
    long before = usedBytes();
    Duration begin = processorTime();
    SegmentStore store = SegmentStore.open(scope, config);
    Duration opened = processorTime().minus(begin);
    long held = usedBytes() - before;
    System.out.println(
        opened.toMillis()
            + " "
            + held
            + " "
            + store.space().objects()
            + " "
            + store.report().fromSnapshot());
  }

  private static Duration processorTime() {
    return ProcessHandle.current().info().totalCpuDuration().orElseThrow();
  }

  private static long usedBytes() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
