package dev.ron.storage.s3;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A door in a process of its own, which says its port and waits to be killed. */
final class KilledDoorMain {
  private KilledDoorMain() {}

  public static void main(String[] args) throws Exception {
    var rig =
        new DoorRig(
            Path.of(args[0]),
            "s3.garbage.grace=1s",
            "s3.garbage.period=100ms",
            "s3.names.checkpoint_period=1s",
            "durability.delete_grace=0s");
    System.out.println(rig.port());
    new CountDownLatch(1).await();
  }
}
