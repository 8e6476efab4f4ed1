package dev.ron.edge;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;

/** An edge in a process of its own, which says its port and waits to be killed. */
final class EdgeMain {
  private EdgeMain() {}

  /**
   * @param args the folder, the upstream, settings
   */
  public static void main(String[] args) throws Exception {
    String[] settings = Arrays.copyOfRange(args, 2, args.length);
    Rig rig = Rig.crowded(Path.of(args[0]), args[1], settings);
    System.out.println(rig.wired.door().port());
    new CountDownLatch(1).await();
  }
}
