package dev.ron.storage.s3;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A door in a process of its own, which says its port and waits to be killed. */
final class KilledDoorMain {
  private KilledDoorMain() {}

  public static void main(String[] args) throws Exception {
    System.out.println(rig(Path.of(args[0])).port());
    new CountDownLatch(1).await();
  }

  /** The same door in this process. */
  static DoorRig rig(Path folder) throws Exception {
    return new DoorRig(
        folder,
        "s3.garbage.grace=1s",
        "s3.garbage.period=100ms",
        "s3.names.checkpoint_period=1s",
        "durability.delete_grace=0s");
  }
}
